/* SPDX-License-Identifier: BSD-3-Clause */
/* perf_words.c - see perf_words.h. */
#include "config.h"

#include "src/perf/perf_words.h"

#include <stdbool.h>
#include <string.h>

#define PERFS "is a command of perf's"

static const struct perf_word commands[] = {
	{ " script ", "samples are counted by their paths, not kept one by one",
	  "use ompcount report --format folded PROFILE, or --format json" },
	{ " annotate ", "source is shown by report",
	  "use ompcount report --annotate FUNCTION PROFILE" },
	{ " mem c2c ", PERFS,
	  "use ompcount run -e EVENT:p COMMAND, then ompcount report --by address PROFILE" },
	{ " lock ", PERFS,
	  "use ompcount run --entries COMMAND, then ompcount report --by construct PROFILE" },
	{ " sched timechart ", PERFS,
	  "use ompcount run -e wall COMMAND, then ompcount report --by thread PROFILE" },
	{ " evlist ", PERFS, "ompcount report shows a profile's events at its beginning" },
	{ " trace ftrace probe kmem kvm kwork iostat kallsyms inject daemon ", PERFS,
	  "use perf, with the command" },
	{ " buildid-list buildid-cache archive data ", PERFS,
	  "use ompcount resolve PROFILE: the profile then needs no other file" },
	{ " test ", PERFS, "ompcount check shows what this machine allows" },
	{ " bench config version ", PERFS, "see ompcount --help" },
};

static const struct perf_word run_options[] = {
	{ " -p --pid -t --tid ", "a process that runs already can't be profiled from outside",
	  "start it by ompcount; ompcount top PID shows one that was" },
	{ " -a --all-cpus -C --cpu -A --no-aggr --per-core --per-socket --per-node -u --uid -G "
	  "--cgroup ",
	  "what ompcount starts is profiled, not the whole machine",
	  "use ompcount COMMAND; ompcount report --by cpu shows each CPU" },
	{ " -g --call-graph ", "each sample has its call path anyway", "leave it out" },
	{ " --per-thread -i --no-inherit -T --timestamp -s --stat ",
	  "threads and processes are distinguished anyway",
	  "leave it out; see ompcount report --by thread" },
	{ " -r --repeat ", "it runs the program once",
	  "use ompcount scale -t N -r RUNS COMMAND; ompcount diff shows how much runs differ" },
	{ " -I --interval-print ", "it prints at the end",
	  "ompcount top --batch -d SECONDS PROFILE prints what is new at intervals" },
	{ " -x --field-separator -j --json-output ", "it prints for people",
	  "ompcount report --format json PROFILE is for programs" },
	{ " -d --detailed ", "events are named", "use -e cycles,instructions,cache-misses" },
	{ " -D ", "no such option", "use --delay SECONDS" },
	{ " -b --branch-any --branch-filter --intr-regs --user-regs ", "it records call paths only",
	  "leave it out" },
	{ " -m --mmap-pages -B --no-buildid -N --no-buildid-cache -R --raw-samples -z "
	  "--compression-level ",
	  "the profile's size follows the number of call paths", "leave it out" },
};

static const struct perf_word report_options[] = {
	{ " -i --input ", "profiles follow without an option", "leave it out" },
	{ " -b ", "no such option", "use --by WHAT" },
	{ " --csv ", "it is a format", "use --format csv" },
	{ " -c -g --call-graph -G ", "no such option", "use --by path, or --calls FUNCTION" },
	{ " -a ", "no such option", "use --annotate WHAT" },
	{ " -s -F --fields ", "no such option", "use --by WHAT, or --sort COLUMN" },
	{ " -d --dso --dsos ", "no such option", "use --module NAME, or --by module" },
	{ " -S --symbols --symbol --symbol-filter ", "no such option",
	  "use --focus REGEX, or --annotate FUNCTION" },
	{ " --tid --pid --comm --comms ", "no such option", "use --thread LIST, or --by thread" },
	{ " --percent-limit ", "no such option", "use --limit PERCENT" },
	{ " --max-stack ", "no such option", "use --depth N" },
	{ " -M --disassembler-style --print-line ", "no such option",
	  "use --annotate FUNCTION --asm" },
	{ " --stdio --stdio2 ", "no such option", "use --no-pager" },
	{ " --tui --gtk ", "no such option", "use ompcount view PROFILE" },
	{ " --children --no-children ", "both are columns: % is with callees, self is without",
	  "use --by path" },
};

/* Whether names has the first n characters of word, between blanks. */
static bool perf_has(const char *names, const char *word, size_t n)
{
	for (const char *at = names; (at = strchr(at, ' ')) && at[1]; at++)
		if (strncmp(at + 1, word, n) == 0 && at[1 + n] == ' ')
			return true;
	return false;
}

static const struct perf_word *perf_find(const struct perf_word *words, size_t n, const char *word)
{
	const size_t length = strcspn(word, "= ");

	for (size_t i = 0; i < n && length; i++)
		if (perf_has(words[i].names, word, length))
			return &words[i];
	return NULL;
}

const struct perf_word *perf_command(const char *name)
{
	return perf_find(commands, sizeof(commands) / sizeof(commands[0]), name);
}

const struct perf_word *perf_run_option(const char *option)
{
	return perf_find(run_options, sizeof(run_options) / sizeof(run_options[0]), option);
}

const struct perf_word *perf_report_option(const char *option)
{
	return perf_find(report_options, sizeof(report_options) / sizeof(report_options[0]),
			 option);
}

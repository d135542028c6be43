/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cmd_scale.c - the command scale: runs a program with several numbers of threads, and shows
 * how it scales.
 *
 * Each run is a process of the command run.  The runs are interleaved, so that a
 * machine that is slower for a while does not favour one number of threads.
 */
#include "config.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/base/interner.h"
#include "src/base/message.h"
#include "src/base/path.h"
#include "src/base/roomy_stack.h"
#include "src/command_line.h"
#include "src/commands.h"
#include "src/diff/runs.h"
#include "src/diff/scaling.h"
#include "src/diff/side.h"
#include "src/output/outfile.h"
#include "src/output/printable.h"
#include "src/output/runs_formats.h"
#include "src/profile/cpulist.h"
#include "src/run/child.h"
#include "src/run/env.h"
#include "src/run/rerun.h"

#include "src/base/alloc.h"

enum { THREADS_MAX = 64, RUNS_MAX = 1000 };

enum scale_format { SCALE_TEXT, SCALE_JSON, SCALE_CSV };

struct scale_options {
	uint32_t threads[THREADS_MAX]; /* ascending */
	size_t nthreads;
	unsigned runs; /* with each number of threads */
	struct scaling_how how;
	const char *folder;
	const char *table; /* NULL: standard output */
	const char *html;  /* NULL: no page */
	struct outfile out;
	int format; /* enum scale_format */
	bool quiet;
	char **passed; /* options for the command run; NULL-terminated */
	size_t npassed;
	char **command; /* NULL-terminated, the end of argv */
};

static const char help[] =
	"Usage: ompcount scale --threads N[,N...] [OPTION...] [--] COMMAND [ARG...]\n"
	"Runs COMMAND with each number of threads, and shows how the time of it and of its\n"
	"parallel regions falls. Its profiles stay, for ompcount diff.\n"
	"\n"
	"  -t, --threads LIST   numbers of threads (OMP_NUM_THREADS): 1,2,4 or 1-8; with ... at\n"
	"                       its end on to the number of CPUs, as in 1,2,4,...\n"
	"  -r, --runs N         so many runs with each number, interleaved (default 1)\n"
	"  -o, --output FOLDER  where the profiles go: FOLDER/THREADS/RUN.omphwc\n"
	"                       (default: COMMAND.scale)\n"
	"  -e EVENT, -F HZ, -c PERIOD   as those of ompcount run\n"
	"  -f, --format FORMAT  text     for reading (default)\n"
	"                       json     see doc/scale.schema.json\n"
	"                       csv      a row for the run and each region with each number\n"
	"      --html FILE      also write a page for a browser there\n"
	"      --scaling HOW    strong (default), the problem is the same; weak, it grows with\n"
	"                       the threads: in ARGs {threads} is their number,\n"
	"                       {1000*threads} a multiple\n"
	"      --table FILE     write the table there, whole or not at all (default: standard\n"
	"                       output, where COMMAND prints, too)\n"
	"  -q, --quiet          do not report which run it is\n"
	"  -h, --help           show this help\n"
	"\n"
	"A region stops scaling at the first number of threads that gains less than half of\n"
	"what it would ideally. Regions and lines are named whose work, of all threads\n"
	"together, grows from the least to the most threads by more than chance explains.\n"
	"\n"
	"  ompcount scale --threads 1,2,4,8 -r 3 ./app\n";

/* ---- options --------------------------------------------------------- */

/* A number from 1 to most at the beginning of s, which ends at *end; 0: none. */
static unsigned long scale_number(const char *s, unsigned long most, char **end)
{
	unsigned long n;

	*end = NULL;
	if (*s < '0' || *s > '9')
		return 0;
	errno = 0;
	n = strtoul(s, end, 10);
	return errno || n > most ? 0 : n;
}

/* Numbers are kept in order, each once. */
static void add_threads(struct scale_options *o, uint32_t n)
{
	size_t at = 0;

	while (at < o->nthreads && o->threads[at] < n)
		at++;
	if (at < o->nthreads && o->threads[at] == n)
		return;
	memmove(&o->threads[at + 1], &o->threads[at], (o->nthreads - at) * sizeof(*o->threads));
	o->threads[at] = n;
	o->nthreads++;
}

/* The number that follows the last ones, which are doubled, say, or have one distance; 0: none. */
static uint32_t next_number(const struct scale_options *o)
{
	const uint32_t *last = &o->threads[o->nthreads - 1];
	const bool third = o->nthreads > 2;
	const uint32_t ratio = last[0] / last[-1], step = last[0] - last[-1];

	if (last[0] == ratio * last[-1] && (!third || last[-1] == ratio * last[-2]))
		return last[0] * ratio;
	return !third || last[-1] - last[-2] == step ? last[0] + step : 0;
}

static bool continue_numbers(struct scale_options *o)
{
	if (o->nthreads < 2 || !next_number(o))
		return false;
	for (uint32_t n = next_number(o); n <= o->how.cpus && o->nthreads < THREADS_MAX;
	     n = next_number(o))
		add_threads(o, n);
	return true;
}

/* A number, or two with all between them, at *at, which is moved behind it.  False: it is none, or
   there are too many. */
static bool add_range(struct scale_options *o, const char **at)
{
	char *end;
	const unsigned long first = scale_number(*at, 1 << 16, &end);
	const unsigned long last = first && *end == '-' ? scale_number(end + 1, 1 << 16, &end) :
							  first;

	if (!first || last < first || (*end && *end != ','))
		return false;
	for (unsigned long n = first; n <= last; n++) {
		if (o->nthreads == THREADS_MAX)
			return false;
		add_threads(o, (uint32_t)n);
	}
	*at = end;
	return true;
}

static int scale_threads(void *options, const char *value)
{
	struct scale_options *const o = options;

	for (const char *at = value;; at++) {
		/* The dots may be one character. */
		const bool last = !strcmp(at, "...") || !strcmp(at, "\xe2\x80\xa6");

		if (last ? !continue_numbers(o) : !add_range(o, &at))
			return command_line_refused(
				"--threads", value,
				o->nthreads == THREADS_MAX ? "too many numbers" :
							     "not a list of numbers of threads",
				o->nthreads == THREADS_MAX ?
					"give 64 or fewer" :
					"use for example 1,2,4, 1-8 or 1,2,4,...");
		if (last || !*at)
			return 0;
	}
}

static int scale_runs(void *runs, const char *value)
{
	char *end;
	const unsigned long n = scale_number(value, RUNS_MAX, &end);

	if (!n || *end)
		return command_line_refused("--runs", value, "not a number of runs",
					    "give a number from 1 to 1000");
	*(unsigned *)runs = (unsigned)n;
	return 0;
}

/* For the command run. */
static int scale_pass(struct scale_options *o, char *option, const char *value)
{
	o->passed[o->npassed++] = option;
	o->passed[o->npassed++] = (char *)(uintptr_t)value;
	return 0;
}

static int scale_event(void *options, const char *value)
{
	static char option[] = "-e";

	return scale_pass(options, option, value);
}

static int scale_freq(void *options, const char *value)
{
	static char option[] = "-F";

	return scale_pass(options, option, value);
}

static int scale_period(void *options, const char *value)
{
	static char option[] = "-c";

	return scale_pass(options, option, value);
}

/* 0; an exit status; or -1 if help was requested.  o->passed has room. */
static int scale_parse(int argc, char **argv, struct scale_options *o)
{
	static const char *const formats[] = {
		[SCALE_TEXT] = "text", [SCALE_JSON] = "json", [SCALE_CSV] = "csv", NULL
	};
	static const char *const scalings[] = { "strong", "weak", NULL };
#define AT(member) .at = offsetof(struct scale_options, member)
	static const struct command_option options[] = {
		{ "threads", 't', OPTION_SET, .set = scale_threads },
		{ "runs", 'r', OPTION_SET, AT(runs), .set = scale_runs },
		{ "output", 'o', OPTION_TEXT, AT(folder) },
		{ "event", 'e', OPTION_SET, .set = scale_event },
		{ "freq", 'F', OPTION_SET, .set = scale_freq },
		{ "period", 'c', OPTION_SET, .set = scale_period },
		{ "format", 'f', OPTION_WORD, AT(format), .words = formats },
		{ "table", 0, OPTION_TEXT, AT(table) },
		{ "html", 0, OPTION_TEXT, AT(html) },
		{ "scaling", 0, OPTION_EITHER, AT(how.weak), .words = scalings },
		{ "quiet", 'q', OPTION_FLAG, AT(quiet) },
		{ .name = NULL },
	};
	const int status = command_line_parse("scale", options, true, argc, argv, o);

	o->command = argv + optind;
	if (status)
		return status;
	if (!o->nthreads)
		return command_misused("scale", "no numbers of threads given",
				       "use --threads 1,2,4");
	if (!o->command[0])
		return command_misused("scale", "no program to run",
				       "use ompcount scale --threads 1,2,4 COMMAND [ARG...]");
	return 0;
}

/* ---- running --------------------------------------------------------- */

/* Profiles of other runs must not be among these. */
static int make_folders(const struct scale_options *o)
{
	char path[PATH_MAX];

	if (mkdir(o->folder, 0777) && errno != EEXIST)
		return command_line_failed(o->folder, -errno);
	for (size_t i = 0; i < o->nthreads; i++) {
		if (snprintf(path, sizeof(path), "%s/%u", o->folder, o->threads[i]) >=
		    (int)sizeof(path))
			return command_line_failed(o->folder, -ENAMETOOLONG);
		if (!mkdir(path, 0777))
			continue;
		return command_fails(path, strerror(errno),
				     errno == EEXIST ? "remove it, or name another folder with -o" :
						       NULL);
	}
	return 0;
}

static int run_ended(int status, uint32_t threads)
{
	struct trouble t;
	char why[RERUN_WORDS];

	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	trouble(&t, rerun_words(why, status), "no more runs are made", "the run with %u thread%s",
		threads, threads == 1 ? "" : "s");
	message_trouble(&t);
	return WIFEXITED(status) ? WEXITSTATUS(status) : COMMAND_FAILED;
}

/* The end of {threads}, or of {N*threads} with *factor; NULL: s begins with neither. */
static const char *threads_word(const char *s, unsigned long *factor)
{
	char *end;

	*factor = 1;
	if (*s++ != '{')
		return NULL;
	if ((*factor = scale_number(s, 1000000000, &end)) != 0)
		s = *end == '*' ? end + 1 : end;
	else
		*factor = 1;
	return strncmp(s, "threads}", 8) ? NULL : s + 8;
}

/* The argument of a problem that grows; malloc'ed. */
static char *scale_argument(const char *s, uint32_t threads)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = alloc_stream(&text, &bytes);

	while (*s) {
		unsigned long factor;
		const char *end = threads_word(s, &factor);

		if (end)
			fprintf(out, "%lu", factor * threads);
		else
			putc(*s, out);
		s = end ? end : s + 1;
	}
	alloc_stream_end(out);
	return text;
}

static int run_with(const struct scale_options *o, uint32_t threads, unsigned run)
{
	char pattern[PATH_MAX], name[64], text[16];
	struct child child;
	struct env env;
	char **command; /* with so many threads, NULL-terminated */
	size_t n = 0;
	int status, err;

	if (!o->quiet)
		message("%u thread%s, run %u of %u", threads, threads == 1 ? "" : "s", run,
			o->runs);
	snprintf(name, sizeof(name), "%u/%u.omphwc", threads, run);
	snprintf(text, sizeof(text), "%u", threads);
	err = rerun_pattern(pattern, o->folder, name);
	if (err)
		return command_line_failed(o->folder, err);
	env_copy(&env, environ);
	env_set(&env, "OMP_NUM_THREADS", text);
	while (o->command[n])
		n++;
	command = alloc_zeroed(n + 1, sizeof(*command));
	for (size_t i = 0; i < n; i++)
		command[i] = o->how.weak && i ? scale_argument(o->command[i], threads) :
						alloc_text(o->command[i]);
	child_hold(&child);
	err = rerun_profiled(&child, pattern, o->passed, command, env.list, &status);
	child_release(&child);
	for (size_t i = 0; i < n; i++)
		free(command[i]);
	free(command);
	env_free(&env);
	return err ? command_line_failed("scale", err) : run_ended(status, threads);
}

static int run_all(const struct scale_options *o)
{
	int status = make_folders(o);

	for (unsigned run = 1; run <= o->runs && !status; run++)
		for (size_t i = 0; i < o->nthreads && !status; i++)
			status = run_with(o, o->threads[i], run);
	return status;
}

/* ---- showing --------------------------------------------------------- */

/* The side has the names of the runs' profiles. */
static int scale_read(const struct scale_options *o, size_t i, struct interner *strings,
		      struct runs_event *event, struct runs *runs, struct side *side)
{
	const struct runs_options options = { 0 };
	struct trouble t;
	char *path;
	int failed;

	path = alloc_printf("%s/%u", o->folder, o->threads[i]);
	failed = runs_find(runs, path, &t);
	if (!failed)
		side_init(side, strings, runs->listing.nruns);
	if (!failed)
		failed = runs_read(runs, &options, event, side, &t);
	if (failed)
		message_trouble(&t);
	runs->path = NULL;
	free(path);
	return failed ? COMMAND_FAILED : 0;
}

static void scale_page_write(FILE *out, const void *scaling)
{
	runs_page_write(out, scale_page_json_write, scaling);
}

static int scale_write(const struct scale_options *o, const struct side *sides,
		       const struct runs_event *event)
{
	FILE *out = o->out.stream;
	struct scaling s;
	int status = 0;

	scaling_build(&s, o->threads, sides, o->nthreads, event, &o->how);
	if (o->format == SCALE_JSON)
		scale_json_write(out, &s);
	else if (o->format == SCALE_CSV)
		scale_csv_write(out, &s);
	else
		scale_text_write(out, &s);
	if (o->format == SCALE_TEXT && o->nthreads > 1) {
		fputs("\nnext: ompcount diff ", out);
		format_text(out, o->folder, 0);
		fprintf(out, "/%u ", o->threads[0]);
		format_text(out, o->folder, 0);
		fprintf(out, "/%u\n", o->threads[o->nthreads - 1]);
	}
	if (o->html)
		status = command_line_write(o->html, false, scale_page_write, &s);
	scaling_fini(&s);
	return status;
}

static int scale_show(void *options)
{
	const struct scale_options *o = options;
	struct side *sides = alloc_zeroed(o->nthreads, sizeof(*sides));
	struct runs *runs = alloc_zeroed(o->nthreads, sizeof(*runs));
	struct interner strings = { 0 };
	struct runs_event event = { 0 };
	int status = 0;

	for (size_t i = 0; i < o->nthreads && !status; i++)
		status = scale_read(o, i, &strings, &event, &runs[i], &sides[i]);
	if (!status)
		status = scale_write(o, sides, &event);
	for (size_t i = 0; i < o->nthreads; i++) {
		side_fini(&sides[i]);
		runs_fini(&runs[i]);
	}
	interner_free(&strings);
	free(runs);
	free(sides);
	return status;
}

/* Files are opened first: a run may take hours. */
static int scale_all(struct scale_options *o)
{
	const char *name = o->table ? o->table : "standard output";
	int status, err = o->html ? outfile_open(&o->out, o->html) : 0;

	if (err)
		return command_line_unwritten(o->html, err);
	if (o->html)
		outfile_abandon(&o->out);
	err = outfile_open(&o->out, o->table);
	if (err)
		return command_line_unwritten(name, err);
	status = run_all(o);
	if (!status)
		status = roomy_stack_call(scale_show, o);
	if (status) {
		outfile_abandon(&o->out);
		return status;
	}
	err = outfile_commit(&o->out);
	return err ? command_line_failed(name, err) : 0;
}

int cmd_scale(int argc, char **argv)
{
	struct scale_options o = { .runs = 1 };
	struct cpulist mask = { 0 };
	char *folder = NULL;
	int status;

	if (syscall(SYS_sched_getaffinity, 0, sizeof(mask.bits), mask.bits) > 0)
		o.how.cpus = cpulist_count(&mask);
	o.passed = alloc_zeroed(2 * (size_t)argc + 3, sizeof(*o.passed));
	status = scale_parse(argc, argv, &o);
	if (!status && !o.folder)
		o.folder = folder = alloc_printf("%s.scale", path_base(o.command[0]));
	if (!status)
		status = scale_all(&o);
	else if (status < 0)
		status = command_line_help(help);
	free(folder);
	free(o.passed);
	return status;
}

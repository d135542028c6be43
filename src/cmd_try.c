/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cmd_try.c - the command try: runs a program with settings of the environment that may help
 * against what was found in it, and shows what they gain.
 *
 * The first run is profiled; its findings choose the settings.  The others run without the
 * profiler, interleaved, so that a machine that is slower for a while does not favour one.
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
#include <sys/wait.h>
#include <unistd.h>

#include "src/answers/lookup.h"
#include "src/base/message.h"
#include "src/base/path.h"
#include "src/base/roomy_stack.h"
#include "src/chosen.h"
#include "src/command_line.h"
#include "src/commands.h"
#include "src/diff/tried.h"
#include "src/model/profiles.h"
#include "src/names_kept.h"
#include "src/output/finding_words.h"
#include "src/output/outfile.h"
#include "src/output/printable.h"
#include "src/output/runs_formats.h"
#include "src/profile/clock.h"
#include "src/run/child.h"
#include "src/run/env.h"
#include "src/run/rerun.h"
#include "src/run/target.h"
#include "src/tables/judged.h"
#include "src/view/view.h"

#include "src/base/alloc.h"

enum { RUNS = 30, RUNS_MAX = 1000, TRIES_MAX = 10000 };

/* A run that takes so many times as long as the first one, and some more, is ended. */
enum { LATE_TIMES = 3 };
#define LATE_NS UINT64_C(2000000000)

#define SECOND_NS UINT64_C(1000000000)

struct
try {
	size_t runs;	    /* the budget; 0: the time decides */
	uint64_t time_ns;   /* that */
	const char *folder; /* for the profiles of all tries */
	const char *table;  /* NULL: standard output */
	struct outfile out;
	bool json, quiet;
	char **command; /* NULL-terminated, the end of argv */
	struct target target;
	struct child child;
	int64_t input_at;	  /* see rerun_bare() */
	uint64_t first_ns;	  /* elapsed, of the first run with the profiler's start and end */
	char here[PATH_MAX];	  /* the folder of this try */
	struct remedies remedies; /* not of findings any more, once these are gone */
	char *texts[REMEDIES_MOST];
	struct tried tried;
};

static const char help[] =
	"Usage: ompcount try [OPTION...] [--] COMMAND [ARG...]\n"
	"Profiles a run of COMMAND, and tries what may help against its findings and needs no\n"
	"edit: settings of the environment. Each is run without the profiler, interleaved with\n"
	"COMMAND as it is; shown are what each gains, and the line for the job script.\n"
	"\n"
	"  -b, --budget N       make at most so many runs after the first (default 30);\n"
	"                       or as many as fit into a time: 90s, 10m, 2h\n"
	"  -o, --output FOLDER  where the first run's profiles go: FOLDER/1, or the next number\n"
	"                       (default: COMMAND.try)\n"
	"  -f, --format FORMAT  text     for reading (default)\n"
	"                       json     see doc/try.schema.json\n"
	"      --table FILE     write the table there, whole or not at all (default: standard\n"
	"                       output, where the first run prints, too)\n"
	"  -q, --quiet          do not report which runs are made\n"
	"  -h, --help           show this help\n"
	"\n"
	"Only the first run's output is shown. All runs must do the same, and end with status 0.\n"
	"\n"
	"  ompcount try --budget 10m ./app\n";

/* ---- options --------------------------------------------------------- */

static int try_budget(void *options, const char *value)
{
	struct try *const t = options;
	static const struct {
		char unit;
		uint64_t ns;
	} units[] = { { 's', SECOND_NS }, { 'm', 60 * SECOND_NS }, { 'h', 3600 * SECOND_NS } };
	const size_t digits = strspn(value, "0123456789");
	const unsigned long n = digits && digits < 6 ? strtoul(value, NULL, 10) : 0;

	t->runs = 0;
	t->time_ns = 0;
	if (!value[digits] && n <= RUNS_MAX)
		t->runs = n;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (value[digits] == units[i].unit && !value[digits + 1])
			t->time_ns = n * units[i].ns;
	if (t->runs || t->time_ns)
		return 0;
	return command_line_refused("--budget", value, "neither a number of runs nor a time",
				    "give for example 30 (at most 1000), 90s or 10m");
}

/* 0; an exit status; or -1 if help was requested. */
static int try_parse(int argc, char **argv, struct try *t)
{
#define AT(member) .at = offsetof(struct try, member)
	static const struct command_option options[] = {
		{ "budget", 'b', OPTION_SET, .set = try_budget },
		{ "output", 'o', OPTION_TEXT, AT(folder) },
		{ "format", 'f', OPTION_EITHER, AT(json), .words = command_line_formats },
		{ "table", 0, OPTION_TEXT, AT(table) },
		{ "quiet", 'q', OPTION_FLAG, AT(quiet) },
		{ .name = NULL },
	};
	int status = command_line_parse("try", options, true, argc, argv, t);

	t->command = argv + optind;
	if (!status && !t->command[0])
		status = command_misused("try", "no program to run",
					 "use ompcount try COMMAND [ARG...]");
	return status;
}

/* ---- the first run --------------------------------------------------- */

/* A folder of its own, so that what is read is this run. */
static int try_make_folder(struct try *t)
{
	if (mkdir(t->folder, 0777) && errno != EEXIST)
		return command_line_failed(t->folder, -errno);
	for (unsigned i = 1; i <= TRIES_MAX; i++) {
		if (snprintf(t->here, sizeof(t->here), "%s/%u", t->folder, i) >=
		    (int)sizeof(t->here))
			return command_line_failed(t->folder, -ENAMETOOLONG);
		if (!mkdir(t->here, 0777))
			return 0;
		if (errno != EEXIST)
			return command_line_failed(t->here, -errno);
	}
	return command_line_failed(t->folder, -EEXIST);
}

/* Fills in the status of waitpid(). What takes time is stored in the profiles later. */
static int first_run(struct try *t, int *wait_status)
{
	static char no_names[] = "--no-names";
	char *const options[] = { no_names, NULL };
	const uint64_t begin = clock_ns(CLOCK_MONOTONIC);
	char pattern[PATH_MAX], why[RERUN_WORDS];
	int err = rerun_pattern(pattern, t->here, "%c.%h-%p.omphwc");

	if (!err)
		err = rerun_profiled(&t->child, pattern, options, t->command, environ, wait_status);
	if (err)
		return command_line_failed("try", err);
	t->first_ns = clock_ns(CLOCK_MONOTONIC) - begin;
	if (*wait_status == 0 && !t->child.asked)
		return 0;
	message_parts("the first run",
		      *wait_status ? rerun_words(why, *wait_status) : "it was interrupted",
		      "nothing is tried");
	return WIFEXITED(*wait_status) && *wait_status ? WEXITSTATUS(*wait_status) : COMMAND_FAILED;
}

/* ---- what to try ----------------------------------------------------- */

/* Chooses the settings to try by the profiles' findings, of which it keeps what is wanted. */
static void choose_remedies(struct try *t, const struct model *m, const struct resolver *resolver)
{
	const struct view_options options = { .kind = VIEW_USER, .resolver = resolver };
	struct view *v = view_build(m, &options);
	struct judged judged;

	judged_build(v, &judged);
	t->tried.profiled_ns = judged.losses.elapsed_ns;
	t->tried.unknown = judged.losses.unknown;
	remedies_find(v, &judged.placement, &judged.findings, prof_variable_here, &t->remedies);
	for (size_t i = 0; i < t->remedies.n; i++) {
		const struct finding *f = t->remedies.all[i].finding;
		struct tried_side *side = &t->tried.sides[i + 1];
		struct finding_words w;

		finding_words(v, f, &w);
		t->texts[i] = alloc_text(w.what);
		finding_words_fini(&w);
		side->settings = t->remedies.all[i].settings;
		side->finding = t->texts[i];
		side->key = finding_key(f->rule);
	}
	t->tried.n = t->remedies.n + 1;
	judged_fini(&judged);
	view_free(v);
}

static int read_first(void *arg)
{
	struct try *t = arg;
	char *words[] = { t->here };
	struct profiles p;
	struct profiles_error e;
	struct chosen chosen;
	struct lookup lookup;
	int status = chosen_runs(&chosen, "try", words, 1);

	if (!status)
		names_kept(chosen.paths, chosen.n, NULL, true, UINT64_MAX);
	profiles_init(&p);
	for (size_t i = 0; i < chosen.n && !status; i++)
		if (profiles_add(&p, chosen.paths[i], &e))
			status = command_fails(e.path, e.why, e.todo);
	if (!status) {
		lookup_open(&lookup, NULL);
		choose_remedies(t, &p.model, &lookup.resolver);
		lookup_close(&lookup);
	}
	profiles_fini(&p);
	chosen_fini(&chosen);
	return status;
}

/* ---- the other runs -------------------------------------------------- */

/* Of the budget; says how many runs there will be. 0 or an exit status. */
static int plan(struct try *t)
{
	struct tried *tried = &t->tried;
	const uint64_t fit = t->time_ns / (t->first_ns ? t->first_ns : 1);
	const size_t runs = t->time_ns ? (fit < RUNS_MAX ? (size_t)fit : RUNS_MAX) : t->runs;
	const size_t n = tried->n;
	char why[96];

	tried->n = tried_fit(n, runs, &tried->rounds);
	tried->left_out = n - tried->n;
	if (n > 1 && tried->n < 2) {
		snprintf(why, sizeof(why), "%zu runs of about %s have room in it, %zu are needed",
			 runs, format_amount(t->first_ns, PROF_UNIT_NS).s, tried_least());
		return command_fails("the budget", why, "give more by --budget");
	}
	if (n > 1 && !t->quiet)
		message("%zu setting%s to try, in %zu runs of about %s each: %s", tried->n - 1,
			tried->n == 2 ? "" : "s", tried->rounds * tried->n,
			format_amount(t->first_ns, PROF_UNIT_NS).s,
			format_amount(tried->rounds * tried->n * t->first_ns, PROF_UNIT_NS).s);
	for (size_t i = tried->n; i < n; i++)
		message_parts(tried->sides[i].settings, "not tried: the budget has no room for it",
			      NULL);
	return 0;
}

static void run_side(struct try *t, struct tried_side *s)
{
	const uint64_t limit = LATE_TIMES * t->first_ns + LATE_NS;
	struct env env;
	int status = 0, err = 0;

	env_copy(&env, environ);

	/* The environment of a run with "NAME=VALUE NAME=VALUE". */
	char copy[REMEDY_BYTES], *rest = copy, *setting;

	snprintf(copy, sizeof(copy), "%s", s->settings);
	while (*s->settings && (setting = strsep(&rest, " "))) {
		const char *name = strsep(&setting, "=");

		env_set(&env, name, setting);
	}
	err = rerun_bare(&t->child, &t->target, t->command, env.list, t->input_at, limit, &status);
	env_free(&env);
	t->tried.interrupted = t->child.asked;
	if (err)
		snprintf(s->refused, sizeof(s->refused), "not run: %s", strerror(-err));
	else if (t->child.asked)
		return;
	else if (t->child.late)
		snprintf(s->refused, sizeof(s->refused), "refused: it ran for more than %.0f s",
			 (double)limit / 1e9);
	else if (status)
		rerun_words(s->refused + sprintf(s->refused, "refused: "), status);
	else
		s->ns[s->nruns++] = t->child.ran_ns;
}

static int other_runs(struct try *t)
{
	const uint64_t end_ns = clock_ns(CLOCK_MONOTONIC) + t->time_ns;
	struct tried *tried = &t->tried;
	const struct tried_side *base = &tried->sides[0];

	for (size_t i = 0; i < tried->rounds && tried->n > 1; i++) {
		uint64_t round = 0;

		for (size_t k = 0; k < tried->n && i; k++)
			if (tried->sides[k].nruns)
				round += tried->sides[k].ns[tried->sides[k].nruns - 1];
		if ((t->time_ns && clock_ns(CLOCK_MONOTONIC) + round > end_ns) ||
		    base->refused[0] || tried->interrupted)
			break;
		if (!t->quiet)
			message("round %zu of %zu", i + 1, tried->rounds);

		/* Each round in the other order, so that none always runs behind the same. */
		for (size_t k = 0; k < tried->n && !tried->interrupted; k++) {
			struct tried_side *s = &tried->sides[i % 2 ? tried->n - 1 - k : k];

			if (!s->refused[0] && !tried->sides[0].refused[0])
				run_side(t, s);
		}
	}
	if (!base->refused[0])
		return 0;
	return command_fails("a run without the profiler", base->refused, "nothing is concluded");
}

/* ---- all of it ------------------------------------------------------- */

/* The file is opened first: a run may take hours. Signals are held: an interrupt ends the run, and
   what is known is shown. */
static int try_all(struct try *t, int *wait_status)
{
	const char *name = t->table ? t->table : "standard output";
	struct trouble trouble;
	struct stat st;
	int status = target_find(&t->target, t->command[0], &trouble), err;

	if (status) {
		message_trouble(&trouble);
		return status;
	}
	err = outfile_open(&t->out, t->table);
	if (err)
		return command_line_unwritten(name, err);
	/* Where the standard input of all runs begins; -1: see rerun_bare(). */
	t->input_at = !fstat(STDIN_FILENO, &st) && S_ISREG(st.st_mode) ?
			      lseek(STDIN_FILENO, 0, SEEK_CUR) :
			      -1;
	status = try_make_folder(t);
	child_hold(&t->child);
	if (!status)
		status = first_run(t, wait_status);
	if (!status)
		status = roomy_stack_call(read_first, t);
	if (!status)
		status = plan(t);
	if (!status)
		status = other_runs(t);
	if (!status) {
		tried_judge(&t->tried);
		t->tried.folder = t->here;
		if (t->json)
			try_json_write(t->out.stream, &t->tried);
		else
			try_text_write(t->out.stream, &t->tried);
	}
	if (status)
		outfile_abandon(&t->out);
	else if ((err = outfile_commit(&t->out)) != 0)
		status = command_line_failed(name, err);
	child_release(&t->child);
	return status;
}

int cmd_try(int argc, char **argv)
{
	static struct try t = { .runs = RUNS, .tried.n = 1 };
	int wait_status = 0, status = try_parse(argc, argv, &t);
	char *folder = NULL;

	if (status)
		return status < 0 ? command_line_help(help) : status;
	if (!t.folder)
		folder = alloc_printf("%s.try", path_base(t.command[0]));
	if (folder)
		t.folder = folder;
	t.tried.sides[0].settings = t.tried.sides[0].finding = "";
	status = try_all(&t, &wait_status);
	for (size_t i = 0; i < REMEDIES_MOST; i++)
		free(t.texts[i]);
	free(folder);
	if (WIFSIGNALED(wait_status))
		return child_end_as(wait_status);
	return t.tried.interrupted && !status ? child_end_as(t.tried.interrupted) : status;
}

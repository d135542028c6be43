/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cmd_run.c - the command run: starts a program under the profiler, passes on its exit
 * status, and prints the summary.
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/base/alloc.h"
#include "src/base/map.h"
#include "src/base/message.h"
#include "src/base/page.h"
#include "src/base/roomy_stack.h"
#include "src/command_line.h"
#include "src/commands.h"
#include "src/model/profiles.h"
#include "src/model/run_of.h"
#include "src/names_kept.h"
#include "src/output/text/summary.h"
#include "src/profile/clock.h"
#include "src/profile/manifest.h"
#include "src/profile/starter.h"
#include "src/run/aside.h"
#include "src/run/child.h"
#include "src/run/gather.h"
#include "src/run/paths.h"
#include "src/run/session.h"
#include "src/run/tidy.h"
#include "src/symbols/symbols_debuginfod.h"

/* The end of a run does not wait for large files, nor long for the names of other ranks. */
enum { RUN_DEBUGINFOD_S = 10, RUN_NAMES_S = 20 };

static const char help_text[] =
	"Usage: ompcount [run|record|stat] [OPTION…] [--] COMMAND [ARG…]\n"
	"\n"
	"Runs COMMAND as it would run without, profiles its threads, and prints a summary\n"
	"to standard error (record: only where the profile is). Its profile goes to\n"
	"COMMAND.HOST-PID.omphwc in this folder. stat is run --count.\n"
	"\n"
	"  -e EVENT[,EVENT…]  what to sample: cycles (default), instructions, cache-misses,\n"
	"                     page-faults, cpu-clock, wall, rNNN, libpfm4's names, …;\n"
	"                     ompcount list shows what this machine has\n"
	"  --count[=EVENT,…]  read counters where regions, tasks and waits begin and end.\n"
	"                     Alone it counts -e's events (cycles,instructions) in the place of\n"
	"                     sampling them; with events, -e's, if any, are sampled as well\n"
	"  --count-min USEC   where reading takes a system call: distinguish no shorter times\n"
	"                     (default: a hundred times what a reading costs)\n"
	"  -F HZ              samples a second and thread (default 997)\n"
	"  -c PERIOD          instead of -F: events from one sample to the next\n"
	"  -o FILE            the profile's name; %c command, %h host, %p process, %r MPI rank,\n"
	"                     %j job, %a array task, %s step, %t time, %{NAME} a variable, …;\n"
	"                     a missing folder is made. In a batch job the default is a folder\n"
	"                     for each step of it\n"
	"  --delivery HOW     how samples reach a thread: auto (default), signal, sigtrap\n"
	"  --heap-min BYTES   where samples have addresses (page faults, :p): note what allocated\n"
	"                     blocks of the heap of at least so many bytes (default 4096; none)\n"
	"  --strict           refuse to start if an event can't be counted here\n"
	"  --entries          count and time critical and ordered sections, locks, barriers,\n"
	"                     taskwaits and taskgroups: each time they are entered\n"
	"  --dependences      keep which tasks depend on which, and their longest path\n"
	"  --blame            charge the time that threads wait to the code that they wait for\n"
	"  --timeline         keep when samples were taken, and each region's longest entry\n"
	"  --trace[=SIZE]     also every begin and end of regions, tasks, worksharing constructs\n"
	"                     and waits: each thread's last ones, in SIZE bytes (default 1M)\n"
	"  --paused           take no samples until the program calls omp_control_tool\n"
	"  --delay SECONDS    take no samples until the program has run for so long\n"
	"  --duration SECONDS take none when so long was sampled; the program runs on\n"
	"  --spool DIR        write the profile below DIR on this node, and copy it; auto\n"
	"                     (default): where it goes to a network's file system, below\n"
	"                     SLURM_TMPDIR, TMPDIR or /dev/shm; no\n"
	"  --spool-interval S from one copy to the next while COMMAND runs (default 600 seconds)\n"
	"  --no-names         do not store the names of functions in the profile at the end\n"
	"  -q, --quiet        no summary, no notes: errors only\n"
	"  -v, --verbose      report what is done\n"
	"  -h, --help         show this help\n"
	"-e, -F, -c and -o are also called --event, --freq, --period and --output.\n"
	"\n"
	"Ends with COMMAND's exit status, or by its signal; 127 if it is not found, 126 if\n"
	"it can't be started, 2 for a mistake on the command line, 1 for another failure.\n";

/* Where the program was to start ranks. */
static const char *why_no_ranks(const struct session *s, const char **name)
{
	if (prof_is_submitter(s->target.path))
		return "it only submits a job: put ompcount into the job's script, before the "
		       "program or its launcher";
	if (!s->ranks_unprofiled)
		return "no rank that it started loaded libomphwc.so: if they ran, put ompcount "
		       "before their program instead";
	*name = s->ranks_program.path;
	return s->ranks_unprofiled;
}

static void say_failure(const char *what, int err, const char *todo)
{
	if (err == ESTALE)
		message_parts(what, "another program wrote into it while it was in use", todo);
	else
		message_parts(what, strerror(err), todo);
}

/* An ompcount within this one profiled its program itself. */
static void say_other_profiled(const struct session *s, const struct tidy_failure *failure)
{
	if (!s->silent)
		message_parts(failure->path, "written by an ompcount that this one started",
			      "one ompcount is enough");
}

static void say_nothing_profiled(const struct session *s, size_t claimed,
				 const struct tidy_failure *failure)
{
	const char *name = s->options.command[0];
	const char *why = "no program that it started loaded libomphwc.so";

	if (failure->err == EALREADY) {
		say_other_profiled(s, failure);
		return;
	}
	if (failure->err != 0) {
		char what[sizeof(failure->path) + 32];

		snprintf(what, sizeof(what), "nothing was profiled: %s", failure->path);
		say_failure(what, failure->err, "name another with -o");
		return;
	}
	if (claimed)
		why = "its profile is gone";
	else if (s->unprofiled[0])
		why = s->unprofiled;
	else if (s->starts_ranks)
		why = why_no_ranks(s, &name);
	else if (s->target.kind == TARGET_DYNAMIC)
		why = "it ended before libomphwc.so was ready, or cleared its environment";
	message_parts("nothing was profiled", name, why);
}

/* Prints the summary of the n existing profiles; claimed is the number of all that were
   announced. */
static void run_report(const struct session *s, const struct summary_options *options, char **paths,
		       size_t claimed, size_t n, const struct tidy_failure *failure)
{
	if (n == 0 && !s->announced.manifest[0])
		return;
	if (n == 0 && !s->destination.unusable)
		say_nothing_profiled(s, claimed, failure);
	else if (failure->err == EALREADY)
		say_other_profiled(s, failure);
	else if (failure->err != 0)
		say_failure(failure->path, failure->err,
			    "this profile could not be made, others were");
	if (n != 0 && !s->silent)
		summary_print(stderr, options, paths, n);
	fflush(stderr);
}

/* How many ranks have a profile, and how many there were, as far as profiles show. */
static void say_missing_ranks(const struct session *s, char **paths, size_t n)
{
	struct map ranks = { 0 };
	size_t size = 0, found;
	struct trouble t;

	for (size_t i = 0; i < n; i++) {
		struct profiles_error e;
		struct prof_file *f;
		uint32_t number;

		if (profiles_head(paths[i], &f, &e) != 0)
			continue;
		const struct run_of o = run_of(f);

		if (o.rank >= 0)
			map_add(&ranks, (uint64_t)o.rank, 0, 1, &number);
		if (o.size > 0 && (size_t)o.size > size)
			size = (size_t)o.size;
		prof_free(f);
	}
	found = ranks.count;
	map_free(&ranks);
	if (found == 0 || found >= size)
		return;
	trouble(&t, "the launcher may not hand its environment on to other nodes", NULL,
		"%zu of %zu ranks have no profile", size - found, size);
	snprintf(t.todo, sizeof(t.todo), "use %.100s ... ompcount PROGRAM", s->options.command[0]);
	message_trouble(&t);
}

/* What is left to do when the program has ended. */
struct ending {
	struct session *s;
	struct child *child;
	struct summary_options look;
	/* Of conclude() */
	char **paths;
	size_t claimed, n;
	struct tidy_failure failure;
};

static int run_end(void *arg)
{
	const struct ending *e = arg;

	if (!e->s->options.no_names) {
		/* Of several ranks on a node the last one stores the names in the profiles of
		   all, since it reads each object's debug information once. What takes too long
		   is left to the reports. */
		size_t n, added = 0;
		char **paths;

		while (added < e->n && node_add_path(&e->s->node, e->paths[added]) == 0)
			added++;
		if (added < e->n)
			names_kept(e->paths + added, e->n - added, NULL, true, UINT64_MAX);
		paths = node_leave(&e->s->node, &n);
		if (n != 0)
			names_kept(paths, n, NULL, true,
				   clock_ns(CLOCK_MONOTONIC) + RUN_NAMES_S * UINT64_C(1000000000));
		paths_free(paths, n);
	}
	run_report(e->s, &e->look, e->paths, e->claimed, e->n, &e->failure);
	if (e->s->starts_ranks && !e->s->silent)
		say_missing_ranks(e->s, e->paths, e->n);
	return 0;
}

static bool run_save(void *arg)
{
	return spool_copy(arg);
}

/* The command that copies what stays: the folder may not be where it looks by itself, then. */
static void name_collect(const struct spool *s, char *todo, size_t bytes, const char *when)
{
	int n = (int)strlen(s->root);

	for (int up = 0; up < 2; up++)
		while (n > 1 && s->root[--n] != '/')
			;
	snprintf(todo, bytes, "ompcount collect %.*s%s", n, s->root, when);
}

/* Copies what was written in the spool, and makes paths those of the copies.  How many paths are
   left: copies on a server that does not answer are not among them. */
static size_t unspool(struct spool *s, char **paths, size_t n)
{
	struct spool_result r;
	char to[PATH_MAX];
	size_t kept = 0;
	char what[PATH_MAX + 64], todo[PATH_MAX + 64];

	spool_copy_last(s, true, &r);
	if (r.err != 0) {
		snprintf(what, sizeof(what), "the profile stays below %s", s->root);
		if (r.path[0])
			snprintf(what, sizeof(what), "%.*s stays below %.*s", PATH_MAX / 2, r.path,
				 PATH_MAX / 2, s->root);
		name_collect(s, todo, sizeof(todo), "");
		message_parts(what, r.err == ETIMEDOUT ? "no answer" : strerror(r.err), todo);
	} else if (r.running != 0) {
		name_collect(s, todo, sizeof(todo), " when it has ended");
		message_parts(s->root, "a process still writes its profile", todo);
	}
	for (size_t i = 0; i < n; i++) {
		char *path = paths[i];

		if (access(path, F_OK) != 0 && spool_copied_to(s, path, to)) {
			free(path);
			path = r.err == ETIMEDOUT ? NULL : alloc_text(to);
		}
		if (path)
			paths[kept++] = path;
	}
	spool_close(s);
	return kept;
}

static void conclude(void *arg)
{
	struct ending *e = arg;
	struct session *s = e->s;
	const char *id = env_get(&s->env, "OMPHWC_RUN_ID"), *manifest = getenv("OMPHWC_MANIFEST");

	e->paths = announced_profiles(&s->announced, &e->claimed);
	spool_profiles(&s->spool, &e->paths, &e->claimed);
	/* There may be profiles that were not announced, as of a container's processes.  Of many
	   ranks none reads the files of all. */
	if (s->starts_ranks ||
	    (e->claimed == 0 ? !s->unprofiled[0] : prof_launch_is_alone(&s->launch)))
		gather_profiles(&e->paths, &e->claimed, s->destination.pattern, id, s->begun_ns);
	e->n = tidy_profiles(e->paths, e->claimed, s->starts_ranks, id, &e->failure);
	/* Also spools that the program's processes made. */
	for (size_t i = 0, before; i < e->n; i += e->n == before) {
		struct spool other;

		before = e->n;
		if (spool_of(&other, e->paths[i]))
			e->n = unspool(&other, e->paths, e->n);
	}
	if (s->spool.root[0])
		e->n = unspool(&s->spool, e->paths, e->n);
	announced_close(&s->announced);
	child_release(e->child);
	symbols_debuginfod_allow(RUN_DEBUGINFOD_S);
	/* The ompcount that started this one has no profile of the program. */
	if (e->n != 0 && manifest)
		prof_manifest_fail(manifest, e->paths[0], EALREADY);
	roomy_stack_call(run_end, e);
	paths_free(e->paths, e->n);
	session_leave(s, e->n != 0);
}

/* Where profiles go to a server, that may not answer. */
static void conclude_aside(struct ending *e)
{
	struct session *s = e->s;
	const int kept[] = { s->spool.root[0] ? s->spool.lock : -1, s->announced.fd,
			     s->node.path[0] ? s->node.fd : -1 };

	spool_settle(&s->spool);
	if (!aside_run(conclude, e, kept, sizeof(kept) / sizeof(kept[0])))
		message_parts(s->destination.pattern, "no answer",
			      "ompcount collect, and ompcount report");
	session_forget(s);
}

/* Waits for the program, and does what is left to do then. */
static int run_ended(struct session *s, struct child *child)
{
	static struct ending e;
	struct winsize terminal = { 0 };
	int wait_status;

	/* As the caller's standard error can show it; all 0 where there is no terminal. */
	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &terminal) != 0)
		terminal = (struct winsize){ 0 };
	e = (struct ending){
		.s = s,
		.child = child,
		.look.columns = terminal.ws_col,
		.look.rows = terminal.ws_row,
		.look.colour = page_colours(STDERR_FILENO),
		.look.brief = s->options.verb == RUN_RECORD,
	};
	wait_status = child_wait(child);
	/* The program's profile can't have its signal. */
	if (WIFSIGNALED(wait_status) && !s->silent) {
		const int number = WTERMSIG(wait_status);
		char why[96];

		snprintf(why, sizeof(why), "ended by signal %d, %s", number, strsignal(number));
		message_parts(s->options.command[0], why, NULL);
	}
	if (s->elsewhere)
		conclude_aside(&e);
	else
		conclude(&e);
	return wait_status;
}

/* Runs the program; signals are blocked outside child_wait(). */
static int run_run(struct session *s)
{
	struct child child;
	int status, wait_status = 0, err = 0;

	child_hold(&child);
	status = session_check(s);
	if (status == 0)
		status = session_prepare(s);
	if (status == 0) {
		child.save = s->spool.root[0] ? run_save : NULL;
		child.save_arg = &s->spool;
		child.save_every_ns = s->options.spool_interval_s * UINT64_C(1000000000);
		err = child_start_target(&child, &s->target, s->options.command, s->env.list);
	}
	if (status == 0 && err == 0)
		wait_status = run_ended(s, &child);
	child_release(&child);
	if (status)
		return status;
	if (err) {
		const char *name = s->options.command[0];

		if (err == ENOENT && s->target.interp[0])
			message_parts(name, "the program that it needs to run is missing",
				      s->target.interp);
		else if (err == ENOEXEC)
			message_parts(name, "is not a program that this machine can run",
				      "check how it was built");
		else
			message_parts(name, strerror(err), NULL);
		return err == ENOENT ? TARGET_NOT_FOUND : TARGET_NOT_STARTED;
	}
	return child_end_as(wait_status);
}

static int run_as(enum run_verb verb, int argc, char **argv)
{
	static struct session s; /* static, because its paths are large for a stack */
	struct trouble t;
	int status;

	if (run_options_parse(&s.options, verb, argc, argv, &t) != 0) {
		message_trouble(&t);
		status = COMMAND_MISUSED;
	} else if (s.options.help) {
		status = command_line_help(help_text);
	} else {
		status = run_run(&s);
	}
	session_end(&s);
	return status;
}

int cmd_run(int argc, char **argv)
{
	return run_as(RUN_RUN, argc, argv);
}

int cmd_record(int argc, char **argv)
{
	return run_as(RUN_RECORD, argc, argv);
}

int cmd_stat(int argc, char **argv)
{
	return run_as(RUN_STAT, argc, argv);
}

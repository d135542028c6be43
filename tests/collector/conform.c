/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * conform.c - whether this process's producer of the Collector API does what the interface
 * says.
 *
 * conform [GROUP…]: runs these groups of checks, or all. The last line counts the checks; the
 * exit status is 0 where all have passed, 1 where one failed, 2 where there is no producer.
 *
 * CONFORM_SECONDS=N: a group that takes longer (than 60 s by default) hangs, and is ended.
 * CONFORM_QUICK=1: fewer samples are taken, and fewer instructions trapped.
 */
#include "tests/collector/conform.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Shared with the groups' processes. */
static struct counts {
	atomic_uint passed, failed, notes;
} * counts;

static const struct group {
	const char *name;
	void (*run)(void);
} groups[] = {
	{ "sequence", group_sequence }, { "batch", group_batch },   { "memory", group_memory },
	{ "register", group_register }, { "states", group_states }, { "threads", group_threads },
	{ "order", group_order },	{ "ids", group_ids },	    { "nested", group_nested },
	{ "pairs", group_pairs },	{ "pause", group_pause },   { "stop", group_stop },
	{ "restless", group_restless }, { "early", group_early },   { "late", group_late },
	{ "inside", group_inside },	{ "beside", group_beside }, { "child", group_child },
	{ "tasks", group_tasks },	{ "alone", group_alone },   { "cancel", group_cancel },
	{ "signals", group_signals },	{ "steps", group_steps },
};
enum { GROUPS = sizeof(groups) / sizeof(groups[0]) };
static const char *group_name;
static int seconds_a_group = 60;

/* ---- checks ----------------------------------------------------------- */

/* One write: lines of several threads don't mix. */
static void say(const char *kind, const char *what, const char *why)
{
	char line[512];

	snprintf(line, sizeof(line), "%s: %s: %s%s%s\n", kind, group_name, what, *why ? ": " : "",
		 why);
	fputs(line, stdout);
	fflush(stdout);
}

bool expect(bool passed, const char *what, const char *why, ...)
{
	char text[256] = "";
	va_list args;

	va_start(args, why);
	if (!passed)
		vsnprintf(text, sizeof(text), why, args);
	va_end(args);
	atomic_fetch_add(passed ? &counts->passed : &counts->failed, 1);
	say(passed ? "PASS" : "FAIL", what, text);
	return passed;
}

bool expect_equal(const char *what, uint64_t is, uint64_t should_be)
{
	return expect(is == should_be, what, "%#llx, not %#llx", (unsigned long long)is,
		      (unsigned long long)should_be);
}

bool expect_code(const char *what, int is, int should_be)
{
	return expect(is == should_be, what, "%s, not %s", code_name(is), code_name(should_be));
}

void note(const char *what, ...)
{
	char text[256];
	va_list args;

	va_start(args, what);
	vsnprintf(text, sizeof(text), what, args);
	va_end(args);
	atomic_fetch_add(&counts->notes, 1);
	say("note", text, "");
}

/* ---- names ------------------------------------------------------------ */

static const char *name_of(const char *const *names, int number, int i)
{
	static _Thread_local char other[4][24];
	static _Thread_local unsigned next;
	char *text;

	if (i >= 0 && i < number && names[i])
		return names[i];
	text = other[next++ % 4];
	snprintf(text, sizeof(other[0]), "%d", i);
	return text;
}

const char *code_name(int code)
{
	static const char *const names[] = { "OK",	    "ERROR",	    "UNKNOWN",
					     "UNSUPPORTED", "SEQUENCE_ERR", "OBSOLETE",
					     "THREAD_ERR",  "MEM_TOO_SMALL" };

	return name_of(names, OMP_ERRCODE_LAST, code);
}

const char *state_name(int state)
{
	static const char *const names[] = { NULL,     "OVHD",	"WORK", "IBAR", "EBAR", "IDLE",
					     "SERIAL", "REDUC", "LKWT", "CTWT", "ODWT", "ATWT" };

	return name_of(names, THR_LAST_STATE, state);
}

const char *event_name(int event)
{
	static const char *const names[] = {
		NULL,		"FORK",	      "JOIN",	      "BEGIN_IDLE", "END_IDLE",
		"BEGIN_IBAR",	"END_IBAR",   "BEGIN_EBAR",   "END_EBAR",   "BEGIN_LKWT",
		"END_LKWT",	"BEGIN_CTWT", "END_CTWT",     "BEGIN_ODWT", "END_ODWT",
		"BEGIN_MASTER", "END_MASTER", "BEGIN_SINGLE", "END_SINGLE", "BEGIN_ORDERED",
		"END_ORDERED",	"BEGIN_ATWT", "END_ATWT"
	};

	return name_of(names, EVENTS, event);
}

int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000) + t.tv_nsec / 1000000;
}

void sleep_ms(int ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000L };

	while (nanosleep(&t, &t) != 0 && errno == EINTR)
		;
}

/* ---- groups ----------------------------------------------------------- */

/* Waits for the process, or ends it when it takes too long: 0, or how it ended. */
static const char *outlive(pid_t child)
{
	const int64_t deadline = now_ms() + seconds_a_group * 1000;
	static char text[64];
	int status;

	while (waitpid(child, &status, WNOHANG) == 0) {
		if (now_ms() > deadline) {
			kill(child, SIGKILL);
			waitpid(child, &status, 0);
			snprintf(text, sizeof(text), "hangs (%d s)", seconds_a_group);
			return text;
		}
		sleep_ms(5);
	}
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return NULL;
	if (WIFSIGNALED(status))
		snprintf(text, sizeof(text), "ended by signal %d", WTERMSIG(status));
	else
		snprintf(text, sizeof(text), "exit status %d", WEXITSTATUS(status));
	return text;
}

static void run(const struct group *g)
{
	const char *why;
	pid_t child;

	group_name = g->name;
	child = fork();
	if (child == 0) {
		g->run();
		exit(0);
	}
	why = child < 0 ? "no process" : outlive(child);
	expect(!why, "runs to its end", "%s", why ? why : "");
}

static bool is_chosen(const char *name, char **chosen)
{
	if (!*chosen)
		return true;
	while (*chosen && strcmp(*chosen, name))
		chosen++;
	return *chosen;
}

int main(int argc, char **argv)
{
	unsigned ran = 0;
	int i;

	(void)argc;
	if (getenv("CONFORM_SECONDS"))
		seconds_a_group = atoi(getenv("CONFORM_SECONDS"));
	if (getenv(CONFORM_EARLY))
		return early_main();
	if (!api_find()) {
		fprintf(stderr, "conform: there is no " OMP_COLLECTOR_API " in this process\n");
		return 2;
	}
	counts = mmap(NULL, sizeof(*counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (counts == MAP_FAILED) {
		perror("conform: mmap");
		return 2;
	}
	for (i = 0; i < GROUPS; i++) {
		if (is_chosen(groups[i].name, argv + 1)) {
			run(&groups[i]);
			ran++;
		}
	}
	printf("%u checks passed, %u failed, %u notes, in %u groups\n", counts->passed,
	       counts->failed, counts->notes, ran);
	return counts->failed || !ran;
}

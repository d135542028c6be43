/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_faults.c - the tool under an OpenMP runtime with every fault that a runtime was
 * seen to have, and more: the tool survives, and attributes what can be attributed.
 *
 * Samples are taken where a script says, not by a timer.  Each sample's user view (the
 * functions of this program on its path, through creation contexts) is compared with the
 * known one.
 */
#include "config.h"

#include <check.h>
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ompt_tool/sample/handler.h"
#include "ompt_tool/sample/thread.h"
#include "ompt_tool/tool/tool.h"
#include "tests/support/mock_runtime.h"
#include "tests/support/suite_main.h"
#include "tests/support/writer_fixture.h"

/* Its name can be found by dladdr(). */
#define NAMED __attribute__((noinline, visibility("default")))

ompt_start_tool_result_t *ompt_start_tool(unsigned int version, const char *runtime);

/* ---- the application -------------------------------------------------------- */

static volatile int sink;

/* In each function anew: every construct has its own call, as compiled code's have;
   a context is known by it. */
static inline __attribute__((always_inline)) void play(const struct mock_step *s)
{
	for (; s->op != MOCK_END; s++) {
		if (s->op == MOCK_SAMPLE) {
			raise(SIGUSR2);
		} else if (s->op == MOCK_CALL) {
			s->in(s->inner);
		} else if (s->op == MOCK_PARALLEL) {
			mock_do(s);
			__asm__ volatile("# parallel");
		} else if (s->op == MOCK_TASK) {
			mock_do(s);
			__asm__ volatile("# task");
		} else {
			mock_do(s);
		}
	}
}

#define FUNCTION(name) \
	void name(const struct mock_step *s); \
	NAMED void name(const struct mock_step *s) \
	{ \
		play(s); \
		sink++; \
	}

FUNCTION(app)
FUNCTION(solve)
FUNCTION(other)
FUNCTION(body)
FUNCTION(inner_body)
FUNCTION(task)
FUNCTION(task_of_task)

static const char *const functions[] = {
	"app", "solve", "other", "body", "inner_body", "task", "task_of_task",
};

/* ---- samples -------------------------------------------------------------------- */

static _Atomic int taken, unknown;

static void on_sample(int signo, siginfo_t *info, void *ucontext)
{
	struct thread *t = thread_self;

	(void)signo;
	(void)info;
	if (t == NULL || t->omp.record == NULL) {
		unknown++;
		return;
	}
	taken++;
	t->omp.record->samples[0]++;
	handler_sample(t, &(struct handler_event){ .weight = 1 }, ucontext);
}

static void sampler(void)
{
	raise(SIGUSR2);
}

static void setup(void)
{
	struct sigaction act = { .sa_flags = SA_SIGINFO };

	writer_setup();
	setenv("OMPHWC_OUTPUT", profile, 1);
	setenv("OMPHWC_EVENTS", "cpu-clock", 1);
	setenv("OMPHWC_PAUSED", "1", 1);
	act.sa_sigaction = on_sample;
	sigfillset(&act.sa_mask);
	sigaction(SIGUSR2, &act, NULL);
	mock_sampler = sampler;
	ck_assert_int_eq(mock_initialize(ompt_start_tool), 1);
}

/* ---- what the profile says of them ------------------------------------------------ */

enum { LINES = 2000, LINE = 256 };

static char lines[LINES][LINE];
static int nlines;

static bool is_frame(const struct prof_rnode *n)
{
	return n->kind == PROF_NODE_FRAME;
}

/* The program's function at a frame, or NULL for a runtime's, a library's, or one
   without a name. */
static const char *function_of(const struct prof_file *f, const struct prof_rnode *n)
{
	const struct prof_rmodule *m = prof_module_by_id(f, PROF_LOC_MODULE(n->a));
	uintptr_t pc = PROF_LOC_ADDRESS(n->a) + (m != NULL ? m->bias : 0);
	Dl_info info;

	if (m == NULL || (m->flags & PROF_MODULE_MAIN) == 0 || (n->flags & PROF_FRAME_RUNTIME) != 0)
		return NULL;
	if ((n->flags & PROF_FRAME_EXACT) == 0)
		pc--;
	if (dladdr((void *)pc, &info) == 0 || info.dli_sname == NULL)
		return NULL;
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++)
		if (strcmp(functions[i], info.dli_sname) == 0)
			return functions[i];
	return NULL;
}

static void prepend(char *line, const char *name)
{
	char rest[LINE];

	snprintf(rest, sizeof(rest), "%s", line);
	snprintf(line, LINE, "%s%s%.200s", name, *rest != '\0' ? ";" : "", rest);
}

/* "app;solve;body STATE".  A frame above a boundary and below it is one: that which
   encountered the region, and in which a serialized one's body runs. */
static void user_view(const struct prof_file *f, const struct prof_rnode *leaf, char *line)
{
	uint32_t at = leaf->parent;
	const char *last = NULL;
	bool behind = false;
	int steps = 0;

	line[0] = '\0';
	while (at != PROF_NONE) {
		const struct prof_rnode *n = &f->nodes[at];
		const char *name = is_frame(n) ? function_of(f, n) : NULL;

		ck_assert_int_lt(steps++, 100000);
		if (name != NULL && !(behind && name == last) && strlen(line) < LINE - 50)
			prepend(line, name);
		if (name != NULL) {
			last = name;
			behind = false;
		}
		if (n->kind == PROF_NODE_BOUNDARY) {
			behind = true;
			at = n->context;
		} else {
			at = n->parent;
		}
	}
	size_t used = strlen(line);
	snprintf(line + used, LINE - used, " %u", leaf->state);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* One line a sample, in order; kept while the tool lives. */
static const struct prof_file *look(void)
{
	const struct prof_file *f = read_back();
	uint64_t kept = 0;

	nlines = 0;
	for (size_t i = 0; i < f->nnodes; i++) {
		const struct prof_rnode *n = &f->nodes[i];

		if (n->kind != PROF_NODE_LEAF)
			continue;
		kept += n->a;
		for (uint64_t k = 0; k < n->a && nlines < LINES; k++)
			user_view(f, n, lines[nlines++]);
	}
	qsort(lines, (size_t)nlines, LINE, by_text);
	ck_assert_uint_eq(kept, (unsigned)taken);
	return f;
}

/* Exactly these samples: texts ended by NULL, in order. */
static void expect(const char *const *expected)
{
	int i = 0;

	look();
	for (; expected[i] != NULL && i < nlines; i++)
		ck_assert_str_eq(lines[i], expected[i]);
	ck_assert_msg(expected[i] == NULL, "no %s", expected[i]);
	ck_assert_msg(i == nlines, "and %s", lines[i]);
}

#define EXPECT(...) expect((const char *const[]){ __VA_ARGS__, NULL })
#define SCRIPT(...) \
	(const struct mock_step[]) \
	{ \
		__VA_ARGS__, \
		{ \
			.op = MOCK_END \
		} \
	}
#define SAMPLE \
	{ \
		.op = MOCK_SAMPLE \
	}
#define CALL(f, ...) \
	{ \
		.op = MOCK_CALL, .in = f, .inner = SCRIPT(__VA_ARGS__) \
	}
#define PARALLEL(k, what, f, ...) \
	{ \
		.op = MOCK_PARALLEL, .n = k, .faults = what, .in = f, .inner = SCRIPT(__VA_ARGS__) \
	}
#define TASK(now, what, f, ...) \
	{ \
		.op = MOCK_TASK, .n = now, .faults = what, .in = f, .inner = SCRIPT(__VA_ARGS__) \
	}
#define DO(what) \
	{ \
		.op = what \
	}

/* States as the file has them. */
#define SERIAL " 1"
#define WORKING " 2"
#define IDLING " 4"
#define BUSY " 5"
#define JOINING " 7"

/* ---- nothing wrong ------------------------------------------------------------------ */

START_TEST(a_region)
{
	app(SCRIPT(SAMPLE, CALL(solve, PARALLEL(3, FAULT_JOIN_SAMPLE, body, SAMPLE), SAMPLE),
		   DO(MOCK_IDLE)));
	EXPECT(IDLING, IDLING, "app" SERIAL, "app;solve" SERIAL, "app;solve" JOINING,
	       "app;solve" JOINING, "app;solve" JOINING, "app;solve;body" WORKING,
	       "app;solve;body" WORKING, "app;solve;body" WORKING);
}
END_TEST

START_TEST(a_region_by_two_ways)
{
	app(SCRIPT(CALL(solve, PARALLEL(2, 0, body, SAMPLE)),
		   CALL(other, PARALLEL(2, 0, body, SAMPLE)),
		   CALL(solve, PARALLEL(2, 0, body, SAMPLE))));
	EXPECT("app;other;body" WORKING, "app;other;body" WORKING, "app;solve;body" WORKING,
	       "app;solve;body" WORKING, "app;solve;body" WORKING, "app;solve;body" WORKING);
}
END_TEST

/* Below a task frames that recur are one; the same frames are not, when the task has ended. */
START_TEST(a_recursion_around_a_task)
{
	app(SCRIPT(CALL(solve, CALL(solve, CALL(solve, TASK(1, 0, task, SAMPLE), SAMPLE)))));
	EXPECT("app;solve;solve;solve" SERIAL, "app;solve;solve;solve;task" SERIAL);
}
END_TEST

/* New threads have no task at all yet, others that of a region that is over. */
START_TEST(workers_on_their_way_into_a_region)
{
	app(SCRIPT(CALL(solve, PARALLEL(2, FAULT_FORK_SAMPLE, body, DO(MOCK_TASKWAIT))),
		   CALL(other, PARALLEL(3, FAULT_FORK_SAMPLE, body, DO(MOCK_TASKWAIT)))));
	EXPECT("app;other" BUSY, "app;other" BUSY, "app;solve" BUSY);
}
END_TEST

/* The team's data may be of a region that is over, too. */
START_TEST(workers_on_their_way_to_nowhere)
{
	app(SCRIPT(CALL(solve, PARALLEL(2, 0, body, DO(MOCK_TASKWAIT))),
		   CALL(other,
			PARALLEL(2, FAULT_FORK_SAMPLE | FAULT_NO_BEGIN, body, DO(MOCK_TASKWAIT)))));
	EXPECT(BUSY);
}
END_TEST

START_TEST(nested_in_one_thread)
{
	app(SCRIPT(CALL(solve,
			PARALLEL(1, 0, body, SAMPLE, PARALLEL(1, 0, inner_body, SAMPLE), SAMPLE))));
	EXPECT("app;solve;body" WORKING, "app;solve;body" WORKING,
	       "app;solve;body;inner_body" WORKING);
}
END_TEST

START_TEST(tasks)
{
	app(SCRIPT(CALL(solve, PARALLEL(1, 0, body,
					TASK(0, 0, task, SAMPLE, TASK(0, 0, task_of_task, SAMPLE)),
					TASK(1, 0, task, SAMPLE), DO(MOCK_TASKWAIT)))));
	EXPECT("app;solve;body;task" WORKING, "app;solve;body;task" WORKING,
	       "app;solve;body;task;task_of_task" WORKING);
}
END_TEST

/* A league's teams begin with initial tasks; each has a region within. */
START_TEST(a_league)
{
	app(SCRIPT(CALL(solve,
			PARALLEL(2, FAULT_LEAGUE, body, SAMPLE,
				 PARALLEL(1, 0, inner_body, SAMPLE, TASK(1, 0, task, SAMPLE))),
			SAMPLE)));
	EXPECT("app;solve" SERIAL, "app;solve;body" WORKING, "app;solve;body" WORKING,
	       "app;solve;body;inner_body" WORKING, "app;solve;body;inner_body" WORKING,
	       "app;solve;body;inner_body;task" WORKING, "app;solve;body;inner_body;task" WORKING);
}
END_TEST

START_TEST(a_serialized_region)
{
	app(SCRIPT(CALL(solve, DO(MOCK_SERIAL_BEGIN), SAMPLE,
			CALL(other, SAMPLE, PARALLEL(1, 0, body, SAMPLE)), DO(MOCK_SERIAL_END),
			SAMPLE)));
	EXPECT("app;solve" SERIAL, "app;solve" WORKING, "app;solve;other" WORKING,
	       "app;solve;other;body" WORKING);
}
END_TEST

/* ---- places -------------------------------------------------------------------------- */

START_TEST(calls_that_are_not_told)
{
	app(SCRIPT(CALL(solve, PARALLEL(2, FAULT_NO_CALL, body, SAMPLE)),
		   CALL(other, PARALLEL(2, FAULT_CALL_INSIDE, body, SAMPLE,
					TASK(1, FAULT_NO_CALL, task, SAMPLE)))));
	EXPECT("app;other;body" WORKING, "app;other;body" WORKING, "app;other;body;task" WORKING,
	       "app;other;body;task" WORKING, "app;solve;body" WORKING, "app;solve;body" WORKING);
}
END_TEST

/* Pointers of all kinds.  What they lead to is said by the table. */
static void *weird(int i)
{
	static char elsewhere[64];
	char *hole = mmap(NULL, 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *here = __builtin_frame_address(0);
	uintptr_t hi = thread_self->own.hi, lo = thread_self->own.lo;
	void *const values[] = {
		NULL,
		(void *)1,
		(void *)8,
		here,
		here + 1,
		here + 4,
		here - 64,
		here - 100000,
		here + 8,
		elsewhere,
		elsewhere + 3,
		hole,
		hole + 4095,
		(void *)lo,
		(void *)(lo - 8),
		(void *)hi,
		(void *)(hi - 1),
		(void *)(hi - 8),
		(void *)(hi - 16),
		(void *)(hi + 8),
		(void *)UINTPTR_MAX,
		(void *)(UINTPTR_MAX - 15),
		(void *)(UINTPTR_MAX / 2),
	};

	return values[i % (int)(sizeof(values) / sizeof(*values))];
}

enum { WEIRD = 23 };

START_TEST(enter_frames_of_all_kinds)
{
	for (int i = 0; i < 3 * WEIRD; i++) {
		mock_weird = weird(i);
		app(SCRIPT(CALL(solve, PARALLEL(2, FAULT_WEIRD_ENTER, body, SAMPLE,
						TASK(1, FAULT_WEIRD_ENTER, task, SAMPLE)))));
	}
	/* The way in shows it just as well. */
	look();
	ck_assert_int_eq(nlines, 4 * 3 * WEIRD);
	for (int i = 0; i < nlines; i++)
		ck_assert(strncmp(lines[i], "app;solve;body", 14) == 0);
}
END_TEST

/* As libomp gives those of a task with dependences: they are of the call that created it. */
START_TEST(enter_frames_of_a_tasks_creator)
{
	for (int i = 0; i < 3 * WEIRD; i++) {
		mock_weird = weird(i);
		app(SCRIPT(
			CALL(solve, PARALLEL(2, 0, body,
					     TASK(0, 0, task,
						  TASK(1, FAULT_WEIRD_ENTER, task_of_task, SAMPLE),
						  SAMPLE),
					     CALL(other, DO(MOCK_TASKWAIT))))));
	}
	look();
	ck_assert_int_eq(nlines, 4 * 3 * WEIRD);
	for (int i = 0; i < nlines; i++)
		ck_assert_str_eq(lines[i], i < nlines / 2 ?
						   "app;solve;body;task" WORKING :
						   "app;solve;body;task;task_of_task" WORKING);
}
END_TEST

START_TEST(exit_frames_of_all_kinds)
{
	for (int i = 0; i < 3 * WEIRD; i++) {
		mock_weird = weird(i);
		app(SCRIPT(
			CALL(solve, PARALLEL(2, FAULT_WEIRD_EXIT | FAULT_JOIN_SAMPLE, body, SAMPLE,
					     TASK(1, 0, task, SAMPLE),
					     PARALLEL(1, FAULT_WEIRD_EXIT, inner_body, SAMPLE)))));
	}
	look();
	ck_assert_int_eq(nlines, 8 * 3 * WEIRD);
}
END_TEST

/* ---- events that don't come, or not then ------------------------------------------------ */

START_TEST(ends_that_never_come)
{
	for (int i = 0; i < 3 * REGION_POOL; i++)
		app(SCRIPT(CALL(solve, PARALLEL(2, FAULT_NO_END, body, SAMPLE))));
	look();
	ck_assert_int_eq(nlines, 6 * REGION_POOL);
	for (int i = 0; i < nlines; i++)
		ck_assert_str_eq(lines[i], "app;solve;body" WORKING);
}
END_TEST

START_TEST(ends_on_another_thread)
{
	app(SCRIPT(CALL(solve, PARALLEL(2, FAULT_END_ELSEWHERE, body, SAMPLE)), DO(MOCK_IDLE),
		   SAMPLE));
	EXPECT(IDLING, "app" SERIAL, "app;solve;body" WORKING, "app;solve;body" WORKING);
}
END_TEST

START_TEST(ends_that_come_late_and_twice)
{
	app(SCRIPT(CALL(solve, PARALLEL(2, FAULT_LATE, body, SAMPLE)),
		   CALL(other, PARALLEL(2, FAULT_END_TWICE, body, SAMPLE),
			PARALLEL(2, FAULT_LATE, inner_body, SAMPLE)),
		   DO(MOCK_END_LOST), DO(MOCK_IDLE), DO(MOCK_END_LOST)));
	EXPECT(IDLING, "app;other;body" WORKING, "app;other;body" WORKING,
	       "app;other;inner_body" WORKING, "app;other;inner_body" WORKING,
	       "app;solve;body" WORKING, "app;solve;body" WORKING);
}
END_TEST

/* The region's own data serve where the implicit task's are empty. */
START_TEST(implicit_tasks_that_don_t_begin)
{
	app(SCRIPT(CALL(solve, PARALLEL(3, FAULT_NO_IMPLICIT, body, SAMPLE))));
	EXPECT("app;solve;body" WORKING, "app;solve;body" WORKING, "app;solve;body" WORKING);
}
END_TEST

START_TEST(beginnings_that_don_t_come)
{
	app(SCRIPT(CALL(solve,
			PARALLEL(2, FAULT_NO_BEGIN, body, SAMPLE,
				 TASK(1, FAULT_NO_BEGIN, task, SAMPLE)),
			SAMPLE)));
	look();
	ck_assert_int_eq(nlines, 5);
	ck_assert_str_eq(lines[0], "app;solve" SERIAL);
}
END_TEST

START_TEST(workers_that_are_not_told_of)
{
	app(SCRIPT(
		CALL(solve, PARALLEL(3, FAULT_NO_THREAD, body, SAMPLE, TASK(1, 0, task, SAMPLE)))));
	int known = 0, before = 0;

	/* OpenMP's by what they do at the latest: here, by creating a task.  Before, they are
	   threads of the program's. */
	look();
	ck_assert_int_eq(unknown, 0);
	ck_assert_int_eq(nlines, 6);
	for (int i = 0; i < nlines; i++) {
		known += strcmp(lines[i], "app;solve;body;task" WORKING) == 0;
		before += strcmp(lines[i], "body 0") == 0;
	}
	ck_assert_int_eq(known, 3);
	ck_assert_int_eq(before, 2);
}
END_TEST

START_TEST(workers_that_end_without_a_word)
{
	for (int i = 0; i < 5; i++)
		app(SCRIPT(CALL(solve, PARALLEL(4, FAULT_WORKERS_END, body, SAMPLE))));
	look();
	ck_assert_int_eq(nlines, 20);
	for (int i = 0; i < nlines; i++)
		ck_assert_str_eq(lines[i], "app;solve;body" WORKING);
}
END_TEST

static void nest(int depth, unsigned faults)
{
	const struct mock_step *inner = SCRIPT(SAMPLE);
	struct mock_step *all = calloc((size_t)depth * 2 + 2, sizeof(*all));

	for (int i = 0; i < depth; i++) {
		struct mock_step *s = &all[i * 2];

		*s = (struct mock_step){ .op = MOCK_PARALLEL,
					 .n = 1,
					 .faults = faults,
					 .in = i % 2 != depth % 2 ? body : inner_body,
					 .inner = inner };
		inner = s;
	}
	solve(inner);
	free(all);
}

/* More than fit in the memory that each thread has. */
enum { DEEP = 5 * REGION_POOL };

static uint64_t region_entries(const struct prof_file *f)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < f->nnodes; i++)
		if (f->nodes[i].kind == PROF_NODE_STATS && f->nodes[i].flags == PROF_STATS_REGION)
			sum += f->nodes[i].a;
	return sum;
}

START_TEST(nested_deep)
{
	nest(DEEP, 0);
	ck_assert_uint_eq(region_entries(look()), DEEP);
	ck_assert_int_eq(nlines, 1);
	ck_assert_ptr_null(strstr(lines[0], "task"));
	ck_assert(strncmp(lines[0], "solve;body;inner_body;body;", 27) == 0);
	/* And up again. */
	app(SCRIPT(CALL(solve, PARALLEL(2, 0, body, SAMPLE))));
	look();
	ck_assert_str_eq(lines[0], "app;solve;body" WORKING);
	ck_assert_str_eq(lines[1], "app;solve;body" WORKING);
}
END_TEST

START_TEST(nested_deeper_without_ends)
{
	nest(DEEP, FAULT_NO_END);
	app(SCRIPT(CALL(solve, PARALLEL(2, 0, body, SAMPLE))));
	look();
	ck_assert_int_eq(nlines, 3);
	ck_assert_str_eq(lines[0], "app;solve;body" WORKING);
}
END_TEST

/* ---- data ---------------------------------------------------------------------------------- */

START_TEST(null_pointers)
{
	app(SCRIPT(CALL(solve, PARALLEL(2, FAULT_NULL_DATA, body, SAMPLE,
					TASK(1, FAULT_NULL_DATA, task, SAMPLE))),
		   CALL(other, PARALLEL(2, FAULT_NO_FRAME, body, SAMPLE,
					TASK(1, FAULT_NO_FRAME, task, SAMPLE)))));
	look();
	ck_assert_int_eq(nlines, 8);
}
END_TEST

START_TEST(data_of_regions_that_are_gone)
{
	uint64_t x = 88172645463325252u;

	for (int i = 0; i < 300; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		mock_stale = i < 4 ? (uint64_t)i : i % 3 == 0 ? (uint64_t)(uintptr_t)&x : x;
		app(SCRIPT(
			CALL(solve, PARALLEL(2, FAULT_STALE | FAULT_JOIN_SAMPLE, body, SAMPLE))));
	}
	look();
	ck_assert_int_eq(taken, 1200);
}
END_TEST

START_TEST(states_of_all_kinds)
{
	static const int states[] = { -1,   INT32_MIN, INT32_MAX, 3,	  0x17,
				      0x45, 0x102,     0x103,	  0x7fff, 0x100 };

	for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++)
		app(SCRIPT({ .op = MOCK_STATE, .n = states[i] }, SAMPLE,
			   PARALLEL(2, 0, body, { .op = MOCK_STATE, .n = states[i] }, SAMPLE)));
	look();
	ck_assert_int_eq(nlines, 30);
}
END_TEST

START_TEST(constructs_without_end_or_beginning)
{
	static const int kinds[] = { 1, 2, 3, 4, 0, 99, 255 };

	for (int i = 0; i < 100; i++) {
		int k = kinds[i % 7];

		app(SCRIPT(CALL(solve, PARALLEL(2, 0, body,
						{ .op = MOCK_WORK,
						  .n = k,
						  .faults = i % 5 == 0 ? FAULT_NO_CALL : 0 },
						SAMPLE,
						{ .op = MOCK_WORK,
						  .n = kinds[(i + 1) % 7] | MOCK_WORK_END,
						  .faults = i % 7 == 0 ? FAULT_NULL_DATA : 0 }))));
	}
	look();
	ck_assert_int_eq(nlines, 200);
	for (int i = 0; i < nlines; i++)
		ck_assert_str_eq(lines[i], "app;solve;body" WORKING);
}
END_TEST

/* ---- life ------------------------------------------------------------------------------------ */

START_TEST(finalized_and_initialized_again)
{
	for (int i = 0; i < 5; i++) {
		app(SCRIPT(CALL(solve, PARALLEL(2, 0, body, SAMPLE))));
		mock_finalize();
		app(SCRIPT(CALL(other, PARALLEL(2, 0, body, SAMPLE))));
		ck_assert_int_eq(mock_initialize(ompt_start_tool), 1);
	}
	look();
	ck_assert_int_eq(nlines, 20);
	int whole = 0;
	for (int i = 0; i < nlines; i++)
		whole += strcmp(lines[i], "app;solve;body" WORKING) == 0;
	ck_assert_int_eq(whole, 10);
}
END_TEST

/* A runtime that goes before the program does is told of, once. */
START_TEST(finalized_too_early)
{
	const struct prof_file *f;
	int notes = 0;

	mock_finalize();
	app(SCRIPT(CALL(solve, PARALLEL(2, 0, body, SAMPLE))));
	ck_assert_int_eq(mock_initialize(ompt_start_tool), 1);
	mock_finalize();
	f = look();
	for (size_t i = 0; i < f->ntexts; i++)
		notes += f->texts[i].kind == PROF_INFO_NOTE &&
			 strstr(f->texts[i].text, "was shut down while the program ran") != NULL;
	ck_assert_int_eq(notes, 1);
}
END_TEST

/* The runtime goes away and comes back in the middle of a region; its data stay. */
START_TEST(a_hard_pause_within_a_region)
{
	for (int i = 0; i < 3 * REGION_POOL; i++)
		app(SCRIPT(CALL(solve, PARALLEL(1, 0, body, SAMPLE, DO(MOCK_PAUSE), SAMPLE),
				PARALLEL(2, 0, inner_body, SAMPLE))));
	look();
	ck_assert_int_eq(nlines, 12 * REGION_POOL);
	int whole = 0;
	for (int i = 0; i < nlines; i++)
		whole += strcmp(lines[i], "app;solve;inner_body" WORKING) == 0;
	ck_assert_int_eq(whole, 6 * REGION_POOL);
}
END_TEST

START_TEST(on_a_thread_with_a_small_stack)
{
	pthread_attr_t attr;
	pthread_t t;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 32768);
	ck_assert_int_eq(pthread_create(&t, &attr, (void *(*)(void *))(uintptr_t)app,
					(void *)(uintptr_t)SCRIPT(SAMPLE)),
			 0);
	pthread_join(t, NULL);
	ck_assert_int_eq(unknown, 0);
	look();
}
END_TEST

static void add(TCase *c)
{
	tcase_add_test(c, a_region);
	tcase_add_test(c, a_region_by_two_ways);
	tcase_add_test(c, a_recursion_around_a_task);
	tcase_add_test(c, workers_on_their_way_into_a_region);
	tcase_add_test(c, workers_on_their_way_to_nowhere);
	tcase_add_test(c, nested_in_one_thread);
	tcase_add_test(c, tasks);
	tcase_add_test(c, a_league);
	tcase_add_test(c, a_serialized_region);
	tcase_add_test(c, calls_that_are_not_told);
	tcase_add_test(c, enter_frames_of_all_kinds);
	tcase_add_test(c, enter_frames_of_a_tasks_creator);
	tcase_add_test(c, exit_frames_of_all_kinds);
	tcase_add_test(c, ends_that_never_come);
	tcase_add_test(c, ends_on_another_thread);
	tcase_add_test(c, ends_that_come_late_and_twice);
	tcase_add_test(c, implicit_tasks_that_don_t_begin);
	tcase_add_test(c, beginnings_that_don_t_come);
	tcase_add_test(c, workers_that_are_not_told_of);
	tcase_add_test(c, workers_that_end_without_a_word);
	tcase_add_test(c, nested_deep);
	tcase_add_test(c, nested_deeper_without_ends);
	tcase_add_test(c, null_pointers);
	tcase_add_test(c, data_of_regions_that_are_gone);
	tcase_add_test(c, states_of_all_kinds);
	tcase_add_test(c, constructs_without_end_or_beginning);
	tcase_add_test(c, finalized_and_initialized_again);
	tcase_add_test(c, finalized_too_early);
	tcase_add_test(c, a_hard_pause_within_a_region);
	tcase_add_test(c, on_a_thread_with_a_small_stack);
}

int main(void)
{
	Suite *s = suite_create("runtime's faults");
	TCase *c = tcase_create("faults");

	tcase_add_checked_fixture(c, setup, writer_teardown);
	tcase_set_timeout(c, 60);
	add(c);
	suite_add_tcase(s, c);
	return suite_main(s);
}

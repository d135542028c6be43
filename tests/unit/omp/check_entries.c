/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_entries.c - entries of synchronization constructs, reported correctly or not by an
 * OpenMP runtime: counted exactly, and timed if their end is reported.
 */
#include "config.h"

#include <check.h>
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ompt_tool/machine/ticks.h"
#include "ompt_tool/omp/entries.h"
#include "ompt_tool/sample/thread.h"
#include "tests/support/mock_runtime.h"
#include "tests/support/suite_main.h"
#include "tests/support/writer_fixture.h"

/* Its name can be found by dladdr(). */
#define NAMED __attribute__((noinline, visibility("default")))

ompt_start_tool_result_t *ompt_start_tool(unsigned int version, const char *runtime);

/* ---- the application -------------------------------------------------------- */

static volatile int sink;

static void stay(void)
{
	const struct timespec ms = { 0, 1000000 };

	nanosleep(&ms, NULL);
}

/* In each function anew: a call for itself. */
static inline __attribute__((always_inline)) void play(const struct mock_step *s)
{
	for (; s->op != MOCK_END; s++) {
		if (s->op == MOCK_CALL) {
			s->in(s->inner);
			__asm__ volatile("# call");
		} else if (s->op == MOCK_SAMPLE) {
			stay();
		} else {
			mock_do(s);
			__asm__ volatile("# do");
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
FUNCTION(task)

enum { LOCKS = 40 };
static char locks[LOCKS];

static uint64_t lock(int i)
{
	return (uint64_t)(uintptr_t)&locks[i];
}

#define SCRIPT(...) \
	(const struct mock_step[]) \
	{ \
		__VA_ARGS__, \
		{ \
			.op = MOCK_END \
		} \
	}
#define STAY \
	{ \
		.op = MOCK_SAMPLE \
	}
#define CALL(f, ...) \
	{ \
		.op = MOCK_CALL, .in = f, .inner = SCRIPT(__VA_ARGS__) \
	}
#define PARALLEL(k, f, ...) \
	{ \
		.op = MOCK_PARALLEL, .n = k, .in = f, .inner = SCRIPT(__VA_ARGS__) \
	}
#define TASK(now, f, ...) \
	{ \
		.op = MOCK_TASK, .n = now, .in = f, .inner = SCRIPT(__VA_ARGS__) \
	}
#define GET(what, which) \
	{ \
		.op = MOCK_ACQUIRED, .n = ompt_mutex_##what, .object = which \
	}
#define GIVE(what, which) \
	{ \
		.op = MOCK_RELEASED, .n = ompt_mutex_##what, .object = which \
	}
#define AGAIN(which) \
	{ \
		.op = MOCK_NEST, .object = which \
	}
#define BACK(which) \
	{ \
		.op = MOCK_NEST, .n = 1, .object = which \
	}
#define BEGIN(what) \
	{ \
		.op = MOCK_SYNC, .n = ompt_sync_region_##what \
	}
#define END(what) \
	{ \
		.op = MOCK_SYNC, .n = ompt_sync_region_##what | MOCK_WORK_END \
	}

static void setup(void)
{
	writer_setup();
	setenv("OMPHWC_OUTPUT", profile, 1);
	setenv("OMPHWC_EVENTS", "cpu-clock", 1);
	setenv("OMPHWC_PAUSED", "1", 1);
	setenv("OMPHWC_ENTRIES", "1", 1);
	ck_assert_int_eq(mock_initialize(ompt_start_tool), 1);
}

/* ---- what the profile says -------------------------------------------------- */

struct sums {
	uint64_t entries, ticks, ended, longest;
	uint64_t low, high;
	unsigned places;
};

/* Whether a location lies in that function of ours; NULL: any. */
static bool is_in(const struct prof_file *f, uint64_t loc, const char *function)
{
	const struct prof_rmodule *m = prof_module_by_id(f, PROF_LOC_MODULE(loc));
	uintptr_t pc = PROF_LOC_ADDRESS(loc) + (m != NULL ? m->bias : 0);
	Dl_info info;

	if (function == NULL)
		return true;
	return dladdr((void *)(pc - 1), &info) != 0 && info.dli_sname != NULL &&
	       strcmp(info.dli_sname, function) == 0;
}

static struct sums sums_of(enum prof_construct_kind kind, const char *function)
{
	const struct prof_file *f = read_back();
	struct sums s = { 0 };

	for (size_t i = 0; i < f->nnodes; i++) {
		const struct prof_rnode *n = &f->nodes[i], *at;

		if (n->kind != PROF_NODE_STATS)
			continue;
		at = &f->nodes[n->parent];
		if (at->kind != PROF_NODE_CONSTRUCT || at->flags != (uint8_t)kind ||
		    !is_in(f, at->a, function))
			continue;
		if (n->flags == PROF_STATS_CONSTRUCT) {
			s.entries += n->a;
			s.ticks += n->b;
			s.places++;
		} else if (n->flags == PROF_STATS_END) {
			s.ended += n->a;
			s.longest = n->b > s.longest ? n->b : s.longest;
		} else if (n->flags == PROF_STATS_OBJECT) {
			s.low = n->a;
			s.high = n->b;
		}
	}
	return s;
}

static uint64_t lost(void)
{
	const struct prof_file *f = read_back();
	uint64_t n = 0;

	for (size_t i = 0; i < f->nthreads; i++)
		n += f->threads[i].t.lost[PROF_LOST_ENTRIES];
	return n;
}

/* So many entries, so many of them with an end. */
static struct sums expect(enum prof_construct_kind kind, const char *function, unsigned entries,
			  unsigned ended)
{
	struct sums s = sums_of(kind, function);

	ck_assert_uint_eq(s.entries, entries);
	ck_assert_uint_eq(s.ended, ended);
	ck_assert_uint_le(s.longest, s.ticks);
	ck_assert(ended == 0 ? s.ticks == 0 : s.ticks >= s.longest);
	return s;
}

/* ---- nothing wrong ---------------------------------------------------------- */

START_TEST(each_kind)
{
	app(SCRIPT(PARALLEL(2, body, CALL(solve, GET(critical, 1), STAY, GIVE(critical, 1)),
			    CALL(other, GET(critical, 2), GIVE(critical, 2), GET(critical, 1),
				 GIVE(critical, 1)),
			    GET(ordered, 3), STAY, GIVE(ordered, 3), GET(atomic, 4),
			    GIVE(atomic, 4), GET(test_lock, 5), GIVE(lock, 5),
			    BEGIN(barrier_explicit), STAY, END(barrier_explicit),
			    BEGIN(barrier_implementation), END(barrier_implementation),
			    BEGIN(taskwait), END(taskwait), BEGIN(taskgroup), END(taskgroup),
			    { .op = MOCK_DEPEND }, BEGIN(barrier_implicit), END(barrier_implicit),
			    BEGIN(reduction), END(reduction))));
	struct sums critical = expect(PROF_CONSTRUCT_CRITICAL, "solve", 2, 2);

	expect(PROF_CONSTRUCT_CRITICAL, "other", 4, 4);
	ck_assert_uint_gt(critical.ticks, sums_of(PROF_CONSTRUCT_CRITICAL, "other").ticks);
	expect(PROF_CONSTRUCT_ORDERED, "body", 2, 2);
	expect(PROF_CONSTRUCT_ATOMIC, "body", 2, 2);
	expect(PROF_CONSTRUCT_LOCK, "body", 2, 2);
	expect(PROF_CONSTRUCT_BARRIER, "body", 2, 2);
	expect(PROF_CONSTRUCT_BARRIER_ANY, "body", 2, 2);
	expect(PROF_CONSTRUCT_TASKWAIT, "body", 4, 2);
	expect(PROF_CONSTRUCT_TASKGROUP, "body", 2, 2);
	ck_assert_uint_eq(lost(), 0);
}
END_TEST

START_TEST(outside_of_regions)
{
	app(SCRIPT(CALL(solve, GET(critical, 1), GIVE(critical, 1)), BEGIN(taskwait),
		   END(taskwait)));
	expect(PROF_CONSTRUCT_CRITICAL, "solve", 1, 1);
	expect(PROF_CONSTRUCT_TASKWAIT, "app", 1, 1);
}
END_TEST

/* In whatever context, a call is one place of each thread. */
START_TEST(one_place_in_several_contexts)
{
	for (int i = 0; i < 3; i++) {
		app(SCRIPT(CALL(solve, GET(critical, 1), GIVE(critical, 1)),
			   PARALLEL(1, body, CALL(solve, GET(critical, 1), GIVE(critical, 1)),
				    TASK(1, task,
					 CALL(solve, GET(critical, 1), GIVE(critical, 1))))));
	}
	ck_assert_uint_eq(expect(PROF_CONSTRUCT_CRITICAL, "solve", 9, 9).places, 1);
}
END_TEST

START_TEST(hand_over_hand)
{
	app(SCRIPT(CALL(solve, GET(lock, lock(0)), STAY), CALL(other, GET(lock, lock(1))),
		   CALL(solve, GIVE(lock, lock(0)), GET(lock, lock(2))),
		   CALL(other, GIVE(lock, lock(1)), STAY), CALL(solve, GIVE(lock, lock(2)))));
	expect(PROF_CONSTRUCT_LOCK, "solve", 2, 2);
	struct sums second = expect(PROF_CONSTRUCT_LOCK, "other", 1, 1);

	ck_assert_uint_lt(second.ticks, sums_of(PROF_CONSTRUCT_LOCK, "solve").ticks);
}
END_TEST

START_TEST(nested_locks)
{
	app(SCRIPT(CALL(solve, GET(nest_lock, lock(0))), STAY,
		   CALL(other, AGAIN(lock(0)), AGAIN(lock(0)), BACK(lock(0)), BACK(lock(0)),
			AGAIN(lock(0)), BACK(lock(0))),
		   CALL(solve, GIVE(nest_lock, lock(0)))));
	struct sums outer = expect(PROF_CONSTRUCT_LOCK, "solve", 1, 1);

	ck_assert_uint_lt(expect(PROF_CONSTRUCT_LOCK, "other", 3, 3).ticks, outer.ticks);
}
END_TEST

/* Taskgroups within taskgroups, and other tasks' within those. */
START_TEST(sync_regions_within_sync_regions)
{
	app(SCRIPT(PARALLEL(1, body, BEGIN(taskgroup),
			    CALL(solve, BEGIN(taskgroup),
				 TASK(1, task, BEGIN(taskgroup), BEGIN(taskwait), END(taskwait),
				      END(taskgroup)),
				 END(taskgroup)),
			    STAY, END(taskgroup))));
	struct sums outer = expect(PROF_CONSTRUCT_TASKGROUP, "body", 1, 1);

	ck_assert_uint_lt(expect(PROF_CONSTRUCT_TASKGROUP, "solve", 1, 1).ticks, outer.ticks);
	expect(PROF_CONSTRUCT_TASKGROUP, "task", 1, 1);
	expect(PROF_CONSTRUCT_TASKWAIT, "task", 1, 1);
}
END_TEST

/* A task that waits runs tasks that wait where it does: what passes meanwhile has
   passed once. */
START_TEST(taskwaits_within_their_like)
{
	const struct mock_step *inner = SCRIPT(BEGIN(taskwait), STAY, END(taskwait)),
			       *between = SCRIPT(BEGIN(taskwait),
						 { .op = MOCK_TASK,
						   .n = 1,
						   .in = task,
						   .inner = inner },
						 END(taskwait));
	const uint64_t begin = ticks_now();

	app(SCRIPT(PARALLEL(1, body, { .op = MOCK_TASK, .n = 1, .in = task, .inner = between })));
	struct sums all = expect(PROF_CONSTRUCT_TASKWAIT, "task", 2, 2);

	ck_assert_uint_gt(all.longest, 0);
	ck_assert_uint_ge(all.ticks, all.longest);
	ck_assert_uint_le(all.ticks, ticks_now() - begin);
	/* Two that do not lie within one another are added up. */
	app(SCRIPT(PARALLEL(1, body, { .op = MOCK_TASK, .n = 1, .in = task, .inner = inner })));
	ck_assert_uint_gt(sums_of(PROF_CONSTRUCT_TASKWAIT, "task").ticks, all.ticks);
}
END_TEST

/* Where the locks lie that a call sets. */
START_TEST(which_locks)
{
	for (int i = 10; i < 20; i++)
		app(SCRIPT(CALL(solve, GET(lock, lock(i * 7 % 10 + 10)),
				GIVE(lock, lock(i * 7 % 10 + 10))),
			   CALL(other, GET(lock, lock(3)), GIVE(lock, lock(3)))));
	struct sums s = expect(PROF_CONSTRUCT_LOCK, "solve", 10, 10);

	ck_assert_uint_eq(s.high - s.low, 9);
	ck_assert_uint_ne(PROF_LOC_MODULE(s.low), 0);
	s = expect(PROF_CONSTRUCT_LOCK, "other", 10, 10);
	ck_assert_uint_eq(s.high, s.low);
	app(SCRIPT(CALL(other, GET(lock, (uint64_t)(uintptr_t)&s),
			GIVE(lock, (uint64_t)(uintptr_t)&s))));
	s = sums_of(PROF_CONSTRUCT_LOCK, "other");
	ck_assert_uint_ne(s.high, s.low);
}
END_TEST

/* ---- what runtimes and programs do wrong ------------------------------------ */

START_TEST(calls_that_are_not_told)
{
	const struct mock_step unknown = {
		.op = MOCK_ACQUIRED, .n = ompt_mutex_critical, .object = 1, .faults = FAULT_NO_CALL
	};
	const struct mock_step inside = { .op = MOCK_ACQUIRED,
					  .n = ompt_mutex_critical,
					  .object = 1,
					  .faults = FAULT_CALL_INSIDE };

	for (int i = 0; i < 3; i++)
		app(SCRIPT(PARALLEL(2, body, CALL(solve, unknown, GIVE(critical, 1)),
				    CALL(other, inside, GIVE(critical, 1)))));
	expect(PROF_CONSTRUCT_CRITICAL, "solve", 6, 6);
	expect(PROF_CONSTRUCT_CRITICAL, "other", 6, 6);
	expect(PROF_CONSTRUCT_CRITICAL, NULL, 12, 12);
}
END_TEST

/* By another thread, or never; then it is had again. */
START_TEST(released_elsewhere)
{
	for (int i = 0; i < 100; i++)
		app(SCRIPT(CALL(solve, GET(lock, lock(0)))));
	app(SCRIPT(CALL(solve, GIVE(lock, lock(0)), GIVE(lock, lock(0)), GIVE(lock, lock(1)))));
	struct sums s = expect(PROF_CONSTRUCT_LOCK, "solve", 100, 1);

	ck_assert_uint_eq(s.ticks, s.longest);
}
END_TEST

/* What is never left gives way, the oldest first. */
START_TEST(entered_and_never_left)
{
	for (int i = 0; i < LOCKS; i++)
		app(SCRIPT(CALL(solve, GET(lock, lock(i)), BEGIN(taskwait))));
	for (int i = LOCKS; i-- > 0;)
		app(SCRIPT(CALL(solve, GIVE(lock, lock(i)))));
	expect(PROF_CONSTRUCT_TASKWAIT, "solve", LOCKS, 0);
	expect(PROF_CONSTRUCT_LOCK, "solve", LOCKS, ENTRIES_DEPTH / 2);
	app(SCRIPT(CALL(other, GET(lock, lock(0)), GIVE(lock, lock(0)))));
	expect(PROF_CONSTRUCT_LOCK, "other", 1, 1);
}
END_TEST

START_TEST(left_and_never_entered)
{
	app(SCRIPT(GIVE(critical, 1), BACK(lock(0)), END(taskwait), END(barrier_explicit),
		   PARALLEL(1, body, END(taskgroup)), BEGIN(taskwait), END(taskgroup),
		   END(taskwait)));
	expect(PROF_CONSTRUCT_TASKWAIT, "app", 1, 1);
	expect(PROF_CONSTRUCT_TASKGROUP, NULL, 0, 0);
	expect(PROF_CONSTRUCT_CRITICAL, NULL, 0, 0);
}
END_TEST

START_TEST(kinds_that_nobody_knows)
{
	static const int kinds[] = { 0, 8, 9, 99, 255, -1 };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		app(SCRIPT({ .op = MOCK_ACQUIRED, .n = kinds[i], .object = 9 },
			   { .op = MOCK_RELEASED, .n = kinds[i], .object = 9 },
			   { .op = MOCK_SYNC, .n = kinds[i] & 0xff },
			   { .op = MOCK_SYNC, .n = (kinds[i] & 0xff) | MOCK_WORK_END }));
	expect(PROF_CONSTRUCT_LOCK, NULL, 0, 0);
	expect(PROF_CONSTRUCT_BARRIER, NULL, 0, 0);
	ck_assert_uint_eq(lost(), 0);
}
END_TEST

START_TEST(without_data)
{
	const struct mock_step begin = { .op = MOCK_SYNC,
					 .n = ompt_sync_region_taskwait,
					 .faults = FAULT_NULL_DATA };
	const struct mock_step end = { .op = MOCK_SYNC,
				       .faults = FAULT_NULL_DATA,
				       .n = ompt_sync_region_taskwait | MOCK_WORK_END };

	app(SCRIPT(PARALLEL(2, body, begin, end)));
	expect(PROF_CONSTRUCT_TASKWAIT, "body", 2, 2);
}
END_TEST

/* What it held is not its successor's: only the first thread goes on. */
START_TEST(threads_that_end_inside)
{
	for (int i = 0; i < 5; i++)
		app(SCRIPT({ .op = MOCK_PARALLEL,
			     .n = 3,
			     .faults = FAULT_WORKERS_END,
			     .in = body,
			     .inner = SCRIPT(GIVE(lock, lock(1)), GET(lock, lock(1))) }));
	expect(PROF_CONSTRUCT_LOCK, "body", 15, 4);
}
END_TEST

START_TEST(a_fork_within)
{
	app(SCRIPT(CALL(solve, GET(lock, lock(1)))));
	pid_t child = fork();

	ck_assert_int_ge(child, 0);
	if (child == 0) {
		app(SCRIPT(CALL(solve, GIVE(lock, lock(1))),
			   CALL(other, GET(lock, lock(1)), GIVE(lock, lock(1)))));
		_exit(0);
	}
	int status;

	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	app(SCRIPT(CALL(solve, GIVE(lock, lock(1)))));
	expect(PROF_CONSTRUCT_LOCK, "solve", 1, 1);
	expect(PROF_CONSTRUCT_LOCK, "other", 0, 0);
}
END_TEST

START_TEST(finalized_within)
{
	app(SCRIPT(CALL(solve, GET(critical, 1)), { .op = MOCK_PAUSE },
		   CALL(solve, GIVE(critical, 1)),
		   CALL(other, GET(critical, 1), GIVE(critical, 1))));
	expect(PROF_CONSTRUCT_CRITICAL, "solve", 1, 1);
	expect(PROF_CONSTRUCT_CRITICAL, "other", 1, 1);
}
END_TEST

/* More places than are at hand, again and again: all are counted. */
START_TEST(many_places)
{
	enum { PLACES = 3 * ENTRIES_SITES, TIMES = 4 };

	for (int k = 0; k < TIMES; k++)
		for (uintptr_t i = 0; i < PLACES; i++) {
			entries_acquire(&thread_self->omp, PROF_CONSTRUCT_CRITICAL, 0x1000 + i * 5,
					1);
			entries_release(&thread_self->omp, 1);
		}
	ck_assert_uint_eq(expect(PROF_CONSTRUCT_CRITICAL, NULL, PLACES * TIMES, PLACES * TIMES)
				  .places,
			  PLACES);
}
END_TEST

/* What finds no room in the file is counted as lost. */
START_TEST(no_room)
{
	enum { PLACES = 20000 };
	struct rlimit limit;
	struct stat st;

	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(stat(profile, &st), 0);
	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = (rlim_t)st.st_size;
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	for (uintptr_t i = 0; i < PLACES; i++) {
		entries_acquire(&thread_self->omp, PROF_CONSTRUCT_CRITICAL, 0x1000 + i, 1);
		entries_release(&thread_self->omp, 1);
	}
	ck_assert_uint_gt(lost(), 0);
	ck_assert_uint_eq(sums_of(PROF_CONSTRUCT_CRITICAL, NULL).entries + lost(), PLACES);
}
END_TEST

/* ---- what the runtime says that it does not report ------------------------- */

static void setup_untold(void)
{
	mock_never = 1 << ompt_callback_mutex_acquired | 1 << ompt_callback_task_schedule;
	mock_sometimes = 1 << ompt_callback_sync_region;
	setup();
}

static int notes_with(const struct prof_file *f, const char *text)
{
	int n = 0;

	for (size_t i = 0; i < f->ntexts; i++)
		n += f->texts[i].kind == PROF_INFO_NOTE && strstr(f->texts[i].text, text) != NULL;
	return n;
}

START_TEST(what_is_not_told_is_noted)
{
	const struct prof_file *f;

	app(SCRIPT(CALL(solve, PARALLEL(1, body, GET(critical, lock(0)), GIVE(critical, lock(0)),
					BEGIN(barrier_explicit), END(barrier_explicit)))));
	/* Who comes back is not told of twice. */
	mock_finalize();
	ck_assert_int_eq(mock_initialize(ompt_start_tool), 1);
	ck_assert_uint_eq(sums_of(PROF_CONSTRUCT_CRITICAL, NULL).entries, 0);
	ck_assert_uint_eq(sums_of(PROF_CONSTRUCT_BARRIER, NULL).entries, 1);
	f = read_back();
	ck_assert_uint_eq(f->header.unreported, mock_never | mock_sometimes);
	ck_assert_int_eq(notes_with(f, "does not report its mutex_acquired events: how often locks "
				       "and critical sections are entered is not known"),
			 1);
	ck_assert_int_eq(notes_with(f, "does not report its task_schedule events"), 1);
	ck_assert_int_eq(notes_with(f, "only some of its sync_region events"), 1);
	ck_assert_int_eq(notes_with(f, " events: "), 3);
}
END_TEST

START_TEST(nothing_is_noted_of_what_is_told)
{
	ck_assert_uint_eq(read_back()->header.unreported, 0);
	ck_assert_int_eq(notes_with(read_back(), "OpenMP runtime"), 0);
}
END_TEST

static void add(TCase *c)
{
	tcase_add_test(c, nothing_is_noted_of_what_is_told);
	tcase_add_test(c, each_kind);
	tcase_add_test(c, outside_of_regions);
	tcase_add_test(c, one_place_in_several_contexts);
	tcase_add_test(c, hand_over_hand);
	tcase_add_test(c, nested_locks);
	tcase_add_test(c, sync_regions_within_sync_regions);
	tcase_add_test(c, taskwaits_within_their_like);
	tcase_add_test(c, which_locks);
	tcase_add_test(c, calls_that_are_not_told);
	tcase_add_test(c, released_elsewhere);
	tcase_add_test(c, entered_and_never_left);
	tcase_add_test(c, left_and_never_entered);
	tcase_add_test(c, kinds_that_nobody_knows);
	tcase_add_test(c, without_data);
	tcase_add_test(c, threads_that_end_inside);
	tcase_add_test(c, a_fork_within);
	tcase_add_test(c, finalized_within);
	tcase_add_test(c, many_places);
	tcase_add_test(c, no_room);
}

int main(void)
{
	Suite *s = suite_create("entries");
	TCase *c = tcase_create("entries"), *untold = tcase_create("untold");

	tcase_add_checked_fixture(c, setup, writer_teardown);
	tcase_set_timeout(c, 60);
	add(c);
	suite_add_tcase(s, c);
	tcase_add_checked_fixture(untold, setup_untold, writer_teardown);
	tcase_add_test(untold, what_is_not_told_is_noted);
	suite_add_tcase(s, untold);
	return suite_main(s);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_callbacks.c - OMPT's callbacks one by one: what is counted at the begin and end of
 * regions, tasks and waits, and the inquiries.
 *
 * The test is the runtime, with counters that every kernel has.
 */
#include "config.h"

#include <check.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "ompt_tool/collector/omp_collector_api.h"
#include "ompt_tool/count/counting.h"
#include "ompt_tool/machine/ticks.h"
#include "ompt_tool/omp/lives.h"
#include "ompt_tool/omp/region.h"
#include "ompt_tool/omp/runtime.h"
#include "ompt_tool/program/program.h"
#include "ompt_tool/runtime/collector_gomp.h"
#include "ompt_tool/runtime/ompt_declarations.h"
#include "ompt_tool/sample/thread.h"
#include "ompt_tool/tool/tool_parts.h"
#include "ompt_tool/tree/process.h"
#include "src/profile/clock.h"
#include "tests/support/suite_main.h"
#include "tests/support/writer_fixture.h"

ompt_start_tool_result_t *ompt_start_tool(unsigned int version, const char *runtime);

/* ---- the runtime ------------------------------------------------------------------ */

static ompt_callback_t callbacks[64];
static const char *missing; /* an entry point that the runtime lacks */
static int state;
static ompt_wait_id_t wait_id;
static bool knows_task;
static int task_flags;
static ompt_data_t initial, region, implicit;
static ompt_frame_t frame;

static int get_state(ompt_wait_id_t *id)
{
	*id = wait_id;
	return state;
}

static int get_task_info(int level, int *flags, ompt_data_t **task, ompt_frame_t **f,
			 ompt_data_t **parallel, int *number)
{
	(void)level;
	*flags = task_flags;
	*number = 0;
	if (!knows_task)
		return 0;
	*task = &implicit;
	*f = &frame;
	*parallel = &region;
	return 2;
}

static ompt_data_t other_region;
static bool tells_other; /* the runtime's parallel data are another region's */
static int team_size;

static int get_parallel_info(int level, ompt_data_t **parallel, int *threads)
{
	(void)level;
	*parallel = tells_other ? &other_region : &region;
	*threads = team_size;
	return team_size != 0 ? 2 : 0;
}

static ompt_set_result_t set_callback(ompt_callbacks_t event, ompt_callback_t function)
{
	callbacks[event] = function;
	return ompt_set_always;
}

/* OpenMP 5.2's order is the runtime's own. */
static int enumerate_states(int current, int *next, const char **name)
{
	static const struct {
		int state;
		const char *name;
	} all[] = { { 0x102, "ompt_state_undefined" },
		    { 0x1, "ompt_state_work_parallel" },
		    { 0x7f, "vendor_wait" },
		    { 0x13, "ompt_state_wait_barrier_implicit" },
		    { 0x103, "vendor_sleep" } };
	const size_t n = sizeof(all) / sizeof(*all);
	size_t i = 0;

	while (i < n && all[i].state != current)
		i++;
	if (i + 1 >= n)
		return 0;
	*next = all[i + 1].state;
	*name = all[i + 1].name;
	return 1;
}

static ompt_interface_fn_t lookup(const char *name)
{
	if (missing != NULL && strcmp(name, missing) == 0)
		return NULL;
	return strcmp(name, "ompt_set_callback") == 0  ? (ompt_interface_fn_t)set_callback :
	       strcmp(name, "ompt_get_state") == 0     ? (ompt_interface_fn_t)get_state :
	       strcmp(name, "ompt_get_task_info") == 0 ? (ompt_interface_fn_t)get_task_info :
	       strcmp(name, "ompt_get_parallel_info") == 0 ?
							 (ompt_interface_fn_t)get_parallel_info :
	       strcmp(name, "ompt_enumerate_states") == 0 ? (ompt_interface_fn_t)enumerate_states :
							    NULL;
}

#define TELL(event, ...) ((event##_t)callbacks[event])(__VA_ARGS__)
/* As a runtime reports its caller: a return address on the stack. */
#define HERE ((const void *)__builtin_return_address(0))

/* ---- the application ---------------------------------------------------------------- */

enum { MS = 1000000 };

/* The least count for that many ms of work: the kernel's clock for it differs from the
   thread's clock by microseconds whenever the thread waits. */
#define LEAST(ms) ((ms) * (MS / 2))

/* Works for that much of the thread's CPU time. */
static void work(uint64_t ns)
{
	const uint64_t begin = clock_ns(CLOCK_THREAD_CPUTIME_ID);

	while (clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin < ns)
		;
}

static void setup(void)
{
	ompt_start_tool_result_t *tool;

	writer_setup();
	setenv("OMPHWC_OUTPUT", profile, 1);
	unsetenv("OMPHWC_EVENTS");
	setenv("OMPHWC_COUNT", "task-clock,page-faults", 1);
	setenv("OMPHWC_COUNT_MIN", "1", 1);
	tool = ompt_start_tool(201811, "test");
	ck_assert_ptr_nonnull(tool);
	ck_assert_int_eq(tool->initialize(lookup, 0, &tool->tool_data), 1);
	TELL(ompt_callback_thread_begin, ompt_thread_initial, &initial);
}

static __attribute__((noinline)) void region_begins(int team)
{
	TELL(ompt_callback_parallel_begin, &initial, &frame, &region, (unsigned)team,
	     ompt_parallel_team, HERE);
	TELL(ompt_callback_implicit_task, ompt_scope_begin, &region, &implicit, (unsigned)team, 0,
	     ompt_task_implicit);
}

static void waits(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint)
{
	((ompt_callback_sync_region_t)callbacks[ompt_callback_sync_region_wait])(kind, endpoint,
										 &region, &implicit,
										 HERE);
}

static void region_ends(void)
{
	TELL(ompt_callback_implicit_task, ompt_scope_end, NULL, &implicit, 0, 0,
	     ompt_task_implicit);
	TELL(ompt_callback_parallel_end, &region, &initial, ompt_parallel_team, HERE);
}

/* ---- what the profile says ----------------------------------------------------------- */

/* The event's count in that part; PROF_PARTS: in all parts. */
static uint64_t counted(unsigned event, unsigned part)
{
	const struct prof_file *f = read_back();
	uint64_t sum = 0;

	for (size_t i = 0; i < f->nnodes; i++) {
		const struct prof_rnode *n = &f->nodes[i];

		if (n->kind == PROF_NODE_COUNT && n->event == event &&
		    n->flags == PROF_COUNT_VALUE && (part == PROF_PARTS || n->state == part))
			sum += n->a;
	}
	return sum;
}

static void ends(void)
{
	program_hooks.ends(PROGRAM_EXITS);
}

/* No part exceeds the total, and at the end they add up to it. */
static void ck_adds_up(void)
{
	const struct prof_thread *t = &read_back()->threads[0].t;
	const uint64_t all = t->values[0].value;

	ck_assert_uint_eq(t->values_known & 3, 3);
	ck_assert_uint_le(counted(0, PROF_PARTS), all);
	ck_assert_uint_gt(counted(0, PROF_PARTS), all / 2);
}

/* ---- counting --------------------------------------------------------------------------- */

START_TEST(work_and_waits_are_apart)
{
	ck_assert(counting_on());
	region_begins(1);
	work(5 * MS);
	waits(ompt_sync_region_barrier_explicit, ompt_scope_begin);
	work(3 * MS);
	/* Reported twice for a reduction. */
	waits(ompt_sync_region_reduction, ompt_scope_begin);
	waits(ompt_sync_region_reduction, ompt_scope_end);
	waits(ompt_sync_region_barrier_explicit, ompt_scope_end);
	work(2 * MS);
	waits(ompt_sync_region_barrier_implicit_parallel, ompt_scope_begin);
	work(2 * MS);
	waits(ompt_sync_region_barrier_implicit_parallel, ompt_scope_end);
	region_ends();
	ends();
	ck_assert_uint_ge(counted(0, PROF_PART_WORK), LEAST(7));
	ck_assert_uint_ge(counted(0, PROF_PART_WAIT), LEAST(5));
	ck_adds_up();
}
END_TEST

START_TEST(tasks_are_apart)
{
	ompt_data_t task = { 0 };

	region_begins(1);
	work(2 * MS);
	TELL(ompt_callback_task_create, &implicit, &frame, &task, ompt_task_explicit, 0, HERE);
	waits(ompt_sync_region_taskwait, ompt_scope_begin);
	work(2 * MS);
	TELL(ompt_callback_task_schedule, &implicit, ompt_task_switch, &task);
	work(4 * MS);
	TELL(ompt_callback_task_schedule, &task, ompt_task_complete, &implicit);
	waits(ompt_sync_region_taskwait, ompt_scope_end);
	region_ends();
	ends();
	ck_assert_uint_ge(counted(0, PROF_PART_TASK), LEAST(4));
	ck_assert_uint_ge(counted(0, PROF_PART_WORK), LEAST(2));
	ck_assert_uint_ge(counted(0, PROF_PART_WAIT), LEAST(2));
	ck_adds_up();
}
END_TEST

/* The runtime does not report when the region of a worker's last wait ended. */
START_TEST(the_last_wait_is_idling)
{
	region_begins(2);
	work(2 * MS);
	waits(ompt_sync_region_barrier_implicit_parallel, ompt_scope_begin);
	TELL(ompt_callback_parallel_end, &region, &initial, ompt_parallel_team, HERE);
	work(5 * MS);
	waits(ompt_sync_region_barrier_implicit_parallel, ompt_scope_end);
	TELL(ompt_callback_implicit_task, ompt_scope_end, NULL, &implicit, 0, 0,
	     ompt_task_implicit);
	ends();
	ck_adds_up();
}
END_TEST

START_TEST(counts_stop_in_a_pause)
{
	region_begins(1);
	work(3 * MS);
	ck_assert_int_eq(TELL(ompt_callback_control_tool, 2, 0, NULL, NULL), CONTROL_DONE);
	work(50 * MS);
	ck_assert_int_eq(TELL(ompt_callback_control_tool, 1, 0, NULL, NULL), CONTROL_DONE);
	work(3 * MS);
	region_ends();
	const uint64_t before = clock_ns(CLOCK_THREAD_CPUTIME_ID);

	ends();
	const uint64_t all = read_back()->threads[0].t.values[0].value;

	ck_assert_uint_ge(all, LEAST(6));
	ck_assert_uint_le(all, before - 40 * MS);
}
END_TEST

/* A thread without memory for counters, and a fork's child without our knowledge. */
START_TEST(callbacks_without_counters)
{
	struct counting *c = thread_self->omp.counting;
	const volatile unsigned char *alive = process.alive;
	static const volatile unsigned char dead;

	thread_self->omp.counting = NULL;
	counting_enter(&thread_self->omp, 0);
	counting_leave(&thread_self->omp, 0);
	counting_wait(&thread_self->omp, true, true);
	counting_switch(&thread_self->omp, 0, true);
	counting_flush(&thread_self->omp);
	counting_stop(&thread_self->omp);
	counting_start(&thread_self->omp);
	counting_total(&thread_self->omp);
	counting_end(&thread_self->omp);
	counting_abandon(&thread_self->omp);
	region_begins(1);
	region_ends();
	thread_self->omp.counting = c;
	process.alive = &dead;
	region_begins(1);
	waits(ompt_sync_region_barrier_explicit, ompt_scope_begin);
	ck_assert_uint_eq(region.value, 0);
	region_ends();
	process.alive = alive;
	ends();
	ck_assert_uint_eq(counted(0, PROF_PART_WAIT), 0);
}
END_TEST

/* ---- what else is reported ------------------------------------------------------------------- */

static size_t stats(unsigned kind, uint64_t *a, uint64_t *b)
{
	const struct prof_file *f = read_back();
	size_t n = 0;

	*a = *b = 0;
	for (size_t i = 0; i < f->nnodes; i++)
		if (f->nodes[i].kind == PROF_NODE_STATS && f->nodes[i].flags == kind) {
			*a += f->nodes[i].a;
			*b += f->nodes[i].b;
			n++;
		}
	return n;
}

/* Teams of 2, 2, 4, 1 and 2 threads: two changes; one thread takes no other ones. */
START_TEST(teams_of_other_sizes)
{
	static const unsigned sizes[] = { 2, 2, 4, 1, 2 };
	uint64_t a, b;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		TELL(ompt_callback_parallel_begin, &initial, &frame, &region, sizes[i],
		     ompt_parallel_team, HERE);
		TELL(ompt_callback_implicit_task, ompt_scope_begin, &region, &implicit, sizes[i], 0,
		     ompt_task_implicit);
		region_ends();
	}
	ck_assert_uint_eq(stats(PROF_STATS_RESIZED, &a, &b), 1);
	ck_assert_uint_eq(a, 2);
}
END_TEST

/* Regions that get what they ask for have no such node; 8 asked for and 2 had, twice. */
START_TEST(fewer_threads_than_asked_for)
{
	uint64_t a, b;

	region_begins(2);
	region_ends();
	ck_assert_uint_eq(stats(PROF_STATS_ASKED, &a, &b), 0);
	for (unsigned i = 0; i < 2; i++) {
		TELL(ompt_callback_parallel_begin, &initial, &frame, &region, 8, ompt_parallel_team,
		     HERE);
		TELL(ompt_callback_implicit_task, ompt_scope_begin, &region, &implicit, 2, 0,
		     ompt_task_implicit);
		region_ends();
	}
	ck_assert_uint_eq(stats(PROF_STATS_ASKED, &a, &b), 1);
	ck_assert_uint_eq(a, 2);
	ck_assert_uint_eq(b, 16);
}
END_TEST

START_TEST(tasks_that_are_given_up)
{
	ompt_data_t task = { 0 };
	uint64_t a, b;

	region_begins(1);
	TELL(ompt_callback_task_create, &implicit, &frame, &task, ompt_task_explicit, 0, HERE);
	TELL(ompt_callback_task_schedule, &task, ompt_task_cancel, &implicit);
	/* These schedule nothing. */
	TELL(ompt_callback_task_schedule, &task, ompt_task_early_fulfill, NULL);
	TELL(ompt_callback_task_create, &implicit, &frame, NULL, ompt_task_explicit, 0, HERE);
	TELL(ompt_callback_task_create, &implicit, &frame, &task, ompt_task_initial, 0, HERE);
	ck_assert_uint_eq(stats(PROF_STATS_TASK, &a, &b), 1);
	ck_assert_uint_eq(a, 1);
	stats(PROF_STATS_TASK_TIME, &a, &b);
	ck_assert_uint_eq(b, 1);
}
END_TEST

/* Creates a task at the one place where all of them are created. */
static __attribute__((noinline)) void create_flagged(ompt_data_t *task, int flags, int dependences)
{
	task->value = 0;
	TELL(ompt_callback_task_create, &implicit, &frame, task, ompt_task_explicit | flags,
	     dependences, HERE);
}

/* What some are, and what others are not: also those that were created before. */
START_TEST(what_tasks_are)
{
	ompt_data_t task;
	uint64_t a, b;

	region_begins(1);
	for (int i = 0; i < 4; i++) {
		ck_assert_uint_eq(stats(PROF_STATS_TASK_FLAGS, &a, &b), 0);
		create_flagged(&task, i < 3 ? 0 : ompt_task_untied, i == 3);
	}
	ck_assert_uint_eq(stats(PROF_STATS_TASK_FLAGS, &a, &b), 1);
	ck_assert_uint_eq(a, PROF_TASK_EXPLICIT | PROF_TASK_UNTIED | PROF_TASK_DEPEND);
	ck_assert_uint_eq(b & (PROF_TASK_UNTIED | PROF_TASK_DEPEND | PROF_TASK_FINAL),
			  PROF_TASK_UNTIED | PROF_TASK_DEPEND | PROF_TASK_FINAL);
	stats(PROF_STATS_TASK, &a, &b);
	ck_assert_uint_eq(a, 4);
}
END_TEST

START_TEST(what_all_tasks_are)
{
	ompt_data_t task;
	uint64_t a, b;

	region_begins(1);
	for (int i = 0; i < 3; i++)
		create_flagged(&task, (int)(ompt_task_final | ompt_task_mergeable), 0);
	ck_assert_uint_eq(stats(PROF_STATS_TASK_FLAGS, &a, &b), 1);
	ck_assert_uint_eq(a, PROF_TASK_EXPLICIT | PROF_TASK_FINAL | PROF_TASK_MERGEABLE);
	ck_assert_uint_eq(b & a, 0);
	ck_assert_uint_ne(b & PROF_TASK_UNTIED, 0);
}
END_TEST

/* Its end, or its event's fulfilment, tells. */
START_TEST(tasks_that_are_detached)
{
	const ompt_task_status_t how = _i == 0 ? ompt_task_detach : ompt_task_early_fulfill;
	ompt_data_t task;
	uint64_t a, b;

	region_begins(1);
	create_flagged(&task, 0, 0);
	TELL(ompt_callback_task_schedule, &implicit, ompt_task_switch, &task);
	TELL(ompt_callback_task_schedule, &task, how, _i == 0 ? &implicit : NULL);
	ck_assert_uint_eq(stats(PROF_STATS_TASK_FLAGS, &a, &b), 1);
	ck_assert_uint_eq(a, PROF_TASK_DETACHED);
	ck_assert_uint_eq(b, 0);
}
END_TEST

/* Undeferred, as compilers generate it: inlined into the function that creates it. */
static __attribute__((noinline)) void create_undeferred(ompt_data_t *task)
{
	frame.enter_frame.ptr = __builtin_frame_address(0);
	frame.exit_frame.ptr = (void *)8; /* any value */
	TELL(ompt_callback_task_create, &implicit, &frame, task,
	     ompt_task_explicit | ompt_task_undeferred, 0, __builtin_return_address(0));
	TELL(ompt_callback_task_schedule, &implicit, ompt_task_switch, task);
}

START_TEST(tasks_that_are_not_deferred)
{
	ompt_data_t outer = { 0 }, inner = { 0 };

	region_begins(1);
	for (int i = 0; i < 3; i++) {
		create_undeferred(&outer);
		const uint32_t n = thread_self->omp.undeferred.n;

		ck_assert_uint_ne(outer.value, 0);
		/* The undeferred task creates tasks and regions. */
		TELL(ompt_callback_task_create, &outer, &frame, &inner, ompt_task_explicit, 0,
		     HERE);
		ck_assert_uint_ne(inner.value, 0);
		ompt_data_t nested = { 0 };

		TELL(ompt_callback_parallel_begin, &outer, &frame, &nested, 1, ompt_parallel_team,
		     HERE);
		TELL(ompt_callback_parallel_end, &nested, &outer, ompt_parallel_team, HERE);
		TELL(ompt_callback_task_schedule, &outer, ompt_task_complete, &implicit);
		ck_assert_uint_eq(thread_self->omp.undeferred.n, n == 0 ? 0 : n - 1);
	}
	region_ends();
	read_back();
}
END_TEST

struct member {
	ompt_data_t region;
	atomic_bool in_it, may_leave;
};

/* A thread that is in a region of its own until it may leave. */
static void *is_in_region(void *arg)
{
	struct member *m = arg;
	ompt_data_t task = { 0 };

	TELL(ompt_callback_thread_begin, ompt_thread_worker, &task);
	TELL(ompt_callback_parallel_begin, &task, &frame, &m->region, 2, ompt_parallel_team, HERE);
	TELL(ompt_callback_implicit_task, ompt_scope_begin, &m->region, &task, 2, 0,
	     ompt_task_implicit);
	atomic_store(&m->in_it, true);
	while (!atomic_load(&m->may_leave))
		;
	TELL(ompt_callback_parallel_end, &m->region, &task, ompt_parallel_team, HERE);
	return NULL;
}

static int team_members(void)
{
	const struct region *r = atomic_load(&lives.outermost);
	const bool inside = r && (atomic_load(&r->generation) & 1) != 0 && r->team > 1;

	return (inside ? (int)r->team - 1 : 0) + lives.others;
}

/* A nested region has the fewest threads of those before it, until its own are reported: runtimes
   may make them for longer than they work. */
START_TEST(a_nested_region_has_the_threads_that_it_had_before)
{
	static const int teams[] = { 4, 4, 3, 5, 4 }, expected[] = { 0, 4, 4, 3, 3 };

	region_begins(2);
	for (int i = 0; i < 5; i++) {
		ompt_data_t nested = { 0 }, task = { 0 };

		TELL(ompt_callback_parallel_begin, &implicit, &frame, &nested, 5,
		     ompt_parallel_team, HERE);
		ck_assert_int_eq(team_members(), 1 + (expected[i] ? expected[i] - 1 : 0));
		TELL(ompt_callback_implicit_task, ompt_scope_begin, &nested, &task,
		     (unsigned)teams[i], 0, ompt_task_implicit);
		ck_assert_int_eq(team_members(), 1 + teams[i] - 1);
		TELL(ompt_callback_parallel_end, &nested, &implicit, ompt_parallel_team, HERE);
		ck_assert_int_eq(team_members(), 1);
	}
	ck_assert_uint_eq(lives.wide, 1 + 1 + 4);
	region_ends();
}
END_TEST

/* The runtime says that the region of another thread ends, or one that has no token yet: it is the
   caller's. */
START_TEST(a_region_ends_by_another_ones_token)
{
	struct member other = { 0 };
	ompt_data_t none = { 0 };
	pthread_t thread;

	region_begins(2);
	ck_assert_int_eq(pthread_create(&thread, NULL, is_in_region, &other), 0);
	while (!atomic_load(&other.in_it))
		;
	const int both = team_members();

	TELL(ompt_callback_parallel_end, _i ? &none : &other.region, &initial, ompt_parallel_team,
	     HERE);
	ck_assert_ptr_null(region_live(region.value));
	ck_assert_ptr_nonnull(region_live(other.region.value));
	ck_assert_int_eq(team_members(), both - 1);
	atomic_store(&other.may_leave, true);
	pthread_join(thread, NULL);
	ck_assert_ptr_null(region_live(other.region.value));
	ck_assert_int_eq(team_members(), both - 2);
}
END_TEST

START_TEST(masked_constructs)
{
	uint64_t a, b;

	region_begins(1);
	TELL(ompt_callback_masked, ompt_scope_begin, &region, &implicit, HERE);
	ck_assert_uint_eq(thread_self->omp.constructs.n, 1);
	TELL(ompt_callback_masked, ompt_scope_end, &region, &implicit, HERE);
	TELL(ompt_callback_masked, ompt_scope_begin, &region, NULL, HERE);
	ck_assert_uint_eq(thread_self->omp.constructs.n, 0);
	ck_assert_uint_eq(stats(PROF_STATS_CONSTRUCT, &a, &b), 1);
	ck_assert_uint_eq(a, 1);
}
END_TEST

static struct runtime_view ask(int s, ompt_wait_id_t id)
{
	struct runtime_view v = { 0 };

	state = s;
	wait_id = id;
	atomic_load(&runtime_current)->query(&v);
	return v;
}

/* The team's size counts where the runtime reports the task's own region, as long as it lives. */
START_TEST(a_sample_knows_its_team)
{
	knows_task = true;
	region_begins(4);
	ck_assert_uint_eq(ask(ompt_state_work_parallel, 0).threads, 0);
	team_size = 4;
	ck_assert_uint_eq(ask(ompt_state_work_parallel, 0).threads, 4);
	ck_assert(!ask(ompt_state_work_parallel, 0).stale);
	tells_other = true;
	ck_assert_uint_eq(ask(ompt_state_work_parallel, 0).threads, 0);
	ck_assert(ask(ompt_state_work_parallel, 0).stale);
	tells_other = false;
	TELL(ompt_callback_parallel_end, &region, &initial, ompt_parallel_team, HERE);
	ck_assert_uint_eq(ask(ompt_state_wait_barrier_implicit_parallel, 0).threads, 0);
	ck_assert(ask(ompt_state_wait_barrier_implicit_parallel, 0).stale);
}
END_TEST

/* What the profile says of the region that has not ended; 0: there is none. */
static uint64_t open_region(void)
{
	const struct prof_file *f = read_back();
	uint64_t sum = 0;

	for (size_t i = 0; i < f->nnodes; i++)
		if (f->nodes[i].kind == PROF_NODE_STATS &&
		    f->nodes[i].flags == PROF_STATS_TEAM_TIME)
			sum += f->nodes[i].b;
	return sum;
}

/* Wherever the process is killed, the file shows in which regions. */
START_TEST(a_region_is_open_until_its_end)
{
	for (int i = 0; i < 2; i++) {
		const uint64_t before = ticks_now();

		region_begins(3 + i);
		ck_assert_uint_eq(open_region() & PROF_OPEN_TEAM_MOST, (uint64_t)(3 + i));
		ck_assert_uint_le(PROF_OPEN_TICKS(open_region(), ticks_now()),
				  ticks_now() - before + 16);
		region_ends();
		ck_assert_uint_eq(open_region(), 0);
	}
	/* Twice by one call, and no end was reported. */
	for (volatile int i = 0; i < 2; i++) {
		region_begins(i == 0 ? PROF_OPEN_TEAM_MOST + 1 : 3);
		if (i == 0)
			ck_assert_uint_eq(open_region() & PROF_OPEN_TEAM_MOST, PROF_OPEN_TEAM_MOST);
	}
	ck_assert(open_region() == PROF_OPEN_LOST);
}
END_TEST

/* The end of a region shows the time, too. */
START_TEST(regions_read_the_clocks)
{
	const struct prof_header *h;

	ck_assert_uint_eq(read_back()->header.nlatest, 0);
	region_begins(2);
	region_ends();
	h = &read_back()->header;
	ck_assert_uint_eq(h->nlatest, 1);
	ck_assert_uint_ge(h->latest[0].monotonic_ns, h->start_monotonic_ns);
	ck_assert_uint_gt(h->latest[0].ticks, h->ticks_start);
	work(20 * MS);
	region_begins(2);
	region_ends();
	h = &read_back()->header;
	ck_assert_uint_eq(h->nlatest, 2);
	ck_assert_uint_ge(h->latest[1].monotonic_ns, h->latest[0].monotonic_ns + 20 * MS);
	/* Not each time: a thousand empty regions take about as many microseconds. */
	for (int i = 0; i < 1000; i++) {
		region_begins(2);
		region_ends();
	}
	ck_assert_uint_lt(read_back()->header.nlatest, 500);
}
END_TEST

START_TEST(inquiries)
{
	char lock;

	ck_assert(!ask(ompt_state_work_serial, 7).known);
	ck_assert_uint_eq(ask(ompt_state_work_serial, 7).wait_id, 0);
	ck_assert_uint_eq(ask(ompt_state_wait_critical, 7).wait_id, 7);
	ck_assert_uint_eq(ask(ompt_state_wait_lock, 7).wait_id, 7);
	/* The lock variable identifies the lock better than the runtime's object behind it. */
	TELL(ompt_callback_mutex_acquire, ompt_mutex_lock, 0, 0, (uintptr_t)&lock, HERE);
	ck_assert_uint_eq(ask(ompt_state_wait_lock, 7).wait_id, (uintptr_t)&lock);
	ck_assert_uint_eq(ask(ompt_state_wait_critical, 7).wait_id, 7);
	TELL(ompt_callback_mutex_acquire, ompt_mutex_critical, 0, 0, 9, HERE);
	ck_assert_uint_eq(ask(ompt_state_wait_lock, 7).wait_id, 7);
	/* Without data of its own, a task counts as its region's. */
	knows_task = true;
	region.value = 77;
	ck_assert(ask(ompt_state_work_parallel, 0).known);
	ck_assert_uint_eq(ask(ompt_state_work_parallel, 0).token, 77);
	implicit.value = 78;
	ck_assert_uint_eq(ask(ompt_state_work_parallel, 0).token, 78);
	region.value = implicit.value = 0;
}
END_TEST

/* After a barrier outside of regions libomp goes on with that state. */
START_TEST(parallel_in_no_region)
{
	knows_task = true;
	task_flags = ompt_task_initial;
	ck_assert_int_eq(ask(ompt_state_work_parallel, 0).state, PROF_STATE_SERIAL);
	ck_assert_int_eq(ask(ompt_state_wait_barrier, 0).state, PROF_STATE_BARRIER);
	/* A league's. */
	implicit.value = 78;
	ck_assert_int_eq(ask(ompt_state_work_parallel, 0).state, PROF_STATE_PARALLEL);
	/* Of a region whose begin was not reported. */
	implicit.value = 0;
	task_flags = ompt_task_implicit;
	ck_assert_int_eq(ask(ompt_state_work_parallel, 0).state, PROF_STATE_PARALLEL);
	task_flags = 0;
}
END_TEST

START_TEST(a_runtime_that_lacks_something)
{
	static const char *const needed[] = {
		"ompt_set_callback",
		"ompt_get_state",
		"ompt_get_task_info",
	};
	ompt_start_tool_result_t *tool = ompt_start_tool(201811, NULL);

	ck_assert_ptr_nonnull(tool);
	for (int i = 0; i < 3; i++) {
		missing = needed[i];
		ck_assert_int_eq(tool->initialize(lookup, 0, &tool->tool_data), 0);
	}
	tool->finalize(&tool->tool_data);
	ck_assert_ptr_null(atomic_load(&runtime_current));
}
END_TEST

/* ---- one by one ------------------------------------------------------------------------------- */

/* Each state of OpenMP 5's, of the report of 2016 and of LLVM's. */
static const struct {
	int told;
	enum prof_state is;
} told_states[] = {
	{ ompt_state_work_serial, PROF_STATE_SERIAL },
	{ ompt_state_work_parallel, PROF_STATE_PARALLEL },
	{ ompt_state_work_reduction, PROF_STATE_REDUCTION },
	{ ompt_state_wait_barrier, PROF_STATE_BARRIER },
	{ ompt_state_wait_barrier_implicit_parallel, PROF_STATE_BARRIER_IMPLICIT },
	{ ompt_state_wait_barrier_implicit_workshare, PROF_STATE_BARRIER_WORKSHARE },
	{ ompt_state_wait_barrier_implicit, PROF_STATE_BARRIER_IMPLICIT },
	{ ompt_state_wait_barrier_explicit, PROF_STATE_BARRIER_EXPLICIT },
	{ ompt_state_wait_barrier_implementation, PROF_STATE_BARRIER_IMPL },
	{ ompt_state_wait_barrier_teams, PROF_STATE_BARRIER_TEAMS },
	{ ompt_state_wait_taskwait, PROF_STATE_TASKWAIT },
	{ ompt_state_wait_taskgroup, PROF_STATE_TASKGROUP },
	{ ompt_state_wait_mutex, PROF_STATE_MUTEX },
	{ ompt_state_wait_lock, PROF_STATE_LOCK },
	{ ompt_state_wait_critical, PROF_STATE_CRITICAL },
	{ ompt_state_wait_atomic, PROF_STATE_ATOMIC },
	{ ompt_state_wait_ordered, PROF_STATE_ORDERED },
	{ ompt_state_wait_target, PROF_STATE_TARGET },
	{ ompt_state_wait_target_map, PROF_STATE_TARGET },
	{ ompt_state_wait_target_update, PROF_STATE_TARGET },
	{ ompt_state_work_free_agent, PROF_STATE_PARALLEL },
	{ ompt_state_work_induction, PROF_STATE_PARALLEL },
	{ ompt_state_idle, PROF_STATE_IDLE },
	{ ompt_state_overhead, PROF_STATE_OVERHEAD },
	{ ompt_state_undefined, PROF_STATE_UNDEFINED },
	/* Nobody's. */
	{ 0x005, PROF_STATE_UNDEFINED },
	{ 0x103, PROF_STATE_UNDEFINED },
	{ -1, PROF_STATE_UNDEFINED },
};

START_TEST(each_state_is_told)
{
	ck_assert_int_eq(ask(told_states[_i].told, 0).state, told_states[_i].is);
}
END_TEST

/* The Collector API's. */
static const struct {
	int told;
	enum prof_state is;
	bool object; /* its wait_id is what is waited for */
} collector_states[] = {
	{ THR_OVHD_STATE, PROF_STATE_OVERHEAD, false },
	{ THR_WORK_STATE, PROF_STATE_PARALLEL, false },
	{ THR_IBAR_STATE, PROF_STATE_BARRIER_IMPLICIT, false },
	{ THR_EBAR_STATE, PROF_STATE_BARRIER_EXPLICIT, false },
	{ THR_IDLE_STATE, PROF_STATE_IDLE, false },
	{ THR_SERIAL_STATE, PROF_STATE_SERIAL, false },
	{ THR_REDUC_STATE, PROF_STATE_REDUCTION, false },
	{ THR_LKWT_STATE, PROF_STATE_LOCK, true },
	{ THR_CTWT_STATE, PROF_STATE_CRITICAL, true },
	{ THR_ODWT_STATE, PROF_STATE_ORDERED, false },
	{ THR_ATWT_STATE, PROF_STATE_ATOMIC, true },
	{ 0, PROF_STATE_UNDEFINED, false },
	{ THR_LAST_STATE, PROF_STATE_UNDEFINED, false },
	{ -1, PROF_STATE_UNDEFINED, false },
};

START_TEST(each_state_of_the_collector_api)
{
	const uint8_t is = collector_state_of(collector_states[_i].told);

	ck_assert_int_eq(is, collector_states[_i].is);
	ck_assert(collector_waits_for_object(is) == collector_states[_i].object);
}
END_TEST

struct beginner {
	ompt_thread_t told;
	int kind;
};

static void *begins(void *arg)
{
	struct beginner *b = arg;
	ompt_data_t data = { 0 };

	TELL(ompt_callback_thread_begin, b->told, &data);
	b->kind = thread_self ? (int)thread_self->omp.kind : -1;
	return NULL;
}

START_TEST(kinds_of_threads)
{
	static const int kinds[] = {
		[ompt_thread_initial] = PROF_THREAD_INITIAL,
		[ompt_thread_worker] = PROF_THREAD_WORKER,
		[ompt_thread_other] = PROF_THREAD_OTHER,
		[ompt_thread_unknown] = PROF_THREAD_OTHER,
	};
	struct beginner b = { .told = (ompt_thread_t)_i };
	pthread_t thread;

	ck_assert_int_eq(pthread_create(&thread, NULL, begins, &b), 0);
	pthread_join(thread, NULL);
	ck_assert_int_eq(b.kind, kinds[_i]);
}
END_TEST

/* The constructs of that kind in the profile. */
static int constructs_of(enum prof_construct_kind kind)
{
	const struct prof_file *f = read_back();
	int n = 0;

	for (size_t i = 0; i < f->nnodes; i++)
		n += f->nodes[i].kind == PROF_NODE_CONSTRUCT && f->nodes[i].flags == (uint8_t)kind;
	return n;
}

static const struct {
	ompt_work_t told;
	enum prof_construct_kind is;
} works[] = {
	{ ompt_work_loop, PROF_CONSTRUCT_LOOP },
	{ ompt_work_sections, PROF_CONSTRUCT_SECTIONS },
	{ ompt_work_single_executor, PROF_CONSTRUCT_SINGLE },
	{ ompt_work_single_other, PROF_CONSTRUCT_SINGLE_OTHER },
	{ ompt_work_workshare, PROF_CONSTRUCT_WORKSHARE },
	{ ompt_work_distribute, PROF_CONSTRUCT_DISTRIBUTE },
	{ ompt_work_taskloop, PROF_CONSTRUCT_TASKLOOP },
	{ ompt_work_scope, PROF_CONSTRUCT_SCOPE },
	{ ompt_work_loop_static, PROF_CONSTRUCT_LOOP_STATIC },
	{ ompt_work_loop_dynamic, PROF_CONSTRUCT_LOOP_DYNAMIC },
	{ ompt_work_loop_guided, PROF_CONSTRUCT_LOOP_GUIDED },
	{ ompt_work_workdistribute, PROF_CONSTRUCT_WORKDISTRIBUTE },
	{ ompt_work_loop_other, PROF_CONSTRUCT_LOOP_OTHER },
	/* Nobody's, one of which is the profile's number of a barrier. */
	{ (ompt_work_t)0, PROF_CONSTRUCT_WORK_OTHER },
	{ (ompt_work_t)14, PROF_CONSTRUCT_WORK_OTHER },
	{ (ompt_work_t)PROF_CONSTRUCT_BARRIER, PROF_CONSTRUCT_WORK_OTHER },
};

START_TEST(kinds_of_work)
{
	uint64_t a, b;

	region_begins(1);
	TELL(ompt_callback_work, works[_i].told, ompt_scope_begin, &region, &implicit, 8, HERE);
	ck_assert_uint_eq(thread_self->omp.constructs.n, 1);
	TELL(ompt_callback_work, works[_i].told, ompt_scope_end, &region, &implicit, 8, HERE);
	ck_assert_uint_eq(thread_self->omp.constructs.n, 0);
	region_ends();
	ck_assert_int_eq(constructs_of(works[_i].is), 1);
	ck_assert_uint_eq(stats(PROF_STATS_CONSTRUCT, &a, &b), 1);
	ck_assert_uint_eq(a, 1);
}
END_TEST

/* Start, pause, flush, marks (from 64 on), others; and what comes after the end. */
START_TEST(commands_of_the_program)
{
	static const struct {
		uint64_t command;
		int result;
	} commands[] = {
		{ 1, CONTROL_DONE },	{ 2, CONTROL_DONE },	{ 2, CONTROL_DONE },
		{ 3, CONTROL_DONE },	{ 1, CONTROL_DONE },	{ 1, CONTROL_DONE },
		{ 0, CONTROL_IGNORED }, { 5, CONTROL_IGNORED }, { 63, CONTROL_IGNORED },
		{ 64, CONTROL_DONE },	{ 100, CONTROL_DONE },	{ UINT64_MAX, CONTROL_IGNORED },
		{ 4, CONTROL_DONE },	{ 1, CONTROL_IGNORED }, { 2, CONTROL_DONE },
		{ 4, CONTROL_DONE },
	};

	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		ck_assert_int_eq(TELL(ompt_callback_control_tool, commands[i].command, 7, NULL,
				      NULL),
				 commands[i].result);
}
END_TEST

/* All that the adapter can use of the runtime, where events are counted; nothing else costs the
   program anything. */
START_TEST(what_is_registered)
{
	static const ompt_callbacks_t used[] = {
		ompt_callback_thread_begin,
		ompt_callback_parallel_begin,
		ompt_callback_parallel_end,
		ompt_callback_task_create,
		ompt_callback_task_schedule,
		ompt_callback_implicit_task,
		ompt_callback_control_tool,
		ompt_callback_sync_region_wait,
		ompt_callback_work,
		ompt_callback_masked,
		ompt_callback_mutex_acquire,
		ompt_callback_cancel,
		ompt_callback_lock_init,
		ompt_callback_target_emi,
		ompt_callback_target_data_op_emi,
		ompt_callback_target_submit_emi,
		ompt_callback_target_map_emi,
		ompt_callback_device_initialize,
		ompt_callback_device_finalize,
	};
	size_t n = 0;

	for (size_t i = 0; i < sizeof(used) / sizeof(*used); i++)
		ck_assert_msg(callbacks[used[i]] != NULL, "callback %d", (int)used[i]);
	for (size_t i = 0; i < sizeof(callbacks) / sizeof(*callbacks); i++)
		n += callbacks[i] != NULL;
	ck_assert_uint_eq(n, sizeof(used) / sizeof(*used));
}
END_TEST

START_TEST(states_that_only_the_runtime_knows)
{
	const struct prof_file *f = read_back();
	int named = 0;

	for (size_t i = 0; i < f->ntexts; i++)
		named += f->texts[i].kind == PROF_INFO_NOTE &&
			 strstr(f->texts[i].text,
				"does not know (vendor_wait (0x7f), vendor_sleep (0x103)):") !=
				 NULL;
	ck_assert_int_eq(named, 1);
}
END_TEST

START_TEST(a_runtime_has_its_name)
{
	const struct prof_file *f = read_back();
	int named = 0;

	for (size_t i = 0; i < f->ntexts; i++)
		named += f->texts[i].kind == PROF_INFO_RUNTIME &&
			 strcmp(f->texts[i].text, "test (OpenMP 201811)") == 0;
	ck_assert_int_eq(named, 1);
}
END_TEST

static void add(TCase *c)
{
	tcase_add_test(c, work_and_waits_are_apart);
	tcase_add_test(c, tasks_are_apart);
	tcase_add_test(c, the_last_wait_is_idling);
	tcase_add_test(c, counts_stop_in_a_pause);
	tcase_add_test(c, callbacks_without_counters);
	tcase_add_test(c, tasks_that_are_given_up);
	tcase_add_test(c, tasks_that_are_not_deferred);
	tcase_add_test(c, what_tasks_are);
	tcase_add_test(c, what_all_tasks_are);
	tcase_add_loop_test(c, tasks_that_are_detached, 0, 2);
	tcase_add_test(c, a_nested_region_has_the_threads_that_it_had_before);
	tcase_add_loop_test(c, a_region_ends_by_another_ones_token, 0, 2);
	tcase_add_test(c, masked_constructs);
	tcase_add_test(c, a_sample_knows_its_team);
	tcase_add_test(c, a_region_is_open_until_its_end);
	tcase_add_test(c, regions_read_the_clocks);
	tcase_add_test(c, inquiries);
	tcase_add_test(c, fewer_threads_than_asked_for);
	tcase_add_test(c, teams_of_other_sizes);
	tcase_add_test(c, parallel_in_no_region);
	tcase_add_test(c, a_runtime_that_lacks_something);
	tcase_add_loop_test(c, each_state_is_told, 0, sizeof(told_states) / sizeof(*told_states));
	tcase_add_loop_test(c, each_state_of_the_collector_api, 0,
			    sizeof(collector_states) / sizeof(*collector_states));
	tcase_add_loop_test(c, kinds_of_threads, ompt_thread_initial, ompt_thread_unknown + 1);
	tcase_add_loop_test(c, kinds_of_work, 0, sizeof(works) / sizeof(*works));
	tcase_add_test(c, commands_of_the_program);
	tcase_add_test(c, what_is_registered);
	tcase_add_test(c, a_runtime_has_its_name);
	tcase_add_test(c, states_that_only_the_runtime_knows);
}

int main(void)
{
	Suite *s = suite_create("callbacks");
	TCase *c = tcase_create("callbacks");

	tcase_add_checked_fixture(c, setup, writer_teardown);
	tcase_set_timeout(c, 60);
	add(c);
	suite_add_tcase(s, c);
	return suite_main(s);
}

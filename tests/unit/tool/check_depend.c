/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_depend.c - tasks that depend on each other: what is counted, and the longest path.
 *
 * The test is the runtime, and runs tasks one after the other on its thread. It notes how long each
 * took, so that the path is known.
 */
#include "config.h"

#include <check.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

#include "ompt_tool/machine/ticks.h"
#include "ompt_tool/runtime/ompt_declarations.h"
#include "src/profile/clock.h"
#include "tests/support/suite_main.h"
#include "tests/support/writer_fixture.h"

ompt_start_tool_result_t *ompt_start_tool(unsigned int version, const char *runtime);

static ompt_callback_t callbacks[64];
static ompt_data_t initial, region, implicit;
static ompt_frame_t frame;

#define TELL(event, ...) ((event##_t)callbacks[event])(__VA_ARGS__)
#define HERE ((const void *)__builtin_return_address(0))

static int get_state(ompt_wait_id_t *id)
{
	*id = 0;
	return ompt_state_work_parallel;
}

static int get_task_info(int level, int *flags, ompt_data_t **task, ompt_frame_t **f,
			 ompt_data_t **parallel, int *number)
{
	(void)level;
	*flags = *number = 0;
	*task = &implicit;
	*f = &frame;
	*parallel = &region;
	return 2;
}

static ompt_set_result_t set_callback(ompt_callbacks_t event, ompt_callback_t function)
{
	callbacks[event] = function;
	return ompt_set_always;
}

static ompt_interface_fn_t lookup(const char *name)
{
	return strcmp(name, "ompt_set_callback") == 0  ? (ompt_interface_fn_t)set_callback :
	       strcmp(name, "ompt_get_state") == 0     ? (ompt_interface_fn_t)get_state :
	       strcmp(name, "ompt_get_task_info") == 0 ? (ompt_interface_fn_t)get_task_info :
							 NULL;
}

static void setup(void)
{
	ompt_start_tool_result_t *tool;

	writer_setup();
	setenv("OMPHWC_OUTPUT", profile, 1);
	setenv("OMPHWC_DEPENDENCES", "1", 1);
	tool = ompt_start_tool(201811, "test");
	ck_assert_ptr_nonnull(tool);
	ck_assert_int_eq(tool->initialize(lookup, 0, &tool->tool_data), 1);
	TELL(ompt_callback_thread_begin, ompt_thread_initial, &initial);
	TELL(ompt_callback_parallel_begin, &initial, &frame, &region, 1, ompt_parallel_team, HERE);
	TELL(ompt_callback_implicit_task, ompt_scope_begin, &region, &implicit, 2, 0,
	     ompt_task_implicit);
}

/* ---- the application -------------------------------------------------- */

enum { TASKS = 8 };

/* The tasks of a test, and how long each took. */
static ompt_data_t task[TASKS];
static uint64_t took[TASKS];
static int x, y;

static void spend(int i)
{
	const uint64_t begin = ticks_now(), ns = clock_ns(CLOCK_MONOTONIC);

	while (clock_ns(CLOCK_MONOTONIC) - ns < 4000000)
		;
	took[i] += ticks_now() - begin;
}

/* In each of the callers a site of its own. */
static inline __attribute__((always_inline)) void
create(ompt_data_t *by, int i, int flags, const void *variable, ompt_dependence_type_t kind)
{
	const ompt_dependence_t on = { .variable.ptr = (void *)(uintptr_t)variable,
				       .dependence_type = kind };

	TELL(ompt_callback_task_create, by, &frame, &task[i], ompt_task_explicit | flags,
	     variable != NULL, HERE);
	if (variable != NULL)
		TELL(ompt_callback_dependences, &task[i], &on, 1);
}

static __attribute__((noinline)) void writes(int i, const void *variable)
{
	create(&implicit, i, 0, variable, ompt_dependence_type_inout);
}

static __attribute__((noinline)) void reads(int i, const void *variable)
{
	create(&implicit, i, 0, variable, ompt_dependence_type_in);
}

static __attribute__((noinline)) void plain(ompt_data_t *by, int i, int flags)
{
	create(by, i, flags, NULL, ompt_dependence_type_in);
}

static void begins(int i)
{
	TELL(ompt_callback_task_schedule, &implicit, ompt_task_switch, &task[i]);
}

static void ends(int i, ompt_data_t *next)
{
	TELL(ompt_callback_task_schedule, &task[i], ompt_task_complete, next);
}

static void runs(int i)
{
	begins(i);
	spend(i);
	ends(i, &implicit);
}

static void waited(ompt_sync_region_t kind)
{
	TELL(ompt_callback_sync_region, kind, ompt_scope_end, &region, &implicit, HERE);
}

/* ---- what the profile says -------------------------------------------- */

/* How often one that names its variable so depends on one that does like that. */
static uint64_t counted(unsigned kind, unsigned on)
{
	const struct prof_file *f = read_back();
	uint64_t sum = 0;

	for (size_t i = 0; i < f->nnodes; i++)
		if (f->nodes[i].kind == PROF_NODE_STATS &&
		    f->nodes[i].flags == PROF_STATS_DEPENDENCE &&
		    f->nodes[i].event == (on << 4 | kind))
			sum += f->nodes[i].a;
	return sum;
}

static uint64_t longer(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* The path took so long, but for what callbacks take; and all tasks what they took. */
static void ck_path(uint64_t expected)
{
	const struct prof_file *f = read_back();
	uint64_t path = 0, all = 0, work = 0;

	for (size_t i = 0; i < f->nnodes; i++)
		if (f->nodes[i].kind == PROF_NODE_STATS && f->nodes[i].flags == PROF_STATS_PATH) {
			path = longer(path, f->nodes[i].a);
			work += f->nodes[i].b;
		}
	for (int i = 0; i < TASKS; i++)
		all += took[i];
	ck_assert_uint_ge(path, expected);
	ck_assert_uint_ge(work, all);
	/* Half of one of the tasks. */
	ck_assert_uint_lt(path, expected + took[0] / 2);
	ck_assert_uint_lt(work, all + took[0] / 2);
}

/* Two chains of two, and one that reads what the first one wrote. */
START_TEST(chains_and_their_reader)
{
	for (int i = 0; i < 4; i++)
		writes(i, i % 2 == 0 ? &x : &y);
	reads(4, &x);
	for (int i = 0; i < 5; i++)
		runs(i);
	ck_assert_uint_eq(counted(PROF_DEPENDENCE_INOUT, PROF_DEPENDENCE_INOUT), 2);
	ck_assert_uint_eq(counted(PROF_DEPENDENCE_IN, PROF_DEPENDENCE_INOUT), 1);
	ck_path(longer(took[0] + took[2] + took[4], took[1] + took[3]));
}
END_TEST

/* They don't depend on each other; who writes then depends on each. */
START_TEST(readers_are_a_group)
{
	writes(0, &x);
	for (int i = 1; i < 4; i++)
		reads(i, &x);
	writes(4, &x);
	for (int i = 0; i < 5; i++)
		runs(i);
	ck_assert_uint_eq(counted(PROF_DEPENDENCE_IN, PROF_DEPENDENCE_INOUT), 3);
	ck_assert_uint_eq(counted(PROF_DEPENDENCE_IN, PROF_DEPENDENCE_IN), 0);
	ck_assert_uint_eq(counted(PROF_DEPENDENCE_INOUT, PROF_DEPENDENCE_IN), 3);
	ck_path(took[0] + longer(took[1], longer(took[2], took[3])) + took[4]);
}
END_TEST

/* What is created after a wait begins after what was waited for; without one it does not. */
START_TEST(a_wait_leads_on)
{
	static const ompt_sync_region_t kinds[] = { ompt_sync_region_taskwait,
						    ompt_sync_region_taskgroup,
						    ompt_sync_region_barrier_explicit };

	if (kinds[_i % 3] == ompt_sync_region_taskgroup)
		TELL(ompt_callback_sync_region, kinds[_i], ompt_scope_begin, &region, &implicit,
		     HERE);
	plain(&implicit, 0, 0);
	runs(0);
	if (_i < 3)
		waited(kinds[_i]);
	plain(&implicit, 1, 0);
	runs(1);
	ck_path(_i < 3 ? took[0] + took[1] : longer(took[0], took[1]));
}
END_TEST

/* A task begins on the path when its creator has come to its creation. */
START_TEST(creation_leads_on)
{
	plain(&implicit, 0, 0);
	begins(0);
	spend(0);
	plain(&task[0], 1, 0);
	ends(0, &implicit);
	runs(1);
	ck_path(took[0] + took[1]);
}
END_TEST

/* Its creator goes on when it has ended. */
START_TEST(undeferred_tasks_lead_on)
{
	plain(&implicit, 0, 0);
	begins(0);
	plain(&task[0], 1, (int)ompt_task_undeferred);
	TELL(ompt_callback_task_schedule, &task[0], ompt_task_switch, &task[1]);
	spend(1);
	ends(1, &task[0]);
	spend(0);
	ends(0, &implicit);
	ck_path(took[0] + took[1]);
}
END_TEST

/* The same address among the children of another task is another dependence. */
START_TEST(only_siblings_depend_on_each_other)
{
	writes(0, &x);
	plain(&implicit, 1, 0);
	runs(0);
	begins(1);
	create(&task[1], 2, 0, &x, ompt_dependence_type_inout);
	ends(1, &implicit);
	runs(2);
	ck_assert_uint_eq(counted(PROF_DEPENDENCE_INOUT, PROF_DEPENDENCE_INOUT), 0);
	ck_path(longer(took[0], took[2]));
}
END_TEST

static void depends(int i, const void *variable, ompt_dependence_type_t kind)
{
	const ompt_dependence_t on = { .variable.ptr = (void *)(uintptr_t)variable,
				       .dependence_type = kind };

	TELL(ompt_callback_dependences, &task[i], &on, 1);
}

/* As if it named it once, as the stronger of both. */
START_TEST(a_variable_may_be_named_twice)
{
	reads(0, &x);
	depends(0, &x, ompt_dependence_type_in);
	writes(1, &x);
	depends(1, &x, ompt_dependence_type_inout);
	reads(2, &x);
	depends(2, &x, ompt_dependence_type_out);
	for (int i = 0; i < 3; i++)
		runs(i);
	ck_assert_uint_eq(counted(PROF_DEPENDENCE_IN, PROF_DEPENDENCE_IN), 0);
	ck_assert_uint_eq(counted(PROF_DEPENDENCE_INOUT, PROF_DEPENDENCE_IN), 1);
	ck_assert_uint_eq(counted(PROF_DEPENDENCE_INOUT, PROF_DEPENDENCE_INOUT), 0);
	ck_assert_uint_eq(counted(PROF_DEPENDENCE_IN, PROF_DEPENDENCE_INOUT), 1);
	ck_assert_uint_eq(counted(PROF_DEPENDENCE_OUT, PROF_DEPENDENCE_IN), 0);
	ck_path(took[0] + took[1] + took[2]);
}
END_TEST

/* It is any variable: also those that are not named yet, and one without an address. */
START_TEST(all_memory_is_each_variable)
{
	writes(0, &x);
	create(&implicit, 1, 0, &y, ompt_dependence_type_inout);
	depends(1, NULL, ompt_dependence_type_inout);
	plain(&implicit, 2, 0);
	depends(2, &x, ompt_dependence_type_out_all_memory);
	reads(3, &x);
	plain(&implicit, 4, 0);
	depends(4, NULL, ompt_dependence_type_inout);
	plain(&implicit, 5, 0);
	depends(5, NULL, ompt_dependence_type_inout_all_memory);
	depends(5, &y, ompt_dependence_type_in);
	plain(&implicit, 6, 0);
	depends(6, NULL, ompt_dependence_type_out_all_memory);
	plain(&implicit, 7, 0);
	for (int i = 0; i < TASKS; i++)
		runs(i);
	/* Task 1 names two variables. */
	ck_assert_uint_eq(counted(PROF_DEPENDENCE_ALL_MEMORY, PROF_DEPENDENCE_INOUT), 3 + 1);
	ck_assert_uint_eq(counted(PROF_DEPENDENCE_ALL_MEMORY, PROF_DEPENDENCE_IN), 1);
	ck_assert_uint_eq(counted(PROF_DEPENDENCE_ALL_MEMORY, PROF_DEPENDENCE_ALL_MEMORY), 1);
	ck_assert_uint_eq(counted(PROF_DEPENDENCE_IN, PROF_DEPENDENCE_ALL_MEMORY), 1);
	ck_assert_uint_eq(counted(PROF_DEPENDENCE_INOUT, PROF_DEPENDENCE_ALL_MEMORY), 1);
	ck_path(longer(took[0], took[1]) + took[2] + longer(took[3], took[4]) + took[5] + took[6]);
}
END_TEST

START_TEST(a_wait_for_all_memory_leads_on)
{
	writes(0, &x);
	writes(1, &y);
	create(&implicit, 2, (int)ompt_task_taskwait, &x, ompt_dependence_type_inout_all_memory);
	runs(0);
	runs(1);
	TELL(ompt_callback_task_schedule, &task[2], ompt_taskwait_complete, NULL);
	plain(&implicit, 3, 0);
	runs(3);
	ck_path(longer(took[0], took[1]) + took[3]);
}
END_TEST

START_TEST(many_variables_are_kept)
{
	enum { MANY = 300000 };
	static char of[MANY];

	for (int i = 0; i < 2; i++) {
		plain(&implicit, i, 0);
		for (int k = 0; k < MANY; k++)
			depends(i, &of[k], ompt_dependence_type_inout);
		runs(i);
	}
	ck_assert_uint_eq(counted(PROF_DEPENDENCE_INOUT, PROF_DEPENDENCE_INOUT), MANY);
	ck_path(took[0] + took[1]);
}
END_TEST

/* The creator waits for the tasks on which the wait depends, and goes on. */
START_TEST(a_wait_for_dependences_leads_on)
{
	writes(0, &x);
	writes(1, &y);
	create(&implicit, 2, (int)ompt_task_taskwait, &x, ompt_dependence_type_in);
	runs(1);
	runs(0);
	TELL(ompt_callback_task_schedule, &task[2], ompt_taskwait_complete, NULL);
	plain(&implicit, 3, 0);
	runs(3);
	ck_path(longer(took[1], took[0] + took[3]));
}
END_TEST

static ompt_data_t inner_region, inner;

static void begin_inside(int i)
{
	TELL(ompt_callback_parallel_begin, &task[i], &frame, &inner_region, 1, ompt_parallel_team,
	     HERE);
	/* Runtimes copy what they gave. */
	ompt_data_t copy = inner_region;

	TELL(ompt_callback_implicit_task, ompt_scope_begin, &copy, &inner, 1, 0,
	     ompt_task_implicit);
}

static void end_inside(int i)
{
	TELL(ompt_callback_implicit_task, ompt_scope_end, NULL, &inner, 1, 0, ompt_task_implicit);
	TELL(ompt_callback_parallel_end, &inner_region, &task[i], ompt_parallel_team, HERE);
}

/* Its tasks are not the outer ones' siblings; and the task goes on after it. */
START_TEST(a_region_in_a_task)
{
	writes(0, &x);
	begins(0);
	spend(0);
	begin_inside(0);
	create(&inner, 1, 0, &x, ompt_dependence_type_inout);
	TELL(ompt_callback_task_schedule, &inner, ompt_task_switch, &task[1]);
	spend(1);
	ends(1, &inner);
	end_inside(0);
	spend(0);
	ends(0, &implicit);
	writes(2, &x);
	runs(2);
	ck_assert_uint_eq(counted(PROF_DEPENDENCE_INOUT, PROF_DEPENDENCE_INOUT), 1);
	ck_path(took[0] + took[1] + took[2]);
}
END_TEST

/* Its event is fulfilled while another one runs, which goes on. */
START_TEST(a_detached_task_ends_in_another)
{
	writes(0, &x);
	begins(0);
	spend(0);
	TELL(ompt_callback_task_schedule, &task[0], ompt_task_detach, &implicit);
	plain(&implicit, 1, 0);
	begins(1);
	spend(1);
	const uint64_t first = took[1];

	TELL(ompt_callback_task_schedule, &task[0], ompt_task_late_fulfill, NULL);
	spend(1);
	ends(1, &implicit);
	writes(2, &x);
	runs(2);
	ck_path(longer(took[1], first + took[2]));
}
END_TEST

/* The end of a taskgroup waits for what its tasks create, and for nothing before it. */
START_TEST(a_taskgroup_waits_for_what_is_in_it)
{
	plain(&implicit, 4, 0);
	TELL(ompt_callback_sync_region, ompt_sync_region_taskgroup, ompt_scope_begin, &region,
	     &implicit, HERE);
	plain(&implicit, 0, 0);
	begins(0);
	spend(0);
	plain(&task[0], 1, 0);
	ends(0, &implicit);
	runs(1);
	begins(4);
	for (int i = 0; i < 4; i++)
		spend(4);
	ends(4, &implicit);
	waited(ompt_sync_region_taskgroup);
	plain(&implicit, 2, 0);
	runs(2);
	ck_path(longer(took[4], took[0] + took[1] + took[2]));
}
END_TEST

/* As where each element of a list creates the task for the next. Each is over before its children
   end. */
START_TEST(a_long_chain_of_creators)
{
	enum { LONG = 200000 };
	static ompt_data_t chain[LONG];
	const uint64_t begin = clock_ns(CLOCK_MONOTONIC);

	for (int i = 0; i < LONG; i++) {
		ompt_data_t *by = i == 0 ? &implicit : &chain[i - 1];

		TELL(ompt_callback_task_create, by, &frame, &chain[i], ompt_task_explicit, 0, HERE);
		if (i != 0)
			TELL(ompt_callback_task_schedule, by, ompt_task_complete, &implicit);
		TELL(ompt_callback_task_schedule, &implicit, ompt_task_switch, &chain[i]);
	}
	ck_assert_uint_lt(clock_ns(CLOCK_MONOTONIC) - begin, UINT64_C(20000000000));
}
END_TEST

/* They would run side by side in a larger one. */
START_TEST(a_team_of_one_defers_no_task)
{
	begin_inside(0);
	for (int i = 0; i < 2; i++) {
		plain(&inner, i, (int)ompt_task_undeferred);
		TELL(ompt_callback_task_schedule, &inner, ompt_task_switch, &task[i]);
		spend(i);
		ends(i, &inner);
	}
	end_inside(0);
	ck_path(longer(took[0], took[1]));
}
END_TEST

static void *fulfil(void *arg)
{
	(void)arg;
	TELL(ompt_callback_task_schedule, &task[0], ompt_task_late_fulfill, NULL);
	return NULL;
}

/* By a thread that is unknown to OpenMP. */
START_TEST(a_detached_task_ends_elsewhere)
{
	pthread_t thread;

	writes(0, &x);
	begins(0);
	spend(0);
	TELL(ompt_callback_task_schedule, &task[0], ompt_task_detach, &implicit);
	ck_assert_int_eq(pthread_create(&thread, NULL, fulfil, NULL), 0);
	pthread_join(thread, NULL);
	writes(1, &x);
	runs(1);
	ck_path(took[0] + took[1]);
}
END_TEST

static sem_t go_on, is_done;
static ompt_data_t second;

static void *leaves_late(void *arg)
{
	static ompt_data_t worker;

	(void)arg;
	TELL(ompt_callback_thread_begin, ompt_thread_worker, &worker);
	TELL(ompt_callback_implicit_task, ompt_scope_begin, &region, &second, 2, 1,
	     ompt_task_implicit);
	TELL(ompt_callback_sync_region, ompt_sync_region_barrier_explicit, ompt_scope_begin,
	     &region, &second, HERE);
	sem_post(&is_done);
	sem_wait(&go_on);
	TELL(ompt_callback_sync_region, ompt_sync_region_barrier_explicit, ompt_scope_end, &region,
	     &second, HERE);
	plain(&second, 2, 0);
	TELL(ompt_callback_task_schedule, &second, ompt_task_switch, &task[2]);
	spend(2);
	ends(2, &second);
	return NULL;
}

/* What others did since counts for the next barrier. */
START_TEST(a_barrier_is_left_late)
{
	pthread_t thread;

	sem_init(&go_on, 0, 0);
	sem_init(&is_done, 0, 0);
	ck_assert_int_eq(pthread_create(&thread, NULL, leaves_late, NULL), 0);
	sem_wait(&is_done);
	plain(&implicit, 0, 0);
	runs(0);
	TELL(ompt_callback_sync_region, ompt_sync_region_barrier_explicit, ompt_scope_begin,
	     &region, &implicit, HERE);
	waited(ompt_sync_region_barrier_explicit);
	plain(&implicit, 1, 0);
	runs(1);
	sem_post(&go_on);
	pthread_join(thread, NULL);
	TELL(ompt_callback_sync_region, ompt_sync_region_barrier_explicit, ompt_scope_begin,
	     &region, &implicit, HERE);
	waited(ompt_sync_region_barrier_explicit);
	plain(&implicit, 3, 0);
	runs(3);
	ck_path(took[0] + longer(took[1], took[2]) + took[3]);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("depend");
	TCase *c = tcase_create("depend");

	tcase_add_checked_fixture(c, setup, writer_teardown);
	tcase_set_timeout(c, 60);
	tcase_add_test(c, chains_and_their_reader);
	tcase_add_test(c, readers_are_a_group);
	tcase_add_loop_test(c, a_wait_leads_on, 0, 4);
	tcase_add_test(c, creation_leads_on);
	tcase_add_test(c, undeferred_tasks_lead_on);
	tcase_add_test(c, only_siblings_depend_on_each_other);
	tcase_add_test(c, a_variable_may_be_named_twice);
	tcase_add_test(c, all_memory_is_each_variable);
	tcase_add_test(c, a_wait_for_all_memory_leads_on);
	tcase_add_test(c, many_variables_are_kept);
	tcase_add_test(c, a_wait_for_dependences_leads_on);
	tcase_add_test(c, a_region_in_a_task);
	tcase_add_test(c, a_detached_task_ends_in_another);
	tcase_add_test(c, a_detached_task_ends_elsewhere);
	tcase_add_test(c, a_barrier_is_left_late);
	tcase_add_test(c, a_team_of_one_defers_no_task);
	tcase_add_test(c, a_taskgroup_waits_for_what_is_in_it);
	tcase_add_test(c, a_long_chain_of_creators);
	suite_add_tcase(s, c);
	return suite_main(s);
}

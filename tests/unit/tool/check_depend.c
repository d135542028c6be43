/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_depend.c - tasks that depend on each other: what is counted, and the longest path.
 *
 * The test is the runtime, and runs tasks one after the other on its thread. It notes how long each
 * took, so that the path is known.
 */
#include "config.h"

#include <check.h>
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
	TELL(ompt_callback_implicit_task, ompt_scope_begin, &region, &implicit, 1, 0,
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

/* The path took so long, but for what callbacks take; and all tasks what they took. */
static void ck_path(uint64_t expected)
{
	const struct prof_file *f = read_back();
	uint64_t path = 0, all = 0, work = 0;

	for (size_t i = 0; i < f->nnodes; i++)
		if (f->nodes[i].kind == PROF_NODE_STATS && f->nodes[i].flags == PROF_STATS_PATH) {
			path = f->nodes[i].a;
			work = f->nodes[i].b;
		}
	for (int i = 0; i < TASKS; i++)
		all += took[i];
	ck_assert_uint_ge(path, expected);
	ck_assert_uint_ge(work, all);
	/* Half of one of the tasks. */
	ck_assert_uint_lt(path, expected + took[0] / 2);
	ck_assert_uint_lt(work, all + took[0] / 2);
}

static uint64_t longer(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
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
	suite_add_tcase(s, c);
	return suite_main(s);
}

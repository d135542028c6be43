/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompt_depend.c - see ompt_parts.h.
 *
 * ompt_callback_task_dependence is not registered: runtimes report it only for a task that has not
 * ended when the other is created. The variables show all.
 */
#include "config.h"

#include "ompt_tool/runtime/ompt_parts.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

#include "ompt_tool/omp/depend.h"
#include "ompt_tool/omp/region.h"
#include "ompt_tool/runtime/calling_thread.h"
#include "ompt_tool/runtime/runtime_host.h"

/* Owned by this file; set before any callback. Those whose place ours take, or NULL. */
static ompt_callback_task_create_t create_below;
static ompt_callback_task_schedule_t schedule_below;
static ompt_callback_sync_region_t sync_below, wait_below;
static ompt_callback_parallel_begin_t parallel_begin_below;
static ompt_callback_parallel_end_t parallel_end_below;
static ompt_callback_implicit_task_t implicit_below;

/* The calling thread, if it can write to the profile; else NULL. */
static struct omp_thread *writer(void)
{
	struct omp_thread *t = depend_on() ? calling_thread_known() : NULL;

	return calling_thread_is_ready(t) ? t : NULL;
}

static void on_task_create(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *created,
			   int flags, int has_dependences, const void *call)
{
	const bool waits = (flags & ompt_task_taskwait) != 0;

	create_below(task, frame, created, flags, has_dependences, call);
	struct omp_thread *t = writer();

	if (t && created && (flags & ompt_task_initial) == 0 &&
	    (waits || token_is_task(created->value)))
		depend_created(t, created, waits ? 0 : created->value,
			       (flags & ompt_task_undeferred) != 0);
}

static void on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
	const bool ends = status == ompt_task_complete || status == ompt_task_cancel;
	const bool elsewhere = status == ompt_task_late_fulfill || status == ompt_taskwait_complete;

	schedule_below(prior, status, next);
	struct omp_thread *t = writer();

	if (elsewhere && depend_on())
		depend_ended(t, prior);
	else if (t && next)
		depend_switch(t, ends ? prior : NULL, next);
}

/* For omp_all_memory LLVM's runtimes 14 and 16 set none. */
static void note_unknown_kind(int kind)
{
	static atomic_flag noted = ATOMIC_FLAG_INIT;
	char line[192];

	if (atomic_flag_test_and_set(&noted))
		return;
	snprintf(line, sizeof(line),
		 "the OpenMP runtime reports a dependence of an unknown kind (%d): which tasks it "
		 "lets wait is not known, and the longest path may be too short",
		 kind);
	runtime_host.note(line);
}

static void on_dependences(ompt_data_t *task, const ompt_dependence_t *all, int n)
{
	struct omp_thread *t = writer();

	for (int i = 0; t && task && i < n; i++)
		switch (all[i].dependence_type) {
		case ompt_dependence_type_in:
		case ompt_dependence_type_out:
		case ompt_dependence_type_inout:
		case ompt_dependence_type_mutexinoutset:
		case ompt_dependence_type_inoutset:
			depend_variable(t, task, all[i].variable.ptr,
					(enum prof_dependence)all[i].dependence_type);
			break;
		case ompt_dependence_type_out_all_memory:
		case ompt_dependence_type_inout_all_memory:
			depend_variable(t, task, NULL, PROF_DEPENDENCE_ALL_MEMORY);
			break;
		case ompt_dependence_type_source:
		case ompt_dependence_type_sink: break; /* of iterations */
		default: note_unknown_kind((int)all[i].dependence_type);
		}
}

static void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
			   ompt_data_t *parallel, ompt_data_t *task, const void *call)
{
	if (sync_below)
		sync_below(kind, endpoint, parallel, task, call);
	struct omp_thread *t = writer();

	const bool group = kind == ompt_sync_region_taskgroup;
	const bool barrier = !group && kind != ompt_sync_region_taskwait;

	if (!t || kind == ompt_sync_region_reduction)
		return;
	if (endpoint == ompt_scope_begin && group)
		depend_group_begins(t);
	else if (endpoint == ompt_scope_begin && barrier)
		depend_comes(t);
	else if (endpoint == ompt_scope_end && group)
		depend_group_ends(t);
	else if (endpoint == ompt_scope_end)
		depend_waited(t, barrier);
}

static void on_sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
				ompt_data_t *parallel, ompt_data_t *task, const void *call)
{
	if (wait_below)
		wait_below(kind, endpoint, parallel, task, call);
	struct omp_thread *t = writer();

	if (t)
		depend_waiting(t, endpoint == ompt_scope_begin);
}

/* The value, not the address, which may be that of a copy. */
static const void *name_of(const ompt_data_t *parallel)
{
	return parallel ? (const void *)(uintptr_t)parallel->value : NULL;
}

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
			      unsigned int requested, int flags, const void *call)
{
	parallel_begin_below(task, frame, parallel, requested, flags, call);
	struct omp_thread *t = writer();

	if (t)
		depend_team_begins(t, name_of(parallel));
}

static void on_parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *call)
{
	const void *name = name_of(parallel);

	parallel_end_below(parallel, task, flags, call);
	struct omp_thread *t = writer();

	if (t)
		depend_team_ends(t, name);
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
			     ompt_data_t *task, unsigned int team, unsigned int index, int flags)
{
	implicit_below(endpoint, parallel, task, team, index, flags);
	struct omp_thread *t = writer();

	if (t && endpoint == ompt_scope_begin)
		depend_implicit_begins(t, name_of(parallel), team, index);
	else if (t && endpoint == ompt_scope_end)
		depend_implicit_ends(t);
}

void ompt_depend_register(ompt_set_callback_t set)
{
	/* clang-format off */
	static const struct ompt_registration callbacks[] = {
		{ ompt_callback_task_create, (ompt_callback_t)on_task_create, "task_create",
		  "which tasks there are" },
		{ ompt_callback_task_schedule, (ompt_callback_t)on_task_schedule, "task_schedule",
		  "how many tasks ran, where and how long" },
		{ ompt_callback_dependences, (ompt_callback_t)on_dependences, "dependences",
		  "which tasks depend on which" },
		{ ompt_callback_sync_region, (ompt_callback_t)on_sync_region, "sync_region",
		  "which tasks were waited for" },
		{ ompt_callback_sync_region_wait, (ompt_callback_t)on_sync_region_wait,
		  "sync_region_wait", "when tasks wait" },
		{ ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin,
		  "parallel_begin", "which teams there are" },
		{ ompt_callback_parallel_end, (ompt_callback_t)on_parallel_end, "parallel_end",
		  "when teams end" },
		{ ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task, "implicit_task",
		  "who is in a team" },
	};
	/* clang-format on */

	create_below = (ompt_callback_task_create_t)ompt_registered(ompt_callback_task_create);
	schedule_below =
		(ompt_callback_task_schedule_t)ompt_registered(ompt_callback_task_schedule);
	sync_below = (ompt_callback_sync_region_t)ompt_registered(ompt_callback_sync_region);
	wait_below = (ompt_callback_sync_region_t)ompt_registered(ompt_callback_sync_region_wait);
	parallel_begin_below =
		(ompt_callback_parallel_begin_t)ompt_registered(ompt_callback_parallel_begin);
	parallel_end_below =
		(ompt_callback_parallel_end_t)ompt_registered(ompt_callback_parallel_end);
	implicit_below =
		(ompt_callback_implicit_task_t)ompt_registered(ompt_callback_implicit_task);
	ompt_register(set, callbacks, sizeof(callbacks) / sizeof(*callbacks));
}

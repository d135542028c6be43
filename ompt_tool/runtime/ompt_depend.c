/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompt_depend.c - see ompt_parts.h.
 *
 * ompt_callback_task_dependence is not registered: runtimes report it only for a task that has not
 * ended when the other is created. The variables show all.
 */
#include "config.h"

#include "ompt_tool/runtime/ompt_parts.h"

#include <stddef.h>

#include "ompt_tool/omp/depend.h"
#include "ompt_tool/omp/region.h"
#include "ompt_tool/runtime/calling_thread.h"

/* Owned by this file; set before any callback. Those whose place ours take, or NULL. */
static ompt_callback_task_create_t create_below;
static ompt_callback_task_schedule_t schedule_below;
static ompt_callback_sync_region_t sync_below;

/* The calling thread, if it can write to the profile; else NULL. */
static struct omp_thread *writer(void)
{
	struct omp_thread *t = depend_on() ? calling_thread_known() : NULL;

	return calling_thread_is_ready(t) ? t : NULL;
}

static void on_task_create(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *created,
			   int flags, int has_dependences, const void *call)
{
	const uint64_t by = task ? task->value : 0;

	create_below(task, frame, created, flags, has_dependences, call);
	struct omp_thread *t = writer();

	if (t && created && token_is_task(created->value) &&
	    (flags & (ompt_task_initial | ompt_task_taskwait)) == 0)
		depend_created(t, by, created, created->value, (flags & ompt_task_undeferred) != 0);
}

static void on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
	const bool ends = status == ompt_task_complete || status == ompt_task_cancel ||
			  status == ompt_task_late_fulfill;

	schedule_below(prior, status, next);
	struct omp_thread *t = writer();

	if (t && (next || status == ompt_task_late_fulfill))
		depend_switch(t, ends ? prior : NULL, next);
}

static void on_dependences(ompt_data_t *task, const ompt_dependence_t *all, int n)
{
	struct omp_thread *t = writer();

	for (int i = 0; t && task && i < n; i++)
		if (all[i].dependence_type != ompt_dependence_type_source &&
		    all[i].dependence_type != ompt_dependence_type_sink &&
		    (unsigned)all[i].dependence_type < PROF_DEPENDENCE_KINDS)
			depend_variable(t, task, all[i].variable.ptr,
					(enum prof_dependence)all[i].dependence_type);
}

static void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
			   ompt_data_t *parallel, ompt_data_t *task, const void *call)
{
	if (sync_below)
		sync_below(kind, endpoint, parallel, task, call);
	struct omp_thread *t = writer();

	if (t && endpoint == ompt_scope_end && kind != ompt_sync_region_reduction)
		depend_waited(t, kind != ompt_sync_region_taskwait &&
					 kind != ompt_sync_region_taskgroup);
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
	};
	/* clang-format on */

	create_below = (ompt_callback_task_create_t)ompt_registered(ompt_callback_task_create);
	schedule_below =
		(ompt_callback_task_schedule_t)ompt_registered(ompt_callback_task_schedule);
	sync_below = (ompt_callback_sync_region_t)ompt_registered(ompt_callback_sync_region);
	ompt_register(set, callbacks, sizeof(callbacks) / sizeof(*callbacks));
}

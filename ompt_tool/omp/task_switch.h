/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task_switch.h - a thread begins an explicit task, goes on with one, or leaves it.
 *
 * Inline, since each task does so. For callbacks, on t's own thread; takes no lock, and makes
 * no system call but for a chunk of the profile now and then.
 */
#ifndef OMPHWC_OMPT_TOOL_OMP_TASK_SWITCH_H
#define OMPHWC_OMPT_TOOL_OMP_TASK_SWITCH_H

#include <stdbool.h>
#include <stdint.h>

#include "ompt_tool/machine/ticks.h"
#include "ompt_tool/omp/omp_thread.h"
#include "ompt_tool/omp/region.h"
#include "ompt_tool/omp/stats.h"

/* The thread runs the task with this token from now on; begins: for the first time.
   Only explicit tasks are counted. */
static inline void task_switch(struct omp_thread *t, uint64_t token, bool begins)
{
	const struct task_run *r = NULL;
	const uint64_t now = ticks_now();

	if (t->running.time && process.writer.base)
		*t->running.time += now - t->running.since;
	if (token_is_task(token))
		r = stats_task_run(t, token);
	t->running.time = r ? r->time : NULL;
	t->running.since = now;
	if (!begins || !r || !r->run)
		return;
	r->run[0]++;
	r->run[1] += task_creator(token) != (uint16_t)t->index;
}

#endif

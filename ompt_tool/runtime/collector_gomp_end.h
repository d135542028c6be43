/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collector_gomp_end.h - whether a thread of libgomp's is at the end of a region: it has left the
 * region's body as its master, and not yet the region.
 *
 * What it waits for until JOIN is that region's end, but for the waits of tasks that it runs
 * there. All concerns the calling thread, in callbacks.
 */
#ifndef OMPHWC_OMPT_TOOL_RUNTIME_COLLECTOR_GOMP_END_H
#define OMPHWC_OMPT_TOOL_RUNTIME_COLLECTOR_GOMP_END_H

#include <stdbool.h>
#include <stdint.h>

#include "ompt_tool/collector/gomp_thread.h"

/* at_end: the thread is at the end of a region that it is master of. around: the task that
   encountered that, or NULL; innermost while the thread runs no task there. Owned by
   collector_gomp.c. */
struct gomp_end {
	bool at_end;
	const struct gomp_task *around;
};
extern __thread struct gomp_end gomp_end
	__attribute__((visibility("hidden"), tls_model("initial-exec")));

/* The events IMPLICIT_END and JOIN. */
static inline void gomp_end_begins(const struct gomp_thread *g)
{
	gomp_end.at_end = g->task->number == 0;
	gomp_end.around = g->task->below;
}

static inline void gomp_end_is_over(void)
{
	gomp_end.at_end = false;
}

/* Whether it waits for the others at the region's end. */
static inline bool gomp_at_end(const struct gomp_thread *g)
{
	return gomp_end.at_end && g->task == gomp_end.around;
}

/* A task's token. Below a task without one (a team of a host's teams construct, a region that was
   forked in a pause) the frames are walked on. */
static inline uint64_t gomp_token_of(const struct gomp_task *task)
{
	return task->kind == GOMP_TASK_IMPLICIT ? task->team_data : task->data;
}

/* The token of the task that goes on when the innermost one ends, or 0. */
static inline uint64_t gomp_token_below(const struct gomp_thread *g)
{
	const struct gomp_task *below = g->task->below;

	return !below || (gomp_end.at_end && below == gomp_end.around) ? g->last_team_data :
									 gomp_token_of(below);
}

#endif

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

/* Counts the time of the explicit task that has run until now, if one has. */
static inline void task_stops(const struct omp_thread *t, uint64_t now)
{
	if (t->task_time != 0 && process.writer.base)
		cct_node(&process.writer, t->task_time)->a += now - t->task_ticks;
}

/* Counts a task with this token, which begins. */
static inline void task_is_run(const struct omp_thread *t, const struct task_run *r, uint64_t token)
{
	struct prof_node *const node = cct_node(&process.writer, r->node);

	node->a++;
	node->b += task_creator(token) != (uint16_t)t->index;
}

/* The thread runs the task with this token from now on; begins: for the first time.
   Only explicit tasks are counted. */
static inline void task_switch(struct omp_thread *t, uint64_t token, bool begins)
{
	const struct task_run *r = NULL;
	const uint64_t now = ticks_now();

	task_stops(t, now);
	if (token_is_task(token))
		r = stats_task_run(t, token);
	t->task_time = r ? r->time : 0;
	t->task_ticks = now;
	if (begins && r && r->node != 0)
		task_is_run(t, r, token);
}

/* The explicit task with this token begins, where its nodes are known: it calls nothing. Otherwise
   false, and nothing is done. */
static inline bool task_begins_again(struct omp_thread *t, uint64_t *token)
{
	const uint64_t new = *token;
	const struct task_run *const r = stats_task_run_at(t, new);

	if (__builtin_expect(r->key != token_key(new) || r->node == 0, 0))
		return false;
	*token = new | TOKEN_TASK_BEGUN;
	const uint64_t now = ticks_now();

	task_stops(t, now);
	t->task_time = r->time;
	t->task_ticks = now;
	task_is_run(t, r, new);
	return true;
}

/* An explicit task ends, and the thread goes on with none, as the token tells: likewise. */
static inline bool task_ends_last(struct omp_thread *t, uint64_t next)
{
	if (__builtin_expect(token_is_task(next), 0))
		return false;
	task_stops(t, ticks_now());
	t->task_time = 0;
	return true;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * meters.h - tasks that are counted without events: struct gomp_meters.
 *
 * Inline, since each task does so. For the thread that runs the task.
 */
#ifndef OMPHWC_OMPT_TOOL_GOMP_METERS_H
#define OMPHWC_OMPT_TOOL_GOMP_METERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ompt_tool/gomp/gomp_events.h"
#include "ompt_tool/machine/ticks.h"

/* The thread's meters, while they are there; else NULL. */
static inline const struct gomp_meters *meters_of(const struct self *s)
{
	const struct gomp_meters *const m = s->t.meters;

	return m && *m->alive != 0 && *m->ready == &s->t ? m : NULL;
}

/* The task begins. False where it has no meter: nothing is done. */
static inline __attribute__((always_inline)) bool meter_begins(const struct self *s,
							       struct self_task *k)
{
	const struct gomp_meters *const m = meters_of(s);
	const uint64_t word = k->task.data;

	k->series = 0;
	if (!__builtin_expect(m && !s->reporting &&
				      event_callback(GOMP_EVENT_TASK_BEGIN) == m->begin &&
				      (k->task.flags & GOMP_CREATED_TASKLOOP) == 0,
			      1))
		return false;
	const struct gomp_meter *const meter = &m->meter[word >> 32 & (GOMP_METERS - 1)];
	uint64_t *const begun = meter->begun;

	if (!__builtin_expect(begun && meter->key == (word & ~m->varies), 1))
		return false;
	const struct gomp_task *const below = k->task.below;
	struct gomp_running *const r = m->running;

	k->task.data = word | m->begun;
	k->series = m->series;
	/* Not what an end that was not reported has left. */
	k->below_ticks = below && below->kind != GOMP_TASK_IMPLICIT ? r->ticks : NULL;
	begun[0]++;
	begun[1] += (word & m->varies) != m->own;
	const uint64_t now = ticks_now();

	if (r->ticks)
		*r->ticks += now - r->since;
	r->ticks = meter->ticks;
	r->since = now;
	return true;
}

/* The task ends. False where it had no meter, or where that is gone: nothing is done. */
static inline __attribute__((always_inline)) bool meter_ends(const struct self *s,
							     const struct self_task *k)
{
	const struct gomp_meters *const m = meters_of(s);

	if (!__builtin_expect(m && !s->reporting && event_callback(GOMP_EVENT_TASK_END) == m->end &&
				      k->series == m->series,
			      1))
		return false;
	struct gomp_running *const r = m->running;
	const uint64_t now = ticks_now();

	if (r->ticks)
		*r->ticks += now - r->since;
	r->ticks = k->below_ticks;
	r->since = now;
	return true;
}

#endif

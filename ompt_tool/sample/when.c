/* SPDX-License-Identifier: BSD-3-Clause */
/* when.c - see when.h. */
#include "config.h"

#include "ompt_tool/sample/when.h"

#include "ompt_tool/sample/handler.h"
#include "ompt_tool/sample/sampling.h"
#include "ompt_tool/sample/thread.h"
#include "ompt_tool/tree/cct.h"
#include "ompt_tool/tree/timeline.h"

/* Since when a sample of a wall clock lasts: one that stands for several periods, for the time
   that the thread slept.  0: it lasts no longer than usual. */
static uint64_t slept_since(struct timeline *t, const struct handler_event *e, uint64_t now_ticks)
{
	const struct pmu_event *ev = &sampling.events[e->event];
	const uint64_t since = t->wall_ticks;

	if (ev->kind != PMU_WALL)
		return 0;
	t->wall_ticks = now_ticks;
	return e->weight > 2 * ev->period ? since : 0;
}

void when_note(struct thread *t, const struct handler_event *e, uint32_t node, uint8_t state,
	       uint64_t now_ticks)
{
	const struct prof_node *n = cct_node(t->omp.cct.writer, node);
	/* A function's instructions have nodes of their own: too many to distinguish them. */
	const struct timeline_sample s = {
		.node = (uint8_t)n->info == PROF_NODE_FRAME ? n->parent : node,
		.event = (uint8_t)e->event,
		.state = state,
		.weight = e->weight,
		.since_ticks = slept_since(&t->timeline, e, now_ticks),
		.ticks = now_ticks,
	};

	timeline_count(&t->timeline, t->omp.index, &s);
}

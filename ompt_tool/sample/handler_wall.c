/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * handler_wall.c - what a sample of a wall clock counts elsewhere than in its own leaf.
 *
 * Runs under the rules of handler.c, or in ordinary code of the thread or of another one.
 */
#include "config.h"

#include "ompt_tool/sample/handler.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "ompt_tool/machine/ticks.h"
#include "ompt_tool/sample/sampling.h"
#include "ompt_tool/sample/thread.h"
#include "ompt_tool/tree/cct.h"
#include "ompt_tool/tree/timeline.h"
#include "pmu/wall.h"

void handler_count_ready(struct thread *t, const struct handler_event *e, uint64_t now_ticks)
{
	const struct prof_node *beside = cct_node(t->omp.cct.writer, t->wall.leaf);
	const uint32_t info = beside->info | PROF_NODE_INFO(0, 0, PROF_READY, 0);
	const uint32_t at =
		cct_child(&t->omp.cct, cct_link(t->omp.cct.writer, beside->parent), info, 0);
	const struct handler_event part = { .event = e->event, .weight = e->ready, .wall = true };

	if (at == 0) {
		t->omp.record->lost[PROF_LOST_NO_ROOM]++;
		return;
	}
	cct_node(t->omp.cct.writer, at)->weight += e->ready;
	cct_node(t->omp.cct.writer, at)->samples++;
	if (timeline_on)
		when_note(t, &part, t->wall.innermost, (uint8_t)(info >> 16), now_ticks);
}

static uint8_t event_of(const struct prof_node *n)
{
	return (uint8_t)(n->info >> 8);
}

static void count_there(struct thread *t, uint64_t weight)
{
	struct prof_node *leaf = cct_node(t->omp.cct.writer, t->wall.leaf);
	const struct handler_event e = { .event = event_of(leaf), .weight = weight, .wall = true };

	leaf->weight += weight;
	leaf->samples++;
	if (timeline_on)
		when_note(t, &e, t->wall.innermost, (uint8_t)(leaf->info >> 16), ticks_now());
}

void handler_sample_there(struct thread *t, uint64_t weight)
{
	if (weight == 0)
		return;
	if (t->wall.leaf == 0) {
		t->omp.record->lost[PROF_LOST_NO_ROOM]++;
		return;
	}
	if (t->wall.charged != 0)
		handler_charge(t, t->wall.charged,
			       event_of(cct_node(t->omp.cct.writer, t->wall.leaf)), weight);
	count_there(t, weight);
	cpus_count(t, event_of(cct_node(t->omp.cct.writer, t->wall.leaf)), weight);
}

void handler_wake(struct thread *t)
{
	t->waking = t->in_handler = true;
	atomic_signal_fence(memory_order_seq_cst);
	for (int i = 0; i < t->ncounters; i++) {
		struct pmu_counter *c = &t->counter[i];
		const uint64_t slept = c->kind == PMU_WALL ? wall_wake(c) : 0;

		if (slept == 0 || !t->omp.record)
			continue;
		t->omp.record->samples[c->event]++;
		handler_sample_there(t, slept);
	}
	t->asleep = false;
	atomic_signal_fence(memory_order_seq_cst);
	t->waking = t->in_handler = false;
}

/* A handler that began before the counters were stopped may still run in t. */
void handler_rest(struct thread *t)
{
	for (int i = 0; i < t->ncounters; i++) {
		struct pmu_counter *c = &t->counter[i];
		struct wall_share rest = { 0 };

		if (c->kind == PMU_WALL)
			wall_rest(c, t == thread_self ? 0 : t->tid, &rest);
		if (!t->omp.record || t->wall.leaf == 0 || t->in_handler)
			continue;
		if (rest.here_ns != 0) {
			t->omp.record->samples[c->event]++;
			count_there(t, rest.here_ns);
			cpus_count_there(t, c->event, rest.here_ns);
		}
		if (rest.ready_ns != 0) {
			t->omp.record->samples[c->event]++;
			handler_count_ready(t,
					    &(struct handler_event){ .event = (int)c->event,
								     .ready = rest.ready_ns },
					    ticks_now());
			cpus_count_there(t, c->event, rest.ready_ns);
		}
	}
}

/* ---- timelines ------------------------------------------------------------ */

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

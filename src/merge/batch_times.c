/* SPDX-License-Identifier: BSD-3-Clause */
/* batch_times.c - timelines and traces, as doc/profile-format.md describes. */
#include "config.h"

#include <stdlib.h>

#include "src/base/pack.h"
#include "src/merge/batch_parts.h"
#include "src/profile/reader/reader.h"

static int timelines_order(const void *a, const void *b)
{
	const struct prof_rtimeline *x = a, *y = b;

	return (x->thread > y->thread) - (x->thread < y->thread);
}

static int traces_order(const void *a, const void *b)
{
	const struct prof_rtrace *x = a, *y = b;

	return (x->thread > y->thread) - (x->thread < y->thread);
}

void batch_take_times(struct batch_times *t, struct prof_file *f, const uint32_t *numbers)
{
	*t = (struct batch_times){
		.timelines = f->timelines,
		.traces = f->traces,
		.ntimelines = f->ntimelines,
		.ntraces = f->ntraces,
		.ticks_start = f->header.ticks_start,
	};
	f->timelines = NULL;
	f->traces = NULL;
	f->ntimelines = f->ntraces = 0;
	for (size_t i = 0; i < t->ntimelines; i++)
		for (size_t k = 0; k < t->timelines[i].n; k++)
			t->timelines[i].cells[k].node = numbers[t->timelines[i].cells[k].node];
	for (size_t i = 0; i < t->ntraces; i++)
		for (size_t k = 0; k < t->traces[i].n; k++) {
			uint32_t *const context = &t->traces[i].events[k].context;

			*context = *context == PROF_NONE ? PROF_NONE : numbers[*context];
		}
	if (t->ntimelines)
		qsort(t->timelines, t->ntimelines, sizeof(*t->timelines), timelines_order);
	if (t->ntraces)
		qsort(t->traces, t->ntraces, sizeof(*t->traces), traces_order);
}

void batch_free_times(struct batch_times *t)
{
	for (size_t i = 0; i < t->ntimelines; i++)
		free(t->timelines[i].cells);
	for (size_t i = 0; i < t->ntraces; i++)
		free(t->traces[i].events);
	free(t->timelines);
	free(t->traces);
	*t = (struct batch_times){ 0 };
}

static void pack_timeline(const struct prof_rtimeline *t, uint64_t start, const uint32_t *nodes,
			  struct pack *out)
{
	uint32_t bucket = 0;

	pack_number(out, t->thread);
	pack_number(out, t->shift);
	pack_number(out, t->origin_ticks - start);
	pack_number(out, t->n);
	for (size_t i = 0; i < t->n; i++) {
		const struct prof_rcell *c = &t->cells[i];

		pack_number(out, c->bucket - bucket);
		pack_number(out, nodes[c->node]);
		pack_number(out, c->event);
		pack_number(out, c->state);
		pack_number(out, c->weight);
		pack_number(out, c->samples);
		bucket = c->bucket;
	}
}

static void pack_trace(const struct prof_rtrace *t, uint64_t start, const uint32_t *nodes,
		       struct pack *out)
{
	uint64_t ticks = start;

	pack_number(out, t->thread);
	pack_number(out, t->lost);
	pack_number(out, t->n);
	for (size_t i = 0; i < t->n; i++) {
		const struct prof_rtraced *e = &t->events[i];

		pack_number(out, e->ticks - ticks);
		pack_number(out, e->context == PROF_NONE ? 0 : nodes[e->context] + UINT64_C(1));
		pack_number(out, e->kind);
		pack_number(out, e->state);
		ticks = e->ticks;
	}
}

void batch_pack_times(const struct batch_times *t, const uint32_t *nodes, struct pack *out)
{
	struct pack times = { 0 };

	if (t->ntimelines || t->ntraces) {
		pack_number(&times, t->ntimelines);
		for (size_t i = 0; i < t->ntimelines; i++)
			pack_timeline(&t->timelines[i], t->ticks_start, nodes, &times);
		pack_number(&times, t->ntraces);
		for (size_t i = 0; i < t->ntraces; i++)
			pack_trace(&t->traces[i], t->ticks_start, nodes, &times);
	}
	pack_text(out, times.bytes, times.n);
	pack_free(&times);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* batch_values.c - columns of numbers, as doc/profile-format.md describes. */
#include "config.h"

#include <stdbool.h>
#include <stdlib.h>

#include "src/base/alloc.h"
#include "src/base/pack.h"
#include "src/merge/batch_parts.h"
#include "src/profile/reader/reader.h"

/* A node's values are almost sorted by thread. */
static void batch_values_by_thread(struct batch_value *v, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		const struct batch_value one = v[i];
		size_t at = i;

		for (; at && v[at - 1].thread > one.thread; at--)
			v[at] = v[at - 1];
		v[at] = one;
	}
}

/* Whether each b is a times one number. */
static bool batch_values_is_same(const struct batch_value *v, size_t n, uint64_t *times)
{
	size_t i = 0;

	while (i < n && !v[i].a)
		i++;
	*times = i < n ? v[i].b / v[i].a : 0;
	for (i = 0; i < n; i++)
		if (v[i].b != v[i].a * *times)
			return false;
	return true;
}

struct scratch {
	struct pack runs, as, bs;
};

static void pack_column(struct pack *out, struct scratch *s, const struct batch_value *v, size_t n)
{
	uint64_t times, a = 0, b = 0;
	const bool same = batch_values_is_same(v, n, &times);

	s->runs.n = s->as.n = s->bs.n = 0;
	/* Runs of successive threads: the distance from the thread before, and their number. */
	uint32_t before = 0;

	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && v[end].thread == v[end - 1].thread + 1; end++)
			;
		pack_number(&s->runs, v[i].thread - before);
		pack_number(&s->runs, end - i);
		before = v[end - 1].thread;
	}
	for (size_t i = 0; i < n; i++) {
		a = prof_add(a, v[i].a);
		b = prof_add(b, v[i].b);
		pack_number(&s->as, v[i].a);
		if (!same)
			pack_number(&s->bs, v[i].b);
	}
	pack_number(out, n);
	pack_number(out, a);
	pack_number(out, b);
	pack_number(out, same);
	if (same)
		pack_number(out, times);
	pack_text(out, s->runs.bytes, s->runs.n);
	pack_text(out, s->as.bytes, s->as.n);
	if (!same)
		pack_text(out, s->bs.bytes, s->bs.n);
}

void batch_pack_values(struct batch *b, struct batch_tree *t, size_t nnodes)
{
	size_t *first = alloc_zeroed(nnodes + 2, sizeof(*first));

	/* By node; those of a node as they are. */
	struct batch_value *sorted = alloc_array(NULL, t->nvalues + 1, sizeof(*sorted));

	/* While filling, first[i + 1] is where the next value of node i goes. */
	for (size_t i = 0; i < t->nvalues; i++)
		first[t->values[i].node + 2]++;
	for (size_t i = 2; i < nnodes + 2; i++)
		first[i] += first[i - 1];
	for (size_t i = 0; i < t->nvalues; i++)
		sorted[first[t->values[i].node + 1]++] = t->values[i];

	t->columns = alloc_zeroed(nnodes + 1, sizeof(*t->columns));
	free(t->values);
	t->values = NULL;
	t->nvalues = t->values_room = 0;

	struct scratch s = { 0 };

	for (size_t i = 0; i < nnodes; i++) {
		const size_t at = b->columns.n;

		if (first[i + 1] == first[i])
			continue;
		batch_values_by_thread(sorted + first[i], first[i + 1] - first[i]);
		pack_column(&b->columns, &s, sorted + first[i], first[i + 1] - first[i]);
		t->columns[t->ncolumns++] = (struct batch_column){
			.node = (uint32_t)i,
			.at = at,
			.bytes = b->columns.n - at,
		};
	}
	pack_free(&s.runs);
	pack_free(&s.as);
	pack_free(&s.bs);
	free(sorted);
	free(first);
}

/* ---- timelines and traces ---------------------------------------------- */

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

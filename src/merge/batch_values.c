/* SPDX-License-Identifier: BSD-3-Clause */
/* batch_values.c - columns of numbers, as doc/profile-format.md describes. */
#include "config.h"

#include <stdbool.h>
#include <stdlib.h>

#include "src/merge/batch_parts.h"
#include "src/profile/reader/reader.h"

#include "src/base/alloc.h"

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

/* Runs of successive threads: the distance from the thread before, and their number. */
static void pack_runs(struct pack *p, const struct batch_value *v, size_t n)
{
	uint32_t before = 0;

	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && v[end].thread == v[end - 1].thread + 1; end++)
			;
		pack_number(p, v[i].thread - before);
		pack_number(p, end - i);
		before = v[end - 1].thread;
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
	pack_runs(&s->runs, v, n);
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

static void pack_sorted(struct batch *b, struct batch_tree *t, struct batch_value *v,
			const size_t *first, size_t nnodes)
{
	struct scratch s = { 0 };

	for (size_t i = 0; i < nnodes; i++) {
		const size_t at = b->columns.n;

		if (first[i + 1] == first[i])
			continue;
		batch_values_by_thread(v + first[i], first[i + 1] - first[i]);
		pack_column(&b->columns, &s, v + first[i], first[i + 1] - first[i]);
		t->columns[t->ncolumns++] = (struct batch_column){
			.node = (uint32_t)i,
			.at = at,
			.bytes = b->columns.n - at,
		};
	}
	pack_free(&s.runs);
	pack_free(&s.as);
	pack_free(&s.bs);
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
	pack_sorted(b, t, sorted, first, nnodes);
	free(sorted);
	free(first);
}

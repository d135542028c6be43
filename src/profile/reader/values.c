/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/profile/reader/values.h"

#include <stdlib.h>

#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/profile/reader/reader.h"

/* ---- columns --------------------------------------------------------- */

void columns_free(struct prof_columns *c)
{
	if (!c)
		return;
	free(c->all);
	free(c->first);
	free(c);
}

void columns_add(struct prof_columns *c, const struct prof_column *column)
{
	c->all = grow(c->all, c->n, &c->room, sizeof(*c->all));
	c->all[c->n++] = *column;
}

void columns_sort(struct prof_columns *c, size_t nnodes)
{
	/* While filling, first[i + 1] is where the next column of node i goes. */
	uint32_t *first = alloc_zeroed(nnodes + 2, sizeof(*first));
	struct prof_column *sorted = alloc_zeroed(c->n, sizeof(*sorted));

	for (size_t i = 0; i < c->n; i++)
		first[c->all[i].node + 2]++;
	for (size_t i = 2; i < nnodes + 2; i++)
		first[i] += first[i - 1];
	for (size_t i = 0; i < c->n; i++)
		sorted[first[c->all[i].node + 1]++] = c->all[i];
	free(c->all);
	c->all = sorted;
	c->first = first;
}

uint64_t column_count(const struct prof_column *c)
{
	struct unpack u = { .at = c->bytes, .end = c->bytes + c->n };

	return unpack_number(&u);
}

static struct unpack column_part(struct unpack *u)
{
	size_t n;
	const unsigned char *bytes = unpack_text(u, &n);

	return (struct unpack){ .at = bytes, .end = bytes ? bytes + n : NULL };
}

/* A damaged column has no numbers, or fewer. */
static void column_begin(struct column_walk *w, const struct prof_column *c)
{
	struct unpack u = { .at = c->bytes, .end = c->bytes + c->n };

	*w = (struct column_walk){ .first_thread = c->first_thread, .nthreads = c->nthreads };
	w->left = unpack_number(&u);
	unpack_number(&u); /* the sums */
	unpack_number(&u);
	w->same = unpack_up_to(&u, 1);
	if (w->same)
		w->times = unpack_number(&u);
	w->runs = column_part(&u);
	w->as = column_part(&u);
	if (!w->same)
		w->bs = column_part(&u);
	if (u.damaged)
		w->left = 0;
}

/* The thread of the next number; false: the column is damaged. */
static bool column_thread(struct column_walk *w, uint64_t *thread)
{
	if (!w->run) {
		/* A thread may have several numbers: the distance is from the last one on. */
		w->next = w->next + unpack_up_to(&w->runs, UINT32_MAX) - (w->next != 0);
		w->run = unpack_up_to(&w->runs, w->left);
		if (!w->run || w->runs.damaged)
			return false;
	}
	w->run--;
	*thread = w->next++;
	return *thread < w->nthreads;
}

static bool column_next(struct column_walk *w, struct prof_rvalue *value)
{
	uint64_t thread;

	if (w->left && column_thread(w, &thread)) {
		w->left--;
		value->thread = w->first_thread + (uint32_t)thread;
		value->a = unpack_number(&w->as);
		value->b = w->same ? value->a * w->times : unpack_number(&w->bs);
		if (!w->as.damaged && !w->bs.damaged)
			return true;
	}
	w->left = 0;
	return false;
}

/* ---- values ---------------------------------------------------------- */

void prof_values_begin(struct prof_values *v, const struct prof_file *f, uint32_t node)
{
	const struct prof_columns *c = f->columns;

	*v = (struct prof_values){ .file = f, .node = node };
	if (!c)
		return;
	v->column = c->first[node];
	v->end = c->first[node + 1];
}

void prof_values_of(struct prof_values *v, const struct prof_file *f, uint32_t node,
		    uint32_t thread, uint32_t n)
{
	const struct prof_column *all = f->columns ? f->columns->all : NULL;

	prof_values_begin(v, f, node);
	/* Columns are by thread. */
	while (all && v->column < v->end &&
	       all[v->column].first_thread + (uint64_t)all[v->column].nthreads <= thread)
		v->column++;
	while (all && v->column < v->end && all[v->end - 1].first_thread >= thread + (uint64_t)n)
		v->end--;
}

bool prof_values_any(const struct prof_file *f, uint32_t node)
{
	struct prof_values v;
	struct prof_rvalue first;

	prof_values_begin(&v, f, node);
	return prof_values_next(&v, &first);
}

bool prof_values_next(struct prof_values *v, struct prof_rvalue *value)
{
	const struct prof_rnode *n = &v->file->nodes[v->node];

	if (v->file->columns) {
		while (!column_next(&v->walk, value)) {
			if (v->column == v->end)
				return false;
			column_begin(&v->walk, &v->file->columns->all[v->column++]);
		}
		/* A lock's locations are the node's own: the same for all of its threads. */
		if (n->kind == PROF_NODE_STATS && n->flags == PROF_STATS_OBJECT) {
			value->a = n->a;
			value->b = n->b;
		}
		return true;
	}
	if (v->done)
		return false;
	v->done = true;
	*value = (struct prof_rvalue){ .a = n->a, .b = n->b, .thread = n->thread };
	return true;
}

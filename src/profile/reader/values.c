/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/profile/reader/values.h"

#include "src/profile/reader/reader.h"

/* A lock's locations are the node's own: they are the same for all of its threads. */
static bool is_located(const struct prof_rnode *n)
{
	return n->kind == PROF_NODE_STATS && n->flags == PROF_STATS_OBJECT;
}

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
		if (is_located(n)) {
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

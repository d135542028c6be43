/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/tables/annotate.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/answers/ask.h"
#include "src/base/alloc.h"
#include "src/base/map.h"
#include "src/model/model.h"
#include "src/view/label.h"
#include "src/view/view.h"

enum { NO_ROW = UINT32_MAX };

/* A name means functions if one of them has lines, otherwise files. */
static bool annotate_is_function(const struct names *n, const char *name)
{
	for (size_t i = 1; i < n->nlines; i++)
		if (n->lines[i].line && n->lines[i].file &&
		    match_function(&n->functions[n->lines[i].function], name))
			return true;
	return false;
}

/* Creates the rows: one per source line, whatever its functions are. */
static int annotate_rows(const struct view *v, const char *name, struct annotate *a, uint32_t *row)
{
	const struct names *n = &v->names;
	const bool function = annotate_is_function(n, name);
	struct map ids = { 0 };

	a->lines = alloc_zeroed(n->nlines, sizeof(*a->lines));
	for (size_t i = 0; i < n->nlines; i++) {
		const struct line *l = &n->lines[i];

		row[i] = NO_ROW;
		if (!l->line || !l->file ||
		    !(function ? match_function(&n->functions[l->function], name) :
				 match_file(l->file, name)))
			continue;
		if (map_add(&ids, (uintptr_t)l->file, l->line, (uint32_t)a->nlines, &row[i]))
			a->lines[a->nlines++] = (struct annotate_line){
				.file = l->file,
				.line = l->line,
			};
	}
	map_free(&ids);
	return a->nlines ? 0 : -ENOENT;
}

static int annotate_order(const void *a, const void *b)
{
	const struct annotate_line *x = a, *y = b;
	int files = x->file == y->file ? 0 : strcmp(x->file, y->file);

	return files ? files : x->line < y->line ? -1 : x->line > y->line;
}

/* Extends the span by function f, which lies in the span's file, and so do its first and last
   line. */
static void annotate_widen(const struct resolver *r, const struct function *f,
			   struct annotate_span *span)
{
	struct answer a;

	if (!f->file || strcmp(f->file, span->file))
		return;
	if (f->line && f->line < span->first)
		span->first = f->line;
	if (!f->symbol)
		return;
	a = ask_extent(r, f->symbol);
	if (a.known && a.first < span->first)
		span->first = a.first;
	if (a.known && a.last > span->last)
		span->last = a.last;
}

/* From the first line to the last one of each file. */
static void annotate_spans(struct annotate *a)
{
	a->spans = alloc_zeroed(a->nlines, sizeof(*a->spans));
	for (size_t i = 0; i < a->nlines; i++) {
		struct annotate_span *s = a->nspans ? &a->spans[a->nspans - 1] : NULL;

		if (!s || s->file != a->lines[i].file) {
			s = &a->spans[a->nspans++];
			*s = (struct annotate_span){
				.file = a->lines[i].file,
				.first = a->lines[i].line,
			};
		}
		s->last = a->lines[i].line;
	}
}

int annotate_build(const struct view *v, const struct resolver *r, const char *name,
		   struct annotate *a)
{
	uint32_t *row = alloc_zeroed(v->names.nlines, sizeof(*row));
	int err = 0;

	*a = (struct annotate){ 0 };
	err = annotate_rows(v, name, a, row);
	if (!err) {
		const size_t block = v->model->nevents * OMP_CLASSES;
		uint32_t *of_node = alloc_zeroed(v->tree.n, sizeof(*of_node));

		a->self = alloc_zeroed((a->nlines + 1) * block + 1, sizeof(*a->self));
		a->inclusive = alloc_zeroed((a->nlines + 1) * block + 1, sizeof(*a->inclusive));
		for (size_t i = 0; i < a->nlines; i++) {
			a->lines[i].self = &a->self[i * block];
			a->lines[i].inclusive = &a->inclusive[i * block];
		}
		for (size_t i = 0; i < v->nrecords; i++)
			if (row[v->records[i].line] != NO_ROW)
				cost_add_record(a->lines[row[v->records[i].line]].self,
						&v->records[i]);
		for (size_t i = 0; i < v->tree.n; i++)
			of_node[i] = row[v->tree.nodes[i].line];
		tree_inclusive(v, of_node, a->nlines, a->inclusive);
		free(of_node);
		qsort(a->lines, a->nlines, sizeof(*a->lines), annotate_order);
		annotate_spans(a);
		for (size_t f = 1; f < v->names.nfunctions; f++)
			for (size_t i = 0; i < a->nspans; i++)
				if (match_function(&v->names.functions[f], name))
					annotate_widen(r, &v->names.functions[f], &a->spans[i]);
	}
	free(row);
	if (err)
		annotate_fini(a);
	return err;
}

void annotate_fini(struct annotate *a)
{
	free(a->lines);
	free(a->spans);
	free(a->self);
	free(a->inclusive);
	*a = (struct annotate){ 0 };
}

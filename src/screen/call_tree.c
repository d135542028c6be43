/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/screen/call_tree.h"

#include <stdio.h>
#include <stdlib.h>

#include "src/base/alloc.h"
#include "src/model/model.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/output/text/text.h"
#include "src/tables/tables.h"
#include "src/view/view.h"

enum { INDENT = 2, INDENT_MAX = 40, HOT = 10 /* percent */ };

static size_t call_tree_block_of(const struct call_tree *t)
{
	return t->report->model->nevents * OMP_CLASSES;
}

static uint64_t weight_of(const struct call_tree *t, uint32_t node)
{
	return cost_sum(&t->inclusive[node * call_tree_block_of(t)], t->report->event).weight;
}

static int costlier(const void *a, const void *b, void *arg)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	const struct call_tree *t = arg;
	const struct text sorted = { .report = t->report };
	const uint64_t u = text_sort_weight(&sorted, &t->inclusive[x * call_tree_block_of(t)]);
	const uint64_t v = text_sort_weight(&sorted, &t->inclusive[y * call_tree_block_of(t)]);

	if (u != v)
		return u < v ? 1 : -1;
	return x < y ? -1 : x > y;
}

void call_tree_sort(struct call_tree *t)
{
	for (size_t i = 0; i < t->report->view->tree.n; i++) {
		const uint32_t first = t->children.first[i], end = t->children.first[i + 1];

		if (end > first + 1)
			qsort_r(&t->children.child[first], end - first, sizeof(*t->children.child),
				costlier, t);
	}
}

void call_tree_init(struct call_tree *t, const struct report *r)
{
	const struct view *v = r->view;

	*t = (struct call_tree){
		.report = r,
		.open = alloc_zeroed(v->tree.n + 1, sizeof(*t->open)),
	};
	tree_children(&v->tree, &t->children);
	tree_costs(v, &t->self, &t->inclusive);
	call_tree_sort(t);
	for (uint32_t i = 0; i < v->tree.n; i++)
		t->open[i] = weight_of(t, i) / HOT >= weight_of(t, 0) / 100;
}

void call_tree_fini(struct call_tree *t)
{
	free(t->self);
	free(t->inclusive);
	free(t->open);
	tree_children_fini(&t->children);
	*t = (struct call_tree){ .open = NULL };
}

bool call_tree_has_more(const struct call_tree *t, uint32_t node)
{
	return t->children.first[node + 1] > t->children.first[node];
}

void call_tree_open_all(struct call_tree *t, bool open)
{
	for (size_t i = 0; i < t->report->view->tree.n; i++)
		t->open[i] = open;
}

/* ---- text ------------------------------------------------------------------ */

static void node_print(const struct call_tree *t, const struct text *to, uint32_t node,
		       size_t depth)
{
	const struct view *v = t->report->view;
	const size_t event = t->report->event, block = call_tree_block_of(t);
	const size_t indent = depth * INDENT < INDENT_MAX ? depth * INDENT : INDENT_MAX;
	const char *mark = !call_tree_has_more(t, node) ? " " : t->open[node] ? "-" : "+";

	text_row(to, node, 0);
	text_cells(to, &t->inclusive[node * block]);
	text_cell_number(to, 0,
			 format_percent(cost_sum(&t->self[node * block], event).weight,
					cost_sum(to->total, event).weight)
				 .s);
	fprintf(to->out, "  %*s%s", (int)indent, "", mark);
	text_last_behind(to, text_used(to) + 2 + indent + 1,
			 v->names.functions[v->tree.nodes[node].function].name);
}

/* The next node that is seen, in the order of the tree; 0: none. */
static uint32_t node_after(const struct call_tree *t, uint32_t *at, uint32_t node, size_t *depth)
{
	const struct tree_node *nodes = t->report->view->tree.nodes;

	for (;;) {
		if ((!node || t->open[node]) && at[node] < t->children.first[node + 1]) {
			const uint32_t child = t->children.child[at[node]++];

			if (!weight_of(t, child) && weight_of(t, 0))
				continue;
			*depth += 1;
			return child;
		}
		if (!node)
			return 0;
		node = nodes[node].parent;
		*depth -= 1;
	}
}

char *call_tree_text(const struct call_tree *t, const struct text *like)
{
	static const struct text_own own[] = { { "self", 7, COLUMN_OWN }, { 0 } };
	struct text to = text_fit(like, own);
	char *text = NULL;
	size_t size;

	to.out = alloc_stream(&text, &size);
	text_titles(&to, " call tree");

	const size_t n = t->report->view->tree.n;
	uint32_t *at = alloc_zeroed(n + 1, sizeof(*at));
	size_t depth = 0;

	for (size_t i = 0; i < n; i++)
		at[i] = t->children.first[i];
	for (uint32_t node = 0; (node = node_after(t, at, node, &depth));)
		node_print(t, &to, node, depth - 1);
	free(at);
	alloc_stream_end(to.out);
	return text;
}

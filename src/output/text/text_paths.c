/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text_paths.c - prints the calling-context tree from main downward.
 *
 * A line's amounts include the functions called; `self` is the function's own share.
 * Children below the limit share one line.
 */
#include "config.h"

#include <stdlib.h>

#include "src/model/model.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/output/text/text.h"
#include "src/tables/tables.h"
#include "src/view/view.h"

#include "src/base/alloc.h"

enum { INDENT = 2, INDENT_MAX = 40 };

struct paths {
	const struct text *text;
	const struct view *view;
	struct cost *self, *inclusive;
	struct tree_children children;
	uint32_t *next; /* by shown node: the position among its children */
	size_t block;
};

static int text_paths_order(const void *a, const void *b, void *arg)
{
	const struct paths *p = arg;
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	const uint64_t u = text_sort_weight(p->text, &p->inclusive[x * p->block]);
	const uint64_t v = text_sort_weight(p->text, &p->inclusive[y * p->block]);

	if (u != v)
		return u < v ? 1 : -1;
	return x < y ? -1 : x > y;
}

/* Sorts a node's children; only shown nodes need it.  Below the greatest depth none is shown: their
   cost is their caller's. */
static void paths_open(struct paths *p, uint32_t node, size_t depth)
{
	const uint32_t first = p->children.first[node], end = p->children.first[node + 1];
	const size_t deepest = p->text->report->depth;

	p->next[node] = deepest && depth >= deepest ? end : first;
	if (end > p->next[node])
		qsort_r(&p->children.child[first], end - first, sizeof(*p->children.child),
			text_paths_order, p);
}

/* Indents by depth, up to a limit that keeps lines wide enough. */
static size_t paths_indent(FILE *out, size_t depth)
{
	size_t indent = depth * INDENT;

	if (indent <= INDENT_MAX) {
		fprintf(out, "  %*s", (int)indent, "");
		return indent;
	}
	return (size_t)fprintf(out, "  %*s[%zu] ", INDENT_MAX, "", depth) - 2;
}

static void paths_line(const struct paths *p, uint32_t node, size_t depth)
{
	const struct text *t = p->text;
	const struct report *r = t->report;
	const char *name = p->view->names.functions[p->view->tree.nodes[node].function].name;
	size_t used = text_used(t) + 2;

	text_cells(t, &p->inclusive[node * p->block]);
	text_cell_number(t, 0,
			 format_percent(cost_sum(&p->self[node * p->block], r->event).weight,
					cost_sum(t->total, r->event).weight)
				 .s);
	used += paths_indent(t->out, depth);
	format_name(t->out, name,
		    !r->columns		   ? 0 :
		    r->columns > used + 20 ? r->columns - used :
					     20);
	if (r->why) {
		/* Why a function is there that is not on the stack as it is shown. */
		static const char *const words[TREE_WHYS] = {
			[WHY_JUMP] = "no frame: it left by the tail call that its code has",
			[WHY_BODY] = "no frame: the call passes its body to the runtime",
			[WHY_BODY_NAME] = "no frame: the body's name or directive is of it",
			[WHY_SAMPLES] = "no frame: all sampled bodies are of it; "
					"others may be created there",
			[WHY_CALL] = "a library's: named by the code of the call",
			[WHY_WRAPPER] = "called by the program; a wrapper of ompcount's runs",
			[WHY_MPI] = "the call of MPI by which MPI's frames are shown",
		};
		const unsigned why = p->view->tree.nodes[node].why;

		for (unsigned i = 0; i < TREE_WHYS; i++)
			if (why & 1u << i && words[i])
				fprintf(p->text->out, "  [%s]", words[i]);
	}
	putc('\n', t->out);
}

/* The next child above the limit; 0: none. */
static uint32_t paths_next(struct paths *p, uint32_t node)
{
	uint32_t child;

	if (p->next[node] == p->children.first[node + 1])
		return 0;
	child = p->children.child[p->next[node]];
	if (!text_shows(p->text, &p->inclusive[child * p->block], 0))
		return 0;
	p->next[node]++;
	return child;
}

/* Children are sorted, so all that follow the first one below the limit are below it. */
static void paths_walk(struct paths *p)
{
	const struct tree_node *nodes = p->view->tree.nodes;
	uint32_t at = 0, child;
	size_t depth = 0;

	paths_open(p, 0, 0);
	while (true) {
		child = paths_next(p, at);
		if (child) {
			paths_line(p, child, depth++);
			paths_open(p, child, depth);
			at = child;
			continue;
		}
		/* One line for the remaining children, which are below the limit. */
		const uint32_t end = p->children.first[at + 1];
		struct text_rest rest = { 0 };

		if (p->next[at] != end) {
			for (uint32_t i = p->next[at]; i < end; i++)
				text_rest_add(p->text, &rest,
					      &p->inclusive[p->children.child[i] * p->block]);
			text_rest_print(p->text, &rest,
					depth * INDENT > INDENT_MAX ? INDENT_MAX : depth * INDENT);
		}
		if (!at)
			return;
		at = nodes[at].parent;
		depth--;
	}
}

void text_paths(const struct text *whole)
{
	static const struct text_own own[] = { { "self", 7, COLUMN_OWN }, { 0 } };
	const struct text t = text_fit(whole, own);
	const struct view *v = t.report->view;
	struct paths p = {
		.text = &t,
		.view = v,
		.block = t.report->model->nevents * OMP_CLASSES,
		.next = alloc_zeroed(v->tree.n, sizeof(*p.next)),
	};
	tree_children(&v->tree, &p.children);
	tree_costs(v, &p.self, &p.inclusive);
	text_titles(&t, "path");
	paths_walk(&p);
	free(p.self);
	free(p.inclusive);
	free(p.next);
	tree_children_fini(&p.children);
}

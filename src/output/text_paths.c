/*
 * text_paths.c - the calling-context tree, from main downwards.
 *
 * A line's amounts are those of the function there with all that it called;
 * `self` is its own share.  Children below the limit are one line.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>

#include "src/analysis/model.h"
#include "src/analysis/tables.h"
#include "src/analysis/view.h"
#include "src/output/format.h"
#include "src/output/output.h"
#include "src/output/text.h"

enum { SELF_WIDTH = 7, INDENT = 2, INDENT_MAX = 40 };

struct paths {
	const struct text *text;
	const struct view *view;
	struct cost *self, *inclusive;
	uint32_t *first, *next;
	uint32_t *order;
	size_t block;
};

static int paths_order(const void *a, const void *b, void *arg)
{
	const struct paths *p = arg;
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	const struct tree_node *n = p->view->tree.nodes;
	const size_t event = p->text->report->event;
	uint64_t u, v;

	if (n[x].parent != n[y].parent)
		return n[x].parent < n[y].parent ? -1 : 1;
	u = cost_sum(&p->inclusive[x * p->block], event).weight;
	v = cost_sum(&p->inclusive[y * p->block], event).weight;
	if (u != v)
		return u < v ? 1 : -1;
	return x < y ? -1 : x > y;
}

static void paths_link(struct paths *p)
{
	const struct tree *tree = &p->view->tree;

	for (uint32_t i = 0; i < tree->n; i++)
		p->order[i] = i;
	qsort_r(p->order + 1, tree->n - 1, sizeof(*p->order), paths_order, p);
	for (size_t i = tree->n; i-- > 1;) {
		uint32_t *list = &p->first[tree->nodes[p->order[i]].parent];

		p->next[p->order[i]] = *list;
		*list = p->order[i];
	}
}

static int paths_init(struct paths *p, const struct text *t)
{
	const struct view *v = t->report->view;
	int err;

	*p = (struct paths){
		.text = t, .view = v, .block = t->report->model->nevents * OMP_CLASSES,
	};
	err = tree_costs(v, &p->self, &p->inclusive);
	p->first = calloc(v->tree.n, sizeof(*p->first));
	p->next = calloc(v->tree.n, sizeof(*p->next));
	p->order = calloc(v->tree.n, sizeof(*p->order));
	if (err || !p->first || !p->next || !p->order)
		return -ENOMEM;
	paths_link(p);
	return 0;
}

static void paths_fini(struct paths *p)
{
	free(p->self);
	free(p->inclusive);
	free(p->first);
	free(p->next);
	free(p->order);
}

/* How far in: by depth, up to where lines would become too narrow. */
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
	size_t used = text_cells_width(t) + SELF_WIDTH + 2;
	char buf[FORMAT_BYTES];

	text_cells(t, &p->inclusive[node * p->block]);
	fprintf(t->out, "%*s", SELF_WIDTH,
		format_percent(buf, cost_sum(&p->self[node * p->block], r->event).weight,
			       cost_sum(t->total, r->event).weight));
	used += paths_indent(t->out, depth);
	format_text(t->out, name, !r->columns ? 0 : r->columns > used + 20 ? r->columns - used : 20);
	putc('\n', t->out);
}

/* The children of node that are too small: one line for all. */
static int paths_rest(const struct paths *p, uint32_t child, size_t depth)
{
	struct text_rest rest;

	if (!child)
		return 0;
	if (text_rest_init(p->text, &rest))
		return -ENOMEM;
	for (; child; child = p->next[child])
		text_rest_add(p->text, &rest, &p->inclusive[child * p->block]);
	text_rest_print(p->text, &rest,
			SELF_WIDTH + (depth * INDENT > INDENT_MAX ? INDENT_MAX : depth * INDENT),
			"");
	return 0;
}

static int paths_shown(const struct paths *p, uint32_t node)
{
	return node && text_shows(p->text, &p->inclusive[node * p->block], 0);
}

/* Children are in order: from the first that is too small, all are. */
static int paths_walk(const struct paths *p)
{
	const struct tree_node *nodes = p->view->tree.nodes;
	uint32_t at = 0, child = p->first[0];
	size_t depth = 0;
	int err = 0;

	while (!err) {
		if (paths_shown(p, child)) {
			paths_line(p, child, depth++);
			at = child;
			child = p->first[at];
			continue;
		}
		err = paths_rest(p, child, depth);
		if (!at)
			return err;
		child = p->next[at];
		at = nodes[at].parent;
		depth--;
	}
	return err;
}

int text_paths(const struct text *t)
{
	struct paths p;
	int err = paths_init(&p, t);

	if (!err) {
		text_titles(t);
		fprintf(t->out, "%*s  path\n", SELF_WIDTH, "self");
		err = paths_walk(&p);
	}
	paths_fini(&p);
	return err;
}

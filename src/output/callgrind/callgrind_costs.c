/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/output/callgrind/callgrind_costs.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/model/model.h"
#include "src/view/view.h"

enum { NO_ROW = UINT32_MAX };

static bool self_key(const struct view *v, const struct view_record *r, void *arg,
		     struct table_key_pair *key)
{
	const struct tree_node *n = &v->tree.nodes[r->node];

	(void)arg;
	key->a = n->function;
	key->b = n->line;
	return true;
}

/* ---- calls ----------------------------------------------------------- */

struct call_walk {
	const struct view *view;
	struct tree_children children;
	uint32_t *next;	  /* by node: the position among its children */
	uint32_t *active; /* by function: how often it is on the path */
	uint32_t *row;	  /* by node: the number of its call, or NO_ROW */
};

/* Depth first, without recursion. */
static void callgrind_walk_nodes(struct call_walk *w, struct map *calls)
{
	const struct tree_node *nodes = w->view->tree.nodes;
	uint32_t at = 0;

	w->row[0] = NO_ROW;
	while (true) {
		if (w->next[at] < w->children.first[at + 1]) {
			at = w->children.child[w->next[at]++];

			/* The call that a node is: none if its function is on the path already, or
			   nobody called it. */
			const struct tree_node *n = &nodes[at], *caller = &nodes[n->parent];

			w->row[at] = NO_ROW;
			if (w->active[n->function]++ || !n->parent)
				continue;
			map_add(calls, (uint64_t)caller->function << 32 | caller->line, n->function,
				(uint32_t)calls->count, &w->row[at]);
		} else if (at) {
			w->active[nodes[at].function]--;
			at = nodes[at].parent;
		} else {
			return;
		}
	}
}

/* ---- items ----------------------------------------------------------- */

static int item_order(const void *a, const void *b, void *arg)
{
	const struct callgrind_item *x = a, *y = b;
	const struct line *lines = ((const struct view *)arg)->names.lines;

	if (x->function != y->function)
		return x->function < y->function ? -1 : 1;
	if (!x->callee != !y->callee)
		return x->callee ? 1 : -1;
	if (lines[x->line].line != lines[y->line].line)
		return lines[x->line].line < lines[y->line].line ? -1 : 1;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return x->callee < y->callee ? -1 : x->callee > y->callee;
}

static void costs_items(const struct view *v, struct callgrind_costs *c)
{
	const size_t nevents = v->model->nevents, block = nevents * OMP_CLASSES;

	for (size_t i = 0; i < c->self.n; i++)
		c->items[c->n++] = (struct callgrind_item){
			.function = (uint32_t)c->self.rows[i].key,
			.line = (uint32_t)c->self.rows[i].key2,
			.block = c->self.rows[i].self,
		};
	for (size_t i = 0; i < c->calls.count; i++) {
		const struct map_entry *e = &c->calls.entries[i];

		/* Of a filtered view the tree has the paths of samples that were left out. */
		if (!cost_is_zero(&c->inclusive[i * block], nevents))
			c->items[c->n++] = (struct callgrind_item){
				.function = (uint32_t)(e->a >> 32),
				.line = (uint32_t)e->a,
				.callee = (uint32_t)e->b,
				.block = &c->inclusive[i * block],
			};
	}
	if (c->n)
		qsort_r(c->items, c->n, sizeof(*c->items), item_order, (void *)(uintptr_t)v);
}

void callgrind_costs(const struct view *v, struct callgrind_costs *c)
{
	struct call_walk w;

	*c = (struct callgrind_costs){ 0 };
	table_build_of(v, self_key, NULL, &c->self);

	const size_t block = v->model->nevents * OMP_CLASSES;

	w = (struct call_walk){
		.view = v,
		.next = alloc_zeroed(v->tree.n, sizeof(*w.next)),
		.active = alloc_zeroed(v->names.nfunctions + 1, sizeof(*w.active)),
		.row = alloc_zeroed(v->tree.n, sizeof(*w.row)),
	};
	tree_children(&v->tree, &w.children);
	memcpy(w.next, w.children.first, v->tree.n * sizeof(*w.next));
	callgrind_walk_nodes(&w, &c->calls);
	c->inclusive = alloc_zeroed(c->calls.count * block + 1, sizeof(*c->inclusive));
	tree_inclusive(v, w.row, c->calls.count, c->inclusive);
	tree_children_fini(&w.children);
	free(w.next);
	free(w.active);
	free(w.row);
	c->items = alloc_zeroed(c->self.n + c->calls.count + 1, sizeof(*c->items));
	costs_items(v, c);
}

void callgrind_costs_fini(struct callgrind_costs *c)
{
	table_fini(&c->self);
	map_free(&c->calls);
	free(c->inclusive);
	free(c->items);
	*c = (struct callgrind_costs){ 0 };
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flame.c - the trees of a flame, inwards and outwards.
 *
 * That from the innermost functions outwards is made level by level: a group of paths that end in
 * the same functions is split up by the next function outwards, unless the group is too small to
 * be seen.  So a path is looked at only as often as it has functions in the tree.
 */
#include "config.h"

#include "src/tables/flame.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/model/model.h"
#include "src/tables/tables.h"
#include "src/view/view.h"

/* What the trees are built from. */
struct flame_build {
	const struct view *view;
	const struct cost *self, *inclusive; /* a block for each node of the view */
	uint32_t *function;		     /* by function of the view: the flame's, or 0 */
	struct flame *flame;
};

/* ---- shares ---------------------------------------------------------- */

/* The greatest share of an event that a block has of all. */
static double flame_share(const struct flame_build *b, const struct cost *block)
{
	double most = 0;

	for (size_t e = 0; e < b->flame->nevents; e++) {
		const double all = (double)cost_sum(b->inclusive, e).weight;
		const double part = (double)cost_sum(block, e).weight;

		if (part > most * all)
			most = part / all;
	}
	return most;
}

static const double steps[] = { 0,    1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4,
				1e-3, 2e-3, 5e-3, 1e-2, 2e-2, 5e-2, 1e-1 };
enum { STEPS = sizeof(steps) / sizeof(*steps) };

/* ---- nodes ----------------------------------------------------------- */

static size_t flame_block(const struct flame_build *b)
{
	return b->flame->nevents * OMP_CLASSES;
}

/* Not 0, also if there is no event. */
static size_t flame_bytes(const struct flame_build *b)
{
	return (flame_block(b) + !flame_block(b)) * sizeof(struct cost);
}

/* Empties a tree. */
static void flame_tree_init(const struct flame_build *b, struct flame_tree *t)
{
	tree_init(&t->tree);
	t->self = grow(NULL, 0, &t->room, flame_bytes(b));
}

static void flame_tree_fini(struct flame_tree *t)
{
	tree_fini(&t->tree);
	free(t->self);
	*t = (struct flame_tree){ 0 };
}

static const char *flame_string(struct flame *f, const char *s)
{
	return s ? intern(&f->strings, s, SIZE_MAX) : NULL;
}

/* The flame's number of a function of the view. */
static uint32_t flame_function(struct flame_build *b, uint32_t function)
{
	const struct function *from = &b->view->names.functions[function];
	struct flame *f = b->flame;

	if (function == UINT32_MAX || b->function[function])
		return function == UINT32_MAX ? 0 : b->function[function];
	f->functions[f->nfunctions] = (struct flame_function){
		.name = flame_string(f, from->name ? from->name : ""),
		.module = flame_string(f, from->module),
		.file = flame_string(f, from->file),
		.line = from->line,
		.kind = from->kind,
	};
	b->function[function] = (uint32_t)f->nfunctions++;
	return b->function[function];
}

/* The child for a function of the view; "(small)" for UINT32_MAX. */
static uint32_t flame_child(struct flame_build *b, struct flame_tree *t, uint32_t parent,
			    uint32_t function)
{
	t->self = grow(t->self, t->tree.n, &t->room, flame_bytes(b));
	return tree_child(&t->tree, parent, flame_function(b, function), 0);
}

/* Adds a block to a node's own cost. */
static void flame_add(const struct flame_build *b, struct flame_tree *t, uint32_t node,
		      const struct cost *block)
{
	cost_add(&t->self[node * flame_block(b)], block, b->flame->nevents);
}

/* ---- inwards --------------------------------------------------------- */

/* The least share with which no more than FLAME_NODES_MAX nodes remain, where there is one. */
static double callees_least(const double *share, size_t n)
{
	size_t at[STEPS] = { 0 }, left = 0;

	for (size_t i = 1; i < n; i++) {
		size_t step = 0;

		while (step + 1 < STEPS && steps[step + 1] <= share[i])
			step++;
		at[step] += share[i] > 0;
	}
	for (size_t step = STEPS; step-- > 0;) {
		left += at[step];
		if (left > FLAME_NODES_MAX)
			return step + 1 < STEPS ? steps[step + 1] : 2 * steps[step];
	}
	return 0;
}

/* A node of the view; into has the flame's nodes of those before, UINT32_MAX for what is
   folded or has no cost. */
static void callees_node(struct flame_build *b, struct flame_tree *t, const double *share,
			 uint32_t *into, size_t i)
{
	const struct tree_node *n = &b->view->tree.nodes[i];
	const size_t block = flame_block(b);

	into[i] = UINT32_MAX;
	if (share[i] <= 0 || into[n->parent] == UINT32_MAX)
		return;
	if (share[i] >= t->least) {
		into[i] = flame_child(b, t, into[n->parent], n->function);
		flame_add(b, t, into[i], &b->self[i * block]);
		return;
	}
	flame_add(b, t, flame_child(b, t, into[n->parent], UINT32_MAX), &b->inclusive[i * block]);
}

/* ---- outwards -------------------------------------------------------- */

/* A path of the view, and the node up to which it is in the tree. */
struct flame_callers_path {
	uint32_t leaf, at;
};

/* Paths that begin with the same functions, and the tree's node for these. */
struct flame_callers_group {
	size_t first, n;
	uint32_t node;
};

struct callers {
	struct flame_build *build;
	struct flame_tree *tree;
	struct flame_callers_path *paths, *sorted;
	size_t npaths;
	struct flame_callers_group *groups; /* to be split up: a queue */
	size_t ngroups, room;
	size_t *count;	  /* by function of the view: paths of the group; then where they go */
	uint32_t *met;	  /* functions of the group */
	struct cost *sum; /* a block */
};

static uint32_t caller_of(const struct callers *c, const struct flame_callers_path *p)
{
	return c->build->view->tree.nodes[p->at].function;
}

static const struct cost *caller_cost(const struct callers *c, const struct flame_callers_path *p)
{
	return &c->build->self[p->leaf * flame_block(c->build)];
}

/* Sorts the group's paths by their next function; returns the number of these functions, which
   met lists.  A path without a next function leaves the group: it begins at the node. */
static size_t callers_sort(struct callers *c, struct flame_callers_group *g)
{
	struct flame_callers_path *p = &c->paths[g->first];
	size_t nmet = 0, left = 0, at = 0;

	for (size_t i = 0; i < g->n; i++) {
		if (!p[i].at) {
			flame_add(c->build, c->tree, g->node, caller_cost(c, &p[i]));
			continue;
		}
		if (!c->count[caller_of(c, &p[i])]++)
			c->met[nmet++] = caller_of(c, &p[i]);
		p[left++] = p[i];
	}
	for (size_t i = 0; i < nmet; i++) {
		const size_t n = c->count[c->met[i]];

		c->count[c->met[i]] = at;
		at += n;
	}
	for (size_t i = 0; i < left; i++)
		c->sorted[c->count[caller_of(c, &p[i])]++] = p[i];
	for (size_t i = 0; i < nmet; i++)
		c->count[c->met[i]] = 0;
	memcpy(p, c->sorted, left * sizeof(*p));
	g->n = left;
	return nmet;
}

static void callers_push(struct callers *c, const struct flame_callers_group *g)
{
	c->groups = grow(c->groups, c->ngroups, &c->room, sizeof(*c->groups));
	c->groups[c->ngroups++] = *g;
}

/* Makes a node of paths with the same next function, or folds them. */
static void callers_node(struct callers *c, uint32_t parent, struct flame_callers_group *g)
{
	const size_t nevents = c->build->flame->nevents;
	struct flame_callers_path *p = &c->paths[g->first];
	double share;

	memset(c->sum, 0, flame_block(c->build) * sizeof(*c->sum));
	for (size_t i = 0; i < g->n; i++)
		cost_add(c->sum, caller_cost(c, &p[i]), nevents);
	share = flame_share(c->build, c->sum);
	if (share <= 0)
		return;
	if (share < c->tree->least) {
		g->node = flame_child(c->build, c->tree, parent, UINT32_MAX);
		flame_add(c->build, c->tree, g->node, c->sum);
		return;
	}
	g->node = flame_child(c->build, c->tree, parent, caller_of(c, p));
	for (size_t i = 0; i < g->n; i++)
		p[i].at = c->build->view->tree.nodes[p[i].at].parent;
	callers_push(c, g);
}

/* False: there are too many nodes. */
static bool callers_grow(struct callers *c)
{
	const struct view *v = c->build->view;

	c->npaths = c->ngroups = 0;
	for (uint32_t i = 0; i < v->tree.n; i++) {
		const struct flame_callers_path p = { i, i };

		if (!cost_is_zero(caller_cost(c, &p), c->build->flame->nevents))
			c->paths[c->npaths++] = p;
	}
	callers_push(c, &(struct flame_callers_group){ .n = c->npaths });
	for (size_t i = 0; i < c->ngroups; i++) {
		if (c->tree->tree.n > 2 * FLAME_NODES_MAX)
			return false;
		struct flame_callers_group g = c->groups[i];
		const size_t nmet = callers_sort(c, &g), end = g.first + g.n;
		struct flame_callers_group one = { .first = g.first };

		for (size_t k = 0; k < nmet; k++, one.first += one.n) {
			for (one.n = 1; one.first + one.n < end; one.n++)
				if (caller_of(c, &c->paths[one.first + one.n]) != c->met[k])
					break;
			callers_node(c, g.node, &one);
		}
	}
	return true;
}

static void flame_callers(struct flame_build *b, struct flame_tree *t)
{
	const struct view *v = b->view;
	struct callers c = {
		.build = b,
		.tree = t,
		.paths = alloc_zeroed(v->tree.n, sizeof(*c.paths)),
		.sorted = alloc_zeroed(v->tree.n, sizeof(*c.sorted)),
		.count = alloc_zeroed(v->names.nfunctions, sizeof(*c.count)),
		.met = alloc_zeroed(v->names.nfunctions, sizeof(*c.met)),
		.sum = alloc_zeroed(flame_block(b) + 1, sizeof(*c.sum)),
	};

	flame_tree_init(b, t);
	while (!callers_grow(&c)) {
		/* The next greater share below which paths may be folded. */
		double least = 2 * t->least;

		for (size_t i = STEPS; i-- > 0;)
			least = steps[i] > t->least ? steps[i] : least;
		flame_tree_fini(t);
		t->least = least;
		flame_tree_init(b, t);
	}
	free(c.paths);
	free(c.sorted);
	free(c.count);
	free(c.met);
	free(c.sum);
	free(c.groups);
}

/* ---- both ------------------------------------------------------------ */

void flame_build(const struct view *v, struct flame *f)
{
	struct cost *self, *inclusive;
	struct flame_build b = {
		.view = v,
		.flame = f,
		.function = alloc_zeroed(v->names.nfunctions + 1, sizeof(*b.function)),
	};

	*f = (struct flame){
		.nevents = v->model->nevents,
		.classes = v->classes,
		.functions = alloc_zeroed(v->names.nfunctions + 1, sizeof(*f->functions)),
	};
	f->functions[f->nfunctions++] = (struct flame_function){
		.name = "(small)",
		.kind = FUNCTION_ARTIFICIAL,
	};
	tree_costs(v, &self, &inclusive);
	b.self = self;
	b.inclusive = inclusive;
	struct flame_tree *t = &f->callees;
	const size_t n = b.view->tree.n;
	double *share = alloc_zeroed(n, sizeof(*share));
	uint32_t *into = alloc_zeroed(n, sizeof(*into));

	flame_tree_init(&b, t);
	for (size_t i = 0; i < n; i++)
		share[i] = flame_share(&b, &b.inclusive[i * flame_block(&b)]);
	t->least = callees_least(share, n);
	flame_add(&b, t, 0, b.self);
	for (size_t i = 1; i < n; i++)
		callees_node(&b, t, share, into, i);
	free(share);
	free(into);
	f->callers.least = f->callees.least;
	flame_callers(&b, &f->callers);
	free(b.function);
	free(self);
	free(inclusive);
}

void flame_fini(struct flame *f)
{
	flame_tree_fini(&f->callees);
	flame_tree_fini(&f->callers);
	free(f->functions);
	interner_free(&f->strings);
	*f = (struct flame){ 0 };
}

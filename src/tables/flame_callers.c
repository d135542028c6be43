/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flame_callers.c - the tree from the innermost functions outwards.
 *
 * It is made level by level: a group of paths that end in the same functions is split up by
 * the next function outwards, unless the group is too small to be seen.  So a path is looked
 * at only as often as it has functions in the tree.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/grow.h"
#include "src/tables/flame.h"
#include "src/tables/flame_parts.h"
#include "src/tables/tables.h"
#include "src/view/view.h"

#include "src/base/alloc.h"

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
	return &c->build->self[p->leaf * c->build->flame->nevents * OMP_CLASSES];
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

	memset(c->sum, 0, nevents * OMP_CLASSES * sizeof(*c->sum));
	for (size_t i = 0; i < g->n; i++)
		cost_add(c->sum, caller_cost(c, &p[i]), nevents);
	share = flame_share(c->build, c->sum);
	if (share <= 0)
		return;
	if (share < c->tree->least) {
		flame_child(c->build, c->tree, parent, UINT32_MAX, &g->node);
		flame_add(c->build, c->tree, g->node, c->sum);
		return;
	}
	flame_child(c->build, c->tree, parent, caller_of(c, p), &g->node);
	for (size_t i = 0; i < g->n; i++)
		p[i].at = c->build->view->tree.nodes[p[i].at].parent;
	callers_push(c, g);
}

static void callers_split(struct callers *c, struct flame_callers_group g)
{
	const size_t nmet = callers_sort(c, &g), end = g.first + g.n;
	struct flame_callers_group one = { .first = g.first };

	for (size_t i = 0; i < nmet; i++, one.first += one.n) {
		for (one.n = 1; one.first + one.n < end; one.n++)
			if (caller_of(c, &c->paths[one.first + one.n]) != c->met[i])
				break;
		callers_node(c, g.node, &one);
	}
}

/* 0, 1 if there are too many nodes. */
static int callers_grow(struct callers *c)
{
	const struct view *v = c->build->view;
	int err = 0;

	c->npaths = c->ngroups = 0;
	for (uint32_t i = 0; i < v->tree.n; i++) {
		const struct flame_callers_path p = { i, i };

		if (!cost_is_zero(caller_cost(c, &p), c->build->flame->nevents))
			c->paths[c->npaths++] = p;
	}
	callers_push(c, &(struct flame_callers_group){ .n = c->npaths });
	for (size_t i = 0; i < c->ngroups && !err; i++) {
		if (c->tree->tree.n > 2 * FLAME_NODES_MAX)
			err = 1;
		else
			callers_split(c, c->groups[i]);
	}
	return err;
}

int flame_callers(struct flame_build *b, struct flame_tree *t)
{
	struct callers c = { .build = b, .tree = t };
	int err = 0;

	const struct view *v = c.build->view;

	c.paths = alloc_zeroed(v->tree.n, sizeof(*c.paths));
	c.sorted = alloc_zeroed(v->tree.n, sizeof(*c.sorted));
	c.count = alloc_zeroed(v->names.nfunctions, sizeof(*c.count));
	c.met = alloc_zeroed(v->names.nfunctions, sizeof(*c.met));
	c.sum = alloc_zeroed(c.build->flame->nevents * OMP_CLASSES + 1, sizeof(*c.sum));
	flame_tree_init(b, t);
	err = callers_grow(&c);
	while (err == 1) {
		const double least = flame_coarser(t->least);

		flame_tree_fini(t);
		t->least = least;
		flame_tree_init(b, t);
		err = callers_grow(&c);
	}
	free(c.paths);
	free(c.sorted);
	free(c.count);
	free(c.met);
	free(c.sum);
	free(c.groups);
	return err;
}

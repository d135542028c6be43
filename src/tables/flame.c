/* SPDX-License-Identifier: BSD-3-Clause */
/* flame.c - the tree from the outermost functions inwards, and what both trees need. */
#include "config.h"

#include "src/tables/flame.h"

#include <stdbool.h>
#include <stdlib.h>

#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/model/model.h"
#include "src/tables/flame_parts.h"
#include "src/tables/tables.h"
#include "src/view/view.h"

/* ---- shares ---------------------------------------------------------- */

double flame_share(const struct flame_build *b, const struct cost *block)
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

double flame_coarser(double least)
{
	for (size_t i = 0; i < STEPS; i++)
		if (steps[i] > least)
			return steps[i];
	return 2 * least;
}

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

void flame_tree_init(const struct flame_build *b, struct flame_tree *t)
{
	tree_init(&t->tree);
	t->self = grow(NULL, 0, &t->room, flame_bytes(b));
}

void flame_tree_fini(struct flame_tree *t)
{
	tree_fini(&t->tree);
	free(t->self);
	*t = (struct flame_tree){ 0 };
}

static const char *flame_string(struct flame *f, const char *s, bool *failed)
{
	const char *copy = s ? intern(&f->strings, s, SIZE_MAX) : NULL;

	*failed |= s && !copy;
	return copy;
}

/* The flame's number of a function of the view. */
static void flame_function(struct flame_build *b, uint32_t function, uint32_t *number)
{
	const struct function *from = &b->view->names.functions[function];
	struct flame *f = b->flame;
	bool failed = false;

	*number = function == UINT32_MAX ? 0 : b->function[function];
	if (*number || function == UINT32_MAX)
		return;
	f->functions[f->nfunctions] = (struct flame_function){
		.name = flame_string(f, from->name ? from->name : "", &failed),
		.module = flame_string(f, from->module, &failed),
		.file = flame_string(f, from->file, &failed),
		.line = from->line,
		.kind = from->kind,
	};
	*number = b->function[function] = (uint32_t)f->nfunctions++;
}

void flame_child(struct flame_build *b, struct flame_tree *t, uint32_t parent, uint32_t function,
		 uint32_t *node)
{
	uint32_t number;

	t->self = grow(t->self, t->tree.n, &t->room, flame_bytes(b));
	flame_function(b, function, &number);
	*node = tree_child(&t->tree, parent, number, 0);
}

void flame_add(const struct flame_build *b, struct flame_tree *t, uint32_t node,
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
	uint32_t small;

	into[i] = UINT32_MAX;
	if (share[i] <= 0 || into[n->parent] == UINT32_MAX)
		return;
	if (share[i] >= t->least) {
		flame_child(b, t, into[n->parent], n->function, &into[i]);
		flame_add(b, t, into[i], &b->self[i * block]);
		return;
	}
	flame_child(b, t, into[n->parent], UINT32_MAX, &small);
	flame_add(b, t, small, &b->inclusive[i * block]);
}

static void flame_callees(struct flame_build *b, struct flame_tree *t)
{
	const size_t n = b->view->tree.n;
	double *share = alloc_zeroed(n, sizeof(*share));
	uint32_t *into = alloc_zeroed(n, sizeof(*into));

	flame_tree_init(b, t);
	for (size_t i = 0; i < n; i++)
		share[i] = flame_share(b, &b->inclusive[i * flame_block(b)]);
	t->least = callees_least(share, n);
	flame_add(b, t, 0, b->self);
	for (size_t i = 1; i < n; i++)
		callees_node(b, t, share, into, i);
	free(share);
	free(into);
}

/* ---- both ------------------------------------------------------------ */

static int flame_fill(struct flame_build *b)
{
	struct flame *f = b->flame;

	b->function = alloc_zeroed(b->view->names.nfunctions + 1, sizeof(*b->function));
	f->functions = alloc_zeroed(b->view->names.nfunctions + 1, sizeof(*f->functions));
	f->functions[f->nfunctions++] = (struct flame_function){
		.name = "(small)",
		.kind = FUNCTION_ARTIFICIAL,
	};
	flame_callees(b, &f->callees);
	f->callers.least = f->callees.least;
	return flame_callers(b, &f->callers);
}

int flame_build(const struct view *v, struct flame *f)
{
	struct cost *self = NULL, *inclusive = NULL;
	struct flame_build b = { .view = v, .flame = f };
	int err = 0;

	*f = (struct flame){ .nevents = v->model->nevents, .classes = v->classes };
	tree_costs(v, &self, &inclusive);
	b.self = self;
	b.inclusive = inclusive;
	err = flame_fill(&b);
	free(b.function);
	free(self);
	free(inclusive);
	return err;
}

void flame_fini(struct flame *f)
{
	flame_tree_fini(&f->callees);
	flame_tree_fini(&f->callers);
	free(f->functions);
	interner_free(&f->strings);
	*f = (struct flame){ 0 };
}

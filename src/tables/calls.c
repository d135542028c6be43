/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/tables/calls.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "src/base/alloc.h"
#include "src/view/label.h"
#include "src/view/view.h"

enum { NOBODY = UINT32_MAX };

/* For each node beneath the function: the caller and the callee. */
struct calls_walk {
	bool *wanted;		   /* by function */
	uint32_t *caller, *callee; /* by node; NOBODY: not beneath the function */
};

/* One pass suffices, because parents precede their children. */
static bool calls_walk_nodes(struct calls_walk *w, const struct view *v)
{
	const struct tree_node *nodes = v->tree.nodes;
	bool any = false;

	w->caller[0] = w->callee[0] = NOBODY;
	for (size_t i = 1; i < v->tree.n; i++) {
		const uint32_t parent = nodes[i].parent, function = nodes[i].function;
		const bool wanted = w->wanted[function];

		w->caller[i] = w->caller[parent];
		w->callee[i] = w->callee[parent];
		if (wanted && w->caller[i] == NOBODY)
			w->caller[i] = nodes[parent].function;
		if (wanted)
			w->callee[i] = 0;
		else if (w->wanted[nodes[parent].function])
			w->callee[i] = function;
		any = any || wanted;
	}
	return any;
}

/* arg: the key of each node. */
static bool walk_key(const struct view *v, const struct view_record *r, void *arg,
		     struct table_key_pair *key)
{
	(void)v;
	key->a = ((const uint32_t *)arg)[r->node];
	return key->a != NOBODY;
}

int calls_build(const struct view *v, const char *name, struct calls *c)
{
	struct calls_walk w;
	int err = 0;

	w = (struct calls_walk){
		.wanted = alloc_zeroed(v->names.nfunctions, sizeof(*w.wanted)),
		.caller = alloc_zeroed(v->tree.n, sizeof(*w.caller)),
		.callee = alloc_zeroed(v->tree.n, sizeof(*w.callee)),
	};
	*c = (struct calls){ 0 };

	bool any = false;

	for (size_t i = 1; i < v->names.nfunctions; i++) {
		w.wanted[i] = match_function(&v->names.functions[i], name);
		any = any || w.wanted[i];
	}
	if (!any || !calls_walk_nodes(&w, v))
		err = -ENOENT;
	if (!err)
		table_build_of(v, walk_key, w.caller, &c->callers);
	if (!err)
		table_build_of(v, walk_key, w.callee, &c->callees);
	free(w.wanted);
	free(w.caller);
	free(w.callee);
	if (err)
		calls_fini(c);
	else
		c->inclusive = c->callers.total;
	return err;
}

void calls_fini(struct calls *c)
{
	table_fini(&c->callers);
	table_fini(&c->callees);
	*c = (struct calls){ 0 };
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flame.h - a view's paths as a flame graph draws them: both ways, without what is too small to
 * be seen.
 *
 * A path that has less than a share of each event's total is folded into its parent's child
 * of function 0, "(small)", so that all sums stay exact.  A flame has copies of all that it
 * needs of the view.
 */
#ifndef OMPHWC_SRC_TABLES_FLAME_H
#define OMPHWC_SRC_TABLES_FLAME_H

#include <stddef.h>

#include "src/base/interner.h"
#include "src/view/names.h"
#include "src/view/tree.h"

struct cost;
struct view;

enum { FLAME_NODES_MAX = 10000 };

struct flame_function {
	const char *name;
	const char *module, *file; /* or NULL */
	unsigned line;		   /* of its definition; 0: unknown */
	enum function_kind kind;
};

/* Node 0 is the root.  Nodes of function 0 are what was folded. */
struct flame_tree {
	struct tree tree;
	struct cost *self; /* a block for each node */
	double least;	   /* the share below which paths are folded; 0: none is */
	/* private */
	size_t room; /* blocks */
};

struct flame {
	struct flame_function *functions; /* number 0: "(small)" */
	size_t nfunctions;
	size_t nevents;
	unsigned classes;	   /* the view's */
	struct flame_tree callees; /* from the outermost function inwards */
	struct flame_tree callers; /* from the innermost function outwards; a node's own cost
				      is that of the paths that begin there */
	/* private */
	struct interner strings;
};

/* flame_fini() is required in any case. */
void flame_build(const struct view *v, struct flame *f);
void flame_fini(struct flame *f);

#endif

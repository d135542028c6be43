/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree.h - a calling-context tree: each node is a function called by its parent.
 *
 * Node 0 is the root, without a function.  A child's number is greater than its parent's.
 * For ordinary code, one thread at a time.
 */
#ifndef OMPHWC_SRC_VIEW_TREE_H
#define OMPHWC_SRC_VIEW_TREE_H

#include <stddef.h>
#include <stdint.h>

#include "src/base/hash.h"

/* Why a function is on the path. */
enum tree_why {
	WHY_STACK,     /* its frame is on the stack */
	WHY_JUMP,      /* it left by a tail call: the code called it, and it has the jump */
	WHY_BODY,      /* it has the body that the call passes to the runtime */
	WHY_BODY_NAME, /* the body is named after it */
	WHY_SAMPLES,   /* all bodies that were sampled are named after it */
	WHY_CALL,      /* the code calls it by that name */
	WHY_WRAPPER,   /* the code calls it, and a wrapper of this profiler's runs */
	WHY_MPI,       /* it is the call of MPI by which MPI's frames are shown */
	TREE_WHYS
};

struct tree_node {
	uint32_t parent;
	uint32_t function;
	uint32_t line; /* in trees that distinguish lines; otherwise 0 */
	uint16_t why;  /* set of enum tree_why, as bits: of all paths that have it */
};

struct tree {
	struct tree_node *nodes;
	size_t n;
	/* private */
	size_t room;
	struct hash children; /* of nodes, by parent, function and line */
};

void tree_init(struct tree *t);
void tree_fini(struct tree *t);

/* The child of parent for function (and line); created if it is new. */
uint32_t tree_child(struct tree *t, uint32_t parent, uint32_t function, uint32_t line);

/* The children of node i, in ascending order: child[first[i]] to child[first[i + 1] - 1]. */
struct tree_children {
	uint32_t *first;
	uint32_t *child;
};

/* tree_children_fini() is required in any case. */
void tree_children(const struct tree *t, struct tree_children *c);
void tree_children_fini(struct tree_children *c);

#endif

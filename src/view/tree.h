/*
 * tree.h - a calling-context tree: each node a function beneath its caller.
 *
 * Node 0 is the root, without a function.  A child's number is greater than
 * its parent's.  For ordinary code, one thread at a time.
 */
#ifndef OMPHWC_SRC_VIEW_TREE_H
#define OMPHWC_SRC_VIEW_TREE_H

#include <stddef.h>
#include <stdint.h>

#include "src/base/hash.h"

struct tree_node {
	uint32_t parent;
	uint32_t function;
	uint32_t line;		/* in trees that tell lines apart; else 0 */
};

struct tree {
	struct tree_node *nodes;
	size_t n;
	/* private */
	size_t room;
	struct hash children;	/* of nodes, by parent, function and line */
};

/* 0 or -ENOMEM. */
int tree_init(struct tree *t);
void tree_fini(struct tree *t);

/* The child of parent for function (and line), made if need be. */
int tree_child(struct tree *t, uint32_t parent, uint32_t function, uint32_t line,
	       uint32_t *node);

/* Each node's children side by side: node i's are child[first[i]] up to but
   without child[first[i + 1]], by number. */
struct tree_children {
	uint32_t *first;
	uint32_t *child;
};

/* 0 or -ENOMEM; the caller ends it by tree_children_fini() in any case. */
int tree_children(const struct tree *t, struct tree_children *c);
void tree_children_fini(struct tree_children *c);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flame_parts.h - what the two trees of a flame have in common.
 */
#ifndef OMPHWC_SRC_TABLES_FLAME_PARTS_H
#define OMPHWC_SRC_TABLES_FLAME_PARTS_H

#include <stdint.h>

struct cost;
struct flame;
struct flame_tree;
struct view;

/* What the trees are built from. */
struct flame_build {
	const struct view *view;
	const struct cost *self, *inclusive; /* a block for each node of the view */
	uint32_t *function;		     /* by function of the view: the flame's, or 0 */
	struct flame *flame;
};

/* The greatest share of an event that a block has of all. */
double flame_share(const struct flame_build *b, const struct cost *block);

/* The next greater share below which paths may be folded. */
double flame_coarser(double least);

/* The child for a function of the view; "(small)" for UINT32_MAX. */
void flame_child(struct flame_build *b, struct flame_tree *t, uint32_t parent, uint32_t function,
		 uint32_t *node);

/* Adds a block to a node's own cost. */
void flame_add(const struct flame_build *b, struct flame_tree *t, uint32_t node,
	       const struct cost *block);

/* t is empty before. */
int flame_callers(struct flame_build *b, struct flame_tree *t);

/* Empties a tree. */
void flame_tree_init(const struct flame_build *b, struct flame_tree *t);
void flame_tree_fini(struct flame_tree *t);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recurring.h - finds the node of a frame that recurs on the path from the tree's
 * root, in a step or two instead of a walk back.
 *
 * The path holds nodes from the root outward, each the parent of the next. Used by
 * one thread's handler; async-signal-safe.
 */
#ifndef OMPHWC_OMPT_TOOL_TREE_RECURRING_H
#define OMPHWC_OMPT_TOOL_TREE_RECURRING_H

#include <stdint.h>

#include "ompt_tool/tree/stack.h"

struct prof_writer;

enum {
	RECURRING_MAX = STACK_FRAMES_MAX + 8,
	RECURRING_BUCKETS = 256, /* a power of two */
};

struct recurring { /* all zero at first */
	uint32_t n;
	uint32_t generation;		    /* generation of the buckets in use */
	uint32_t steps;			    /* nodes compared since recurring_begin(), for tests */
	uint32_t bucket[RECURRING_BUCKETS]; /* generation << 16 | place in the path + 1 */
	struct {
		uint32_t node;
		uint16_t next; /* next in the bucket, nearer to the root: place + 1; 0: none */
		uint16_t bucket;
	} path[RECURRING_MAX];
};

/* Sets the path to that from the root to node. */
void recurring_begin(struct recurring *r, const struct prof_writer *w, uint32_t node);

/* The node nearest to the path's end that has this info word and value; the path then
   ends at it. 0: none has, and the path stays. */
uint32_t recurring_find(struct recurring *r, const struct prof_writer *w, uint32_t info,
			uint64_t value);

/* Appends node, a child of the path's last node. */
void recurring_push(struct recurring *r, const struct prof_writer *w, uint32_t node);

#endif

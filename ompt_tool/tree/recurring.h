/*
 * recurring.h - finds the node of a frame that comes again on the way from a tree's
 * root, in a step or two instead of a walk back.
 *
 * It holds a path: nodes from the root outward in, each the next one's parent.
 * Used by one thread's handler; async-signal-safe.
 */
#ifndef OMPHWC_OMPT_TOOL_TREE_RECURRING_H
#define OMPHWC_OMPT_TOOL_TREE_RECURRING_H

#include <stdint.h>

#include "ompt_tool/tree/stack.h"

struct prof_writer;

enum {
	RECURRING_MAX = STACK_FRAMES_MAX + 8,
	RECURRING_BUCKETS = 256,	/* a power of two */
};

struct recurring {		/* all zero at first */
	uint32_t n;
	uint32_t generation;	/* of the buckets in use */
	uint32_t steps;		/* nodes looked at since the beginning, for tests */
	uint32_t bucket[RECURRING_BUCKETS]; /* generation << 16 | place in the path + 1 */
	struct {
		uint32_t node;
		uint16_t next;	/* the bucket's next, nearer to the root: place + 1; 0: none */
		uint16_t bucket;
	} path[RECURRING_MAX];
};

/* The path is that from the root to node. */
void recurring_begin(struct recurring *r, const struct prof_writer *w, uint32_t node);

/* The node nearest to the path's end that has this info word and value, where the path
   ends then; 0: none has, and the path is as it was. */
uint32_t recurring_find(struct recurring *r, const struct prof_writer *w, uint32_t info,
			uint64_t value);

/* Adds node, a child of the path's last one. */
void recurring_push(struct recurring *r, const struct prof_writer *w, uint32_t node);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nodes.h - builds trees that are safe to walk from a profile's nodes.
 */
#ifndef OMPHWC_SRC_PROFILE_READER_NODES_H
#define OMPHWC_SRC_PROFILE_READER_NODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct chunk;
struct prof_file;
struct prof_rnode;

struct nodes {
	const unsigned char *bytes; /* the whole file */
	uint32_t *slot;		    /* by node number: index into number + 1; 0: no node;
				   UINT32_MAX: incomplete */
	size_t slots;
	uint32_t *number; /* node numbers in file order */
	size_t count, room;
	uint32_t *result;   /* after nodes_link(): by index, that in f->nodes */
	uint64_t roots_end; /* one more than the largest thread index that a root has */
};

/* bytes is the whole file, aligned to 8, and must outlive n. */
void nodes_init(struct nodes *n, const unsigned char *bytes, size_t size);
void nodes_fini(struct nodes *n);

/* Collects the complete nodes of one NODES chunk and counts incomplete ones in f->unfinished. */
void nodes_take(struct nodes *n, struct prof_file *f, const struct chunk *c);

/*
 * Fills in f->nodes: each node follows its parent and its creation context; otherwise file
 * order.  Needs f->header and f->nthreads.
 */
void nodes_link(struct nodes *n, struct prof_file *f);

/* After nodes_link(): the index in f->nodes of the node with that number; for one of an unknown
   kind, of its nearest ancestor that was kept.  PROF_NONE: there is none. */
uint32_t nodes_find(const struct nodes *n, uint32_t number);

/* Whether leaves may lie beneath nodes of this known kind. */
bool nodes_have_leaves(uint8_t kind);

/* Whether a reader can use a node: its parent is r->parent, of f->nodes, and its numbers are in
   range.  Not for roots. */
bool nodes_usable(const struct prof_file *f, const struct prof_rnode *r);

#endif

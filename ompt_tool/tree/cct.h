/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cct.h - a thread's calling-context tree, which lies in the profile's file.
 *
 * One thread owns a tree, and only this thread adds to it: in its handler, and in
 * the code that the handler interrupts. Each function is async-signal-safe, and the
 * same thread's handler may interrupt it anywhere and call it. Siblings form a trie
 * by the bits of their key's hash, so a look-up takes about log2 of their number of
 * steps. Nothing is ever moved, rehashed or freed. Whatever is read back from the file is
 * bounded: a link that leads nowhere, or around, marks the file as overwritten, and there is
 * no room from then on.
 */
#ifndef OMPHWC_OMPT_TOOL_TREE_CCT_H
#define OMPHWC_OMPT_TOOL_TREE_CCT_H

#include <stdatomic.h>
#include <stdint.h>

#include "src/profile/format.h"
#include "src/profile/writer.h"

struct cct {
	struct prof_writer *writer;
	_Atomic uint64_t room; /* next free node | end of the chunk << 32 */
	uint32_t root;	       /* 0: there was no room for it yet */
	uint32_t owner;	       /* thread index */
	uint32_t chunk_bytes;  /* of the last chunk; the next is larger */
	uint32_t refused;      /* further tries to refuse before asking for room again */
};

/* Starts an empty tree. */
void cct_init(struct cct *t, struct prof_writer *w, uint32_t owner);

/* The tree's root, made if need be; 0 without room. */
uint32_t cct_root(struct cct *t);

/* The child of parent with this info word and value, made if need be; 0 without room,
   or where parent is 0. The key of LEAF, STATS, COUNT and CPU nodes is info alone. parent
   may be in another thread's tree, and both threads may add to it. */
uint32_t cct_child(struct cct *t, uint32_t parent, uint32_t info, uint64_t value);

/* The child of that key if it was made before, else 0. Of STATS, LEAF, COUNT and CPU nodes. */
uint32_t cct_find(const struct prof_writer *w, uint32_t parent, uint32_t info);

/* The node that another one in the file names, as its parent for instance: anybody can write into
   the file.  0: that names none. */
static inline uint32_t cct_link(const struct prof_writer *w, uint32_t n)
{
	return n < atomic_load_explicit(&w->nodes, memory_order_relaxed) ? n : 0;
}

/* n is from a function above, or from cct_link(). */
static inline struct prof_node *cct_node(const struct prof_writer *w, uint32_t n)
{
	return (struct prof_node *)w->base + n;
}

#endif

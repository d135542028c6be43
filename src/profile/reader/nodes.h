/*
 * nodes.h - gathers a profile's nodes into trees that can be walked safely.
 */
#ifndef OMPHWC_SRC_PROFILE_READER_NODES_H
#define OMPHWC_SRC_PROFILE_READER_NODES_H

#include <stddef.h>
#include <stdint.h>

struct chunk;
struct prof_file;

struct nodes {
	const unsigned char *bytes;	/* the whole file */
	uint32_t *slot;		/* by node number: index into number + 1, or not */
	size_t slots;
	uint32_t *number;	/* node numbers, in file order */
	size_t count, room;
	uint64_t roots_end;	/* one more than the largest thread index claimed */
};

/* bytes is the file, aligned to 8, and outlives n.  0 or -ENOMEM. */
int nodes_init(struct nodes *n, const unsigned char *bytes, size_t size);
void nodes_fini(struct nodes *n);

/* Notes the whole nodes of one NODES chunk; half-written ones are counted in
   f->unfinished.  0 or -ENOMEM. */
int nodes_take(struct nodes *n, struct prof_file *f, const struct chunk *c);

/*
 * Makes f->nodes: each node after its parent and its creation context,
 * otherwise in file order.  Needs f->header and f->nthreads.  0 or -ENOMEM.
 */
int nodes_link(struct nodes *n, struct prof_file *f);

#endif

/*
 * arena.h - memory that is given back all at once.
 *
 * For ordinary code, one thread at a time.
 */
#ifndef OMPHWC_SRC_BASE_ARENA_H
#define OMPHWC_SRC_BASE_ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *blocks;
};

/* An arena of zeros is empty and ready. */
void arena_free(struct arena *a);

/* Zeroed, aligned to 16; NULL without memory. */
void *arena_alloc(struct arena *a, size_t bytes);

#endif

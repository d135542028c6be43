/*
 * arena.h - memory that is given back all at once, and strings kept once.
 *
 * For ordinary code, one thread at a time.
 */
#ifndef OMPHWC_SRC_BASE_ARENA_H
#define OMPHWC_SRC_BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct arena_block;

struct arena {
	struct arena_block *blocks;
	const char **strings;	/* open addressing; a power of two */
	size_t nstrings, room;
};

/* An arena of zeros is empty and ready. */
void arena_free(struct arena *a);

/* Zeroed, aligned to 16; NULL without memory. */
void *arena_alloc(struct arena *a, size_t bytes);

/* The one copy of n bytes as a NUL-ended string: equal strings give equal
   pointers.  NULL without memory. */
const char *arena_string(struct arena *a, const char *s, size_t n);

#endif

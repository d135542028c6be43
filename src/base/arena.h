/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * arena.h - allocations that are freed all at once.
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

/* A zeroed arena is empty and ready for use. */
void arena_free(struct arena *a);

/* Zeroed, aligned to 16. */
void *arena_alloc(struct arena *a, size_t bytes);

#endif

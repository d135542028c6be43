/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/base/arena.h"

#include <stdlib.h>

#include "src/base/alloc.h"

enum { BLOCK_BYTES = 1 << 16, ALIGN = 16 };

struct arena_block {
	struct arena_block *next;
	size_t used, room;
	_Alignas(ALIGN) unsigned char bytes[];
};

void arena_free(struct arena *a)
{
	while (a->blocks) {
		struct arena_block *next = a->blocks->next;

		free(a->blocks);
		a->blocks = next;
	}
	*a = (struct arena){ 0 };
}

void *arena_alloc(struct arena *a, size_t bytes)
{
	size_t need = (bytes + ALIGN - 1) / ALIGN * ALIGN;
	struct arena_block *b = a->blocks;
	size_t room = need > BLOCK_BYTES / 4 ? need : BLOCK_BYTES;

	if (need < bytes)
		alloc_failed();
	if (!b || b->room - b->used < need) {
		b = alloc_zeroed(1, sizeof(*b) + room);
		b->room = room;
		/* A large allocation gets a block of its own, so that the current block stays
		   in use. */
		if (a->blocks && need > BLOCK_BYTES / 4) {
			b->next = a->blocks->next;
			a->blocks->next = b;
		} else {
			b->next = a->blocks;
			a->blocks = b;
		}
	}
	b->used += need;
	return b->bytes + b->used - need;
}

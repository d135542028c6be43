/* SPDX-License-Identifier: BSD-3-Clause */
/* hash.c - open addressing with linear probing, at most two thirds full. */
#include "config.h"

#include "src/base/hash.h"

#include <stdlib.h>

#include "src/base/alloc.h"
#include "src/base/fnv.h"

enum { ROOM_FIRST = 64 };

void hash_free(struct hash *h)
{
	free(h->slots);
	*h = (struct hash){ 0 };
}

uint32_t hash_of_bytes(const void *bytes, size_t n)
{
	const uint64_t h = fnv(FNV_BEGIN, bytes, n);

	return (uint32_t)(h ^ h >> 32);
}

static void hash_put(uint64_t *slots, size_t room, uint64_t slot)
{
	size_t at = (size_t)(slot >> 32) & (room - 1);

	while (slots[at])
		at = (at + 1) & (room - 1);
	slots[at] = slot;
}

void hash_add(struct hash *h, uint32_t hash, uint32_t number)
{
	if (h->count >= h->room - h->room / 3) {
		const size_t room = h->room ? h->room * 2 : ROOM_FIRST;
		uint64_t *slots = alloc_zeroed(room, sizeof(*slots));

		for (size_t i = 0; i < h->room; i++)
			if (h->slots[i])
				hash_put(slots, room, h->slots[i]);
		free(h->slots);
		h->slots = slots;
		h->room = room;
	}
	hash_put(h->slots, h->room, (uint64_t)hash << 32 | (number + 1));
	h->count++;
}

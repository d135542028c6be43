/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hash.h - a hash table of numbers; the caller keeps their keys in an array.
 *
 * A slot holds a number and the 32-bit hash of its key.  So a slot takes 8 bytes, the table
 * grows without access to the keys, and keys are compared only if their hashes are equal.
 * map.h (pairs), interner.h (strings) and the view's trees are built on it.  A zeroed
 * struct is an empty table.  For ordinary code, one thread at a time.
 */
#ifndef OMPHWC_SRC_BASE_HASH_H
#define OMPHWC_SRC_BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hash {
	uint64_t *slots;    /* hash << 32 | number + 1; 0: free slot */
	size_t count, room; /* room is a power of two, or 0 */
};

void hash_free(struct hash *h);

/* The hash of a pair of numbers, and of n bytes. */
static inline uint32_t hash_of_pair(uint64_t a, uint64_t b)
{
	uint64_t h = a * UINT64_C(0x9e3779b97f4a7c15);

	h = (h ^ h >> 32 ^ b) * UINT64_C(0xd6e8feb86659fd93);
	h = (h ^ h >> 29) * UINT64_C(0xd6e8feb86659fd93);
	return (uint32_t)(h >> 32);
}
uint32_t hash_of_bytes(const void *bytes, size_t n);

/*
 * Finds the next number whose key has that hash.  *at is the position of the search and
 * starts at hash.  False: there are no more.  The caller compares the keys:
 *
 *	for (size_t at = hash; hash_next(h, hash, &at, &n);)
 *		if (keys[n] is the one) …
 */
static inline bool hash_next(const struct hash *h, uint32_t hash, size_t *at, uint32_t *number)
{
	if (!h->room)
		return false;
	for (;;) {
		const uint64_t slot = h->slots[(*at)++ & (h->room - 1)];

		if (!slot)
			return false;
		if (slot >> 32 == hash) {
			*number = (uint32_t)slot - 1;
			return true;
		}
	}
}

/* Adds a number below UINT32_MAX that is not in the table. */
void hash_add(struct hash *h, uint32_t hash, uint32_t number);

/* The same after hash_next() has ended at position at: does not search again. */
static inline void hash_add_here(struct hash *h, uint32_t hash, size_t at, uint32_t number)
{
	if (h->count >= h->room - h->room / 3) {
		hash_add(h, hash, number);
		return;
	}
	h->slots[(at - 1) & (h->room - 1)] = (uint64_t)hash << 32 | (number + 1);
	h->count++;
}

#endif

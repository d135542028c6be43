/*
 * hash.h - a hash table of numbers, whose keys the caller keeps in an array.
 *
 * A slot holds a number and the 32-bit hash of its key, so that a million keys cost a
 * million slots of 8 bytes, the table grows without the keys, and few keys are compared
 * in vain.  map.h (pairs), interner.h (strings) and the view's trees are built on it.
 * A zeroed struct is an empty table.  For ordinary code, one thread at a time.
 */
#ifndef OMPHWC_SRC_BASE_HASH_H
#define OMPHWC_SRC_BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hash {
	uint64_t *slots;	/* the hash above the number + 1; 0: the slot is free */
	size_t count, room;	/* room is a power of two, or 0 */
};

void hash_free(struct hash *h);

/* The hash of a pair of numbers, and of n bytes. */
uint32_t hash_of_pair(uint64_t a, uint64_t b);
uint32_t hash_of_bytes(const void *bytes, size_t n);

/*
 * The next number whose key has that hash, in *number; *at is where the search goes on,
 * and starts at hash.  False: there is no other.  The caller compares the keys:
 *
 *	for (size_t at = hash; hash_next(h, hash, &at, &n);)
 *		if (keys[n] is the one) …
 */
bool hash_next(const struct hash *h, uint32_t hash, size_t *at, uint32_t *number);

/* Adds a number below UINT32_MAX, which the caller has not found.  0, or -ENOMEM: the
   table is unchanged. */
int hash_add(struct hash *h, uint32_t hash, uint32_t number);

#endif

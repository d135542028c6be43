/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * map.h - a map from pairs of 64-bit keys to numbers or to pointers.
 *
 * A map holds either numbers or pointers, never both, and only grows.  A zeroed
 * struct is an empty map.  For ordinary code, one thread at a time.
 */
#ifndef OMPHWC_SRC_BASE_MAP_H
#define OMPHWC_SRC_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/hash.h"

struct map_entry {
	uint64_t a, b;
	union {
		uint32_t number;
		const void *pointer;
	};
};

struct map {
	struct map_entry *entries; /* in the order in which they were added */
	size_t count, room;
	struct hash hash; /* of indices into entries */
};

void map_free(struct map *m);

/*
 * The number of (a, b) in *value; a pair without one gets fresh.
 * True: added, false: it was there.
 */
bool map_add(struct map *m, uint64_t a, uint64_t b, uint32_t fresh, uint32_t *value);

/* The number of (a, b), or missing. */
uint32_t map_get(const struct map *m, uint64_t a, uint64_t b, uint32_t missing);

/* Sets the pointer of (a, b), which is borrowed and not NULL. */
void map_set_pointer(struct map *m, uint64_t a, uint64_t b, const void *pointer);

/* The pointer of (a, b), or NULL. */
const void *map_pointer(const struct map *m, uint64_t a, uint64_t b);

#endif

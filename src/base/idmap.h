/*
 * idmap.h - numbers for pairs of 64-bit keys: a hash table that only grows.
 *
 * For ordinary code, one thread at a time.  A zeroed struct is an empty map.
 */
#ifndef OMPHWC_SRC_BASE_IDMAP_H
#define OMPHWC_SRC_BASE_IDMAP_H

#include <stddef.h>
#include <stdint.h>

struct idmap_slot {
	uint64_t a, b;
	uint32_t value;
	uint32_t used;
};

struct idmap {
	struct idmap_slot *slots;
	size_t capacity;	/* a power of two, or 0 */
	size_t used;
};

/*
 * The number of (a, b) in *value; with none yet, it becomes fresh.
 * 1: added, 0: it was there, -ENOMEM.
 */
int idmap_add(struct idmap *m, uint64_t a, uint64_t b, uint32_t fresh, uint32_t *value);

/* The number of (a, b), or missing. */
uint32_t idmap_get(const struct idmap *m, uint64_t a, uint64_t b, uint32_t missing);

void idmap_fini(struct idmap *m);

#endif

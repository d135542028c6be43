/*
 * map.h - pointers by pairs of numbers.
 */
#ifndef OMPHWC_SRC_BASE_MAP_H
#define OMPHWC_SRC_BASE_MAP_H

#include <stddef.h>
#include <stdint.h>

struct map_slot {
	uint64_t a, b;
	const void *value;	/* NULL: the slot is free */
};

/* One of zeros is empty and ready.  What it points to is borrowed. */
struct map {
	struct map_slot *slots;
	size_t count, room;
};

void map_free(struct map *m);

/* The value, or NULL. */
const void *map_get(const struct map *m, uint64_t a, uint64_t b);

/* Puts or replaces; value is not NULL.  0 or -ENOMEM. */
int map_put(struct map *m, uint64_t a, uint64_t b, const void *value);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/base/map.h"

#include <stdlib.h>

#include "src/base/grow.h"

void map_free(struct map *m)
{
	free(m->entries);
	hash_free(&m->hash);
	*m = (struct map){ 0 };
}

/* *at becomes the position where the search ended. */
static inline struct map_entry *map_find(const struct map *m, uint32_t hash, size_t *at, uint64_t a,
					 uint64_t b)
{
	uint32_t n;

	for (*at = hash; hash_next(&m->hash, hash, at, &n);)
		if (m->entries[n].a == a && m->entries[n].b == b)
			return &m->entries[n];
	return NULL;
}

/* Adds a pair that is not in the map. */
static struct map_entry *add(struct map *m, uint32_t hash, size_t at, uint64_t a, uint64_t b)
{
	struct map_entry *e;

	m->entries = grow(m->entries, m->count, &m->room, sizeof(*m->entries));
	hash_add_here(&m->hash, hash, at, (uint32_t)m->count);
	e = &m->entries[m->count++];
	e->a = a;
	e->b = b;
	return e;
}

bool map_add(struct map *m, uint64_t a, uint64_t b, uint32_t fresh, uint32_t *value)
{
	const uint32_t hash = hash_of_pair(a, b);
	size_t at;
	struct map_entry *e = map_find(m, hash, &at, a, b);

	if (e) {
		*value = e->number;
		return false;
	}
	e = add(m, hash, at, a, b);
	*value = e->number = fresh;
	return true;
}

uint32_t map_get(const struct map *m, uint64_t a, uint64_t b, uint32_t missing)
{
	size_t at;
	const struct map_entry *e = map_find(m, hash_of_pair(a, b), &at, a, b);

	return e ? e->number : missing;
}

void map_set_pointer(struct map *m, uint64_t a, uint64_t b, const void *pointer)
{
	const uint32_t hash = hash_of_pair(a, b);
	size_t at;
	struct map_entry *e = map_find(m, hash, &at, a, b);

	if (!e)
		e = add(m, hash, at, a, b);
	e->pointer = pointer;
}

const void *map_pointer(const struct map *m, uint64_t a, uint64_t b)
{
	size_t at;
	const struct map_entry *e = map_find(m, hash_of_pair(a, b), &at, a, b);

	return e ? e->pointer : NULL;
}

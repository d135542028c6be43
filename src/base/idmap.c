/* idmap.c - open addressing with linear probing, at most two thirds full. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>

#include "src/base/idmap.h"

static size_t idmap_hash(uint64_t a, uint64_t b)
{
	uint64_t h = a * UINT64_C(0x9e3779b97f4a7c15) ^ b;

	h ^= h >> 32;
	h *= UINT64_C(0xd6e8feb86659fd93);
	h ^= h >> 29;
	h *= UINT64_C(0xd6e8feb86659fd93);
	return (size_t)(h ^ h >> 32);
}

/* The pair's slot, or the free one where it belongs. */
static struct idmap_slot *idmap_slot(const struct idmap *m, uint64_t a, uint64_t b)
{
	size_t i = idmap_hash(a, b) & (m->capacity - 1);

	while (m->slots[i].used && (m->slots[i].a != a || m->slots[i].b != b))
		i = (i + 1) & (m->capacity - 1);
	return &m->slots[i];
}

static int idmap_grow(struct idmap *m)
{
	struct idmap old = *m;
	size_t capacity = m->capacity ? m->capacity * 2 : 64;
	struct idmap_slot *slots = calloc(capacity, sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	m->slots = slots;
	m->capacity = capacity;
	for (size_t i = 0; i < old.capacity; i++)
		if (old.slots[i].used)
			*idmap_slot(m, old.slots[i].a, old.slots[i].b) = old.slots[i];
	free(old.slots);
	return 0;
}

int idmap_add(struct idmap *m, uint64_t a, uint64_t b, uint32_t fresh, uint32_t *value)
{
	struct idmap_slot *s;
	int err;

	if (m->used >= m->capacity - m->capacity / 3) {
		err = idmap_grow(m);
		if (err)
			return err;
	}
	s = idmap_slot(m, a, b);
	if (s->used) {
		*value = s->value;
		return 0;
	}
	*s = (struct idmap_slot){ .a = a, .b = b, .value = fresh, .used = 1 };
	m->used++;
	*value = fresh;
	return 1;
}

uint32_t idmap_get(const struct idmap *m, uint64_t a, uint64_t b, uint32_t missing)
{
	const struct idmap_slot *s = m->capacity ? idmap_slot(m, a, b) : NULL;

	return s && s->used ? s->value : missing;
}

void idmap_fini(struct idmap *m)
{
	free(m->slots);
	*m = (struct idmap){ 0 };
}

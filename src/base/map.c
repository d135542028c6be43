#include "config.h"

#include "src/base/map.h"

#include <errno.h>
#include <stdlib.h>

enum { ROOM_FIRST = 256 };

void map_free(struct map *m)
{
	free(m->slots);
	*m = (struct map){ 0 };
}

static uint64_t mix(uint64_t a, uint64_t b)
{
	uint64_t h = (a ^ b >> 32 ^ b << 32) * UINT64_C(0x9e3779b97f4a7c15);

	h = (h ^ h >> 32 ^ b) * UINT64_C(0xd6e8feb86659fd93);
	return h ^ h >> 32;
}

/* Where the pair is, or would go. */
static struct map_slot *find(struct map_slot *slots, size_t room, uint64_t a, uint64_t b)
{
	size_t i = (size_t)mix(a, b) & (room - 1);

	while (slots[i].value && (slots[i].a != a || slots[i].b != b))
		i = (i + 1) & (room - 1);
	return &slots[i];
}

const void *map_get(const struct map *m, uint64_t a, uint64_t b)
{
	return m->room ? find(m->slots, m->room, a, b)->value : NULL;
}

static int widen(struct map *m)
{
	size_t room = m->room ? m->room * 2 : ROOM_FIRST;
	struct map_slot *slots = calloc(room, sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	for (size_t i = 0; i < m->room; i++)
		if (m->slots[i].value)
			*find(slots, room, m->slots[i].a, m->slots[i].b) = m->slots[i];
	free(m->slots);
	m->slots = slots;
	m->room = room;
	return 0;
}

int map_put(struct map *m, uint64_t a, uint64_t b, const void *value)
{
	struct map_slot *slot;

	if (m->count >= m->room / 2 && widen(m))
		return -ENOMEM;
	slot = find(m->slots, m->room, a, b);
	m->count += !slot->value;
	*slot = (struct map_slot){ a, b, value };
	return 0;
}

#include "config.h"

#include "src/base/arena.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 1 << 16, ALIGN = 16, STRINGS_FIRST = 1 << 10 };

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
	free(a->strings);
	*a = (struct arena){ 0 };
}

void *arena_alloc(struct arena *a, size_t bytes)
{
	size_t need = (bytes + ALIGN - 1) / ALIGN * ALIGN;
	struct arena_block *b = a->blocks;
	size_t room = need > BLOCK_BYTES / 4 ? need : BLOCK_BYTES;

	if (need < bytes)
		return NULL;
	if (!b || b->room - b->used < need) {
		b = calloc(1, sizeof(*b) + room);
		if (!b)
			return NULL;
		b->room = room;
		/* A large one gets a block of its own, behind the one in use. */
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

static size_t hash(const char *s, size_t n)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)s[i]) * UINT64_C(0x100000001b3);
	return (size_t)(h ^ h >> 29);
}

/* Where s is, or would go. */
static const char **find(const char **strings, size_t room, const char *s, size_t n)
{
	size_t i = hash(s, n) & (room - 1);

	while (strings[i] && (strncmp(strings[i], s, n) != 0 || strings[i][n]))
		i = (i + 1) & (room - 1);
	return &strings[i];
}

static bool widen(struct arena *a)
{
	size_t room = a->room ? a->room * 2 : STRINGS_FIRST;
	const char **strings = calloc(room, sizeof(*strings));

	if (!strings)
		return false;
	for (size_t i = 0; i < a->room; i++)
		if (a->strings[i])
			*find(strings, room, a->strings[i], strlen(a->strings[i])) = a->strings[i];
	free(a->strings);
	a->strings = strings;
	a->room = room;
	return true;
}

const char *arena_string(struct arena *a, const char *s, size_t n)
{
	const char **slot;
	char *copy;

	n = strnlen(s, n);
	if (a->nstrings >= a->room / 2 && !widen(a))
		return NULL;
	slot = find(a->strings, a->room, s, n);
	if (*slot)
		return *slot;
	copy = arena_alloc(a, n + 1);
	if (!copy)
		return NULL;
	memcpy(copy, s, n);
	*slot = copy;
	a->nstrings++;
	return copy;
}

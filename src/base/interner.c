#include "config.h"

#include "src/base/interner.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/grow.h"

void interner_free(struct interner *in)
{
	free(in->strings);
	arena_free(&in->arena);
	hash_free(&in->hash);
	*in = (struct interner){ 0 };
}

static int add(struct interner *in, uint32_t hash, const char *s, size_t n, uint32_t *number)
{
	const char **room = grow(in->strings, in->count, &in->room, sizeof(*room));
	char *copy;

	if (!room)
		return -ENOMEM;
	in->strings = room;
	copy = arena_alloc(&in->arena, n + 1);
	if (!copy || hash_add(&in->hash, hash, (uint32_t)in->count))
		return -ENOMEM;
	memcpy(copy, s, n);
	*number = (uint32_t)in->count;
	in->strings[in->count++] = copy;
	return 0;
}

int interner_number(struct interner *in, const char *s, size_t n, uint32_t *number)
{
	uint32_t hash;

	n = strnlen(s, n);
	hash = hash_of_bytes(s, n);
	for (size_t at = hash; hash_next(&in->hash, hash, &at, number);)
		if (!strncmp(in->strings[*number], s, n) && !in->strings[*number][n])
			return 0;
	return add(in, hash, s, n, number);
}

const char *intern(struct interner *in, const char *s, size_t n)
{
	uint32_t number;

	return interner_number(in, s, n, &number) ? NULL : in->strings[number];
}

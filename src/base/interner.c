/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/base/interner.h"

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

uint32_t interner_number(struct interner *in, const char *s, size_t n)
{
	uint32_t hash, number;
	char *copy;

	n = strnlen(s, n);
	hash = hash_of_bytes(s, n);
	for (size_t at = hash; hash_next(&in->hash, hash, &at, &number);)
		if (!strncmp(in->strings[number], s, n) && !in->strings[number][n])
			return number;
	in->strings = grow(in->strings, in->count, &in->room, sizeof(*in->strings));
	copy = arena_alloc(&in->arena, n + 1);
	memcpy(copy, s, n);
	number = (uint32_t)in->count++;
	in->strings[number] = copy;
	hash_add(&in->hash, hash, number);
	return number;
}

const char *intern(struct interner *in, const char *s, size_t n)
{
	const uint32_t number = interner_number(in, s, n);

	return in->strings[number];
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* cpulist.c - see cpulist.h. */
#include "config.h"

#include "src/profile/cpulist.h"

#include <string.h>

#include "src/profile/digits.h"

uint32_t cpulist_next(const struct cpulist *l, uint32_t from)
{
	for (uint32_t i = from; i < CPULIST_MAX; i++)
		if (cpulist_has(l, i))
			return i;
	return CPULIST_NONE;
}

uint32_t cpulist_count(const struct cpulist *l)
{
	uint32_t n = 0;

	for (size_t i = 0; i < CPULIST_MAX / 64; i++)
		n += (uint32_t)__builtin_popcountll(l->bits[i]);
	return n;
}

bool cpulist_within(const struct cpulist *part, const struct cpulist *whole)
{
	for (size_t i = 0; i < CPULIST_MAX / 64; i++)
		if ((part->bits[i] & ~whole->bits[i]) != 0)
			return false;
	return true;
}

/* "3" or "0-3". */
static const char *read_range(struct cpulist *l, const char *at)
{
	uint64_t first, last;

	at = digits_get(at, &first, 10);
	last = first;
	if (at && *at == '-')
		at = digits_get(at + 1, &last, 10);
	if (!at || first > last || last >= CPULIST_MAX)
		return NULL;
	for (uint64_t i = first; i <= last; i++)
		cpulist_add(l, (uint32_t)i);
	return at;
}

const char *cpulist_read(struct cpulist *l, const char *text)
{
	memset(l, 0, sizeof(*l));
	for (;;) {
		text = read_range(l, text);
		if (!text || *text != ',')
			break;
		text++;
	}
	return text && (*text == '\0' || *text == ' ' || *text == '\n') ? text : NULL;
}

size_t cpulist_write(const struct cpulist *l, char *to, size_t bytes)
{
	uint32_t first = cpulist_next(l, 0), last;
	size_t n = 0;

	to[0] = '\0';
	for (; first != CPULIST_NONE; first = cpulist_next(l, last + 1)) {
		char range[2 * DIGITS_MAX + 2], *end = range;

		for (last = first; cpulist_has(l, last + 1);)
			last++;
		if (n != 0)
			*end++ = ',';
		end = digits_put(end, first, 10);
		if (last != first) {
			*end++ = '-';
			end = digits_put(end, last, 10);
		}
		if (n + (size_t)(end - range) >= bytes) {
			to[0] = '\0';
			return 0;
		}
		memcpy(to + n, range, (size_t)(end - range));
		n += (size_t)(end - range);
		to[n] = '\0';
	}
	return n;
}

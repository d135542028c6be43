/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/profile/digits.h"

#include <stddef.h>

char *digits_put(char *at, uint64_t n, unsigned base)
{
	if (n >= base)
		at = digits_put(at, n / base, base);
	*at = "0123456789abcdef"[n % base];
	return at + 1;
}

static unsigned digit(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (unsigned)(c - 'a') + 10;
	return 16;
}

const char *digits_get(const char *at, uint64_t *n, unsigned base)
{
	const char *first = at;

	for (*n = 0; digit(*at) < base; at++)
		if (__builtin_mul_overflow(*n, base, n) ||
		    __builtin_add_overflow(*n, digit(*at), n))
			return NULL;
	return at > first ? at : NULL;
}

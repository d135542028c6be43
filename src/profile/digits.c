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

bool digits_seconds(const char *text, uint64_t *ns)
{
	enum { NS_PER_S = 1000000000, MOST_S = 1000000000 };
	uint64_t s, fraction = 0, unit = NS_PER_S;

	*ns = 0;
	text = *text == '.' ? (s = 0, text) : digits_get(text, &s, 10);
	if (!text || s > MOST_S || (*text == '.' && digit(text[1]) >= 10))
		return false;
	if (*text == '.')
		while (digit(*++text) < 10)
			fraction += digit(*text) * (unit /= 10);
	if (*text != '\0')
		return false;
	*ns = s * NS_PER_S + fraction;
	return true;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/base/clean.h"

#include <string.h>

size_t clean_sequence(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t n = s[0] < 0x80		       ? 1 :
		   s[0] >= 0xc2 && s[0] < 0xe0 ? 2 :
		   (s[0] & 0xf0) == 0xe0       ? 3 :
		   s[0] >= 0xf0 && s[0] < 0xf5 ? 4 :
						 0;

	for (size_t i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	/* Overlong encodings: other spellings of characters that are rejected. */
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90))
		return 0;
	/* Surrogates, and what is beyond the last character. */
	if ((s[0] == 0xed && s[1] >= 0xa0) || (s[0] == 0xf4 && s[1] >= 0x90))
		return 0;
	return n;
}

uint32_t clean_code(const char *text, size_t n)
{
	const unsigned char *s = (const unsigned char *)text;
	uint32_t code = n == 1 ? s[0] : s[0] & (0x7fu >> n);

	for (size_t i = 1; i < n; i++)
		code = code << 6 | (s[i] & 0x3f);
	return code;
}

/* Unicode's categories Cc, Cf, Zl and Zp, and what is no character (Unicode 15). */
bool clean_is_hidden(uint32_t code)
{
	static const struct {
		uint32_t first, last;
	} hidden[] = {
		{ 0x00, 0x1f },	      { 0x7f, 0x9f },	    { 0xad, 0xad },
		{ 0x600, 0x605 },     { 0x61c, 0x61c },	    { 0x6dd, 0x6dd },
		{ 0x70f, 0x70f },     { 0x890, 0x891 },	    { 0x8e2, 0x8e2 },
		{ 0x180e, 0x180e },   { 0x200b, 0x200f },   { 0x2028, 0x202e },
		{ 0x2060, 0x206f },   { 0xfdd0, 0xfdef },   { 0xfeff, 0xfeff },
		{ 0xfff9, 0xfffb },   { 0xfffe, 0xffff },   { 0x110bd, 0x110bd },
		{ 0x110cd, 0x110cd }, { 0x13430, 0x1343f }, { 0x1bca0, 0x1bca3 },
		{ 0x1d173, 0x1d17a }, { 0xe0000, 0xe0fff },
	};

	if (code >= 0x20 && code < 0x7f)
		return false;
	for (size_t i = 0; i < sizeof(hidden) / sizeof(*hidden) && code >= hidden[i].first; i++)
		if (code <= hidden[i].last)
			return true;
	return false;
}

size_t clean_char(const char *s, char out[CLEAN_BYTES], size_t *used)
{
	const unsigned char *u = (const unsigned char *)s;
	const size_t n = clean_sequence(s);

	if (n && !clean_is_hidden(clean_code(s, n))) {
		memcpy(out, s, n);
		out[n] = '\0';
		*used = n;
		return 1;
	}
	*used = 1;
	out[0] = '\\';
	out[1] = (char)('0' + (u[0] >> 6));
	out[2] = (char)('0' + (u[0] >> 3 & 7));
	out[3] = (char)('0' + (u[0] & 7));
	out[4] = '\0';
	return 4;
}

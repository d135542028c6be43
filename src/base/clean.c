#include "config.h"

#include "src/base/clean.h"

#include <stdbool.h>
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
	return n;
}

size_t clean_char(const char *s, char out[CLEAN_BYTES], size_t *used)
{
	const unsigned char *u = (const unsigned char *)s;
	const size_t n = clean_sequence(s);
	/* C1 controls are valid sequences: 0xc2 0x80 … 0x9f. */
	const bool control = u[0] < 0x20 || u[0] == 0x7f || (u[0] == 0xc2 && u[1] < 0xa0);

	if (n && !control) {
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

/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/output/shorten.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || (c & 0x80) != 0;
}

/* The number of bytes of angle brackets that belong to an operator's name, after "operator". */
static size_t operator_brackets(const char *start, const char *at)
{
	static const char *const operators[] = {
		"<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "<", ">",
	};
	static const char word[] = "operator";
	const size_t n = sizeof(word) - 1;

	if ((size_t)(at - start) < n || memcmp(at - n, word, n) != 0 ||
	    ((size_t)(at - start) > n && is_word(at[-(ptrdiff_t)n - 1])))
		return 0;
	for (size_t i = 0; i < sizeof(operators) / sizeof(*operators); i++)
		if (strncmp(at, operators[i], strlen(operators[i])) == 0)
			return strlen(operators[i]);
	return 0;
}

/* Whether a bracket at `at` begins template arguments: they follow a name, a "}" or ")" at a
   name's end, or, after a blank, an operator whose name is a bracket. */
static bool opens(const char *start, const char *at)
{
	if (*at != '<' || at == start)
		return false;
	if (at[-1] == ' ') {
		for (size_t n = 1; n <= 3 && n < (size_t)(at - start); n++)
			if (operator_brackets(start, at - 1 - n) == n)
				return true;
		return false;
	}
	return is_word(at[-1]) || strchr(")]}<>", at[-1]);
}

/* The length of what distinguishes a lambda from others at s: "#1}" or "$_1"; 0: it is none. */
static size_t lambda_number(const char *s)
{
	const size_t before = *s == '#' ? 1 : !strncmp(s, "$_", 2) ? 2 : 0;
	const size_t digits = before ? strspn(s + before, "0123456789") : 0;

	if (!digits || (before == 1 && s[1 + digits] != '}'))
		return 0;
	return before + digits + (before == 1);
}

/* Copies to out, which is large enough for name; false if brackets do not match. */
static bool shorten_copy(const char *name, unsigned depth, char *out)
{
	unsigned level = 0;
	const char *lambda = NULL; /* in the arguments that are left out */

	for (const char *s = name; *s; s++) {
		size_t own = operator_brackets(name, s);

		if (own) {
			if (level <= depth) {
				memcpy(out, s, own);
				out += own;
			}
			s += own - 1;
			continue;
		}
		const bool closes = *s == '>' && level && s[-1] != '-';

		if (closes && level-- == depth + 1) {
			const size_t number = lambda ? lambda_number(lambda) : 0;

			memcpy(out, "...", 3);
			if (number)
				memcpy(out + 3, lambda, number);
			out += 3 + number;
			lambda = NULL;
		}
		if (level <= depth)
			*out++ = *s;
		else if (lambda_number(s))
			lambda = s;
		/* Within arguments every bracket belongs to arguments. */
		if (opens(name, s) || (*s == '<' && level))
			level++;
	}
	*out = '\0';
	return level == 0;
}

char *shorten_name(const char *name, unsigned depth)
{
	/* Each "..." replaces at least one byte. */
	char *out = alloc_bytes(3 * strlen(name) + 1);

	if (!shorten_copy(name, depth, out))
		strcpy(out, name);
	return out;
}

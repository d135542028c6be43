/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/base/pattern.h"

#include <stddef.h>
#include <string.h>

/* The length of a wildcard for any text at s, or 0. */
static size_t pattern_any(const char *s)
{
	return *s == '*' ? 1 : strncmp(s, "...", 3) == 0 ? 3 : 0;
}

/* At a mismatch the last wildcard takes one character more; earlier ones need not change.
   open: any text may follow, as if the pattern ended with a wildcard. */
static bool pattern_find(const char *pattern, const char *name, const char *again, bool open)
{
	const char *taken = name;

	for (;;) {
		const size_t any = pattern_any(pattern);

		if (any) {
			again = pattern += any;
			taken = name;
		} else if (!*pattern && (open || !*name)) {
			return true;
		} else if (*name && (*pattern == *name || *pattern == '?')) {
			pattern++;
			name++;
		} else if (!again || !*taken) {
			return false;
		} else {
			pattern = again;
			name = ++taken;
		}
	}
}

bool pattern_matches(const char *pattern, const char *name)
{
	return pattern_find(pattern, name, NULL, false);
}

bool pattern_within(const char *pattern, const char *name)
{
	return pattern_find(pattern, name, pattern, true);
}

enum pattern_level pattern_level(const char *pattern, const char *name)
{
	if (!*pattern)
		return PATTERN_NONE;
	if (!strcmp(pattern, name))
		return PATTERN_EXACT;
	if (pattern_matches(pattern, name))
		return PATTERN_WHOLE;
	return pattern_within(pattern, name) ? PATTERN_PART : PATTERN_NONE;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pattern.h - matches names with what a user typed.  Pure functions.
 *
 * In a pattern `*` and `...` stand for any text, `?` for one character.  All else stands for
 * itself, so that names of C++ functions need no quoting.
 */
#ifndef OMPHWC_SRC_BASE_PATTERN_H
#define OMPHWC_SRC_BASE_PATTERN_H

#include <stdbool.h>

/* In ascending order of preference. */
enum pattern_level {
	PATTERN_NONE,
	PATTERN_PART,  /* the name contains the text */
	PATTERN_WHOLE, /* the pattern stands for the whole name */
	PATTERN_EXACT, /* the text is the name */
};

enum pattern_level pattern_level(const char *pattern, const char *name);

/* Whether the pattern stands for the whole name. */
bool pattern_matches(const char *pattern, const char *name);

/* Whether it stands for a part of the name. */
bool pattern_within(const char *pattern, const char *name);

#endif

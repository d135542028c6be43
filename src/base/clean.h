/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clean.h - makes foreign text safe for a terminal.
 *
 * Profiles, file names and the environment may contain characters that a terminal obeys or
 * does not show: control characters of ASCII and the C1 set (U+0080 to U+009F), also as single
 * bytes, which are invalid UTF-8; those that change the direction of the text around them
 * (U+202A to U+202E, U+2066 to U+2069), so that a name reads as another one; and others
 * without a shape.  All printed text goes through here.  Pure functions; signal-safe.
 */
#ifndef OMPHWC_SRC_BASE_CLEAN_H
#define OMPHWC_SRC_BASE_CLEAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CLEAN_BYTES = 8 };

/* The length of the UTF-8 character at s; 0: invalid. */
size_t clean_sequence(const char *s);

/* The character of these n bytes, which are valid. */
uint32_t clean_code(const char *s, size_t n);

/* Whether nobody would see that character for what it is. */
bool clean_is_hidden(uint32_t code);

/*
 * Copies the first character of s (not empty) to out if it is printable, otherwise \ooo of
 * its first byte.  *used is the number of bytes consumed.  Returns the number of columns:
 * every character counts as one.
 */
size_t clean_char(const char *s, char out[CLEAN_BYTES], size_t *used);

#endif

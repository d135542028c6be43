/*
 * clean.h - text of others on its way to a terminal.
 *
 * Whatever a profile, a file's name or the environment says may hold control
 * characters, which a terminal obeys: those of ASCII, and C1's (U+0080 to U+009F), also
 * as single bytes, which are no UTF-8.  All that is printed goes through here.
 * Pure functions; signal-safe.
 */
#ifndef OMPHWC_SRC_BASE_CLEAN_H
#define OMPHWC_SRC_BASE_CLEAN_H

#include <stddef.h>

enum { CLEAN_BYTES = 8 };

/* The length of the UTF-8 character at s; 0: there is none. */
size_t clean_sequence(const char *s);

/*
 * The first character of s (not empty) as it may be printed: itself, or \ooo of its first
 * byte; *used bytes of s.  Returns its columns: all characters count as one wide.
 */
size_t clean_char(const char *s, char out[CLEAN_BYTES], size_t *used);

#endif

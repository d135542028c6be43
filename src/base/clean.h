/*
 * clean.h - makes foreign text safe for a terminal.
 *
 * Profiles, file names and the environment may contain control characters, which a terminal
 * obeys: those of ASCII, and the C1 set (U+0080 to U+009F), also as single bytes, which are
 * invalid UTF-8.  All printed text goes through here.  Pure functions; signal-safe.
 */
#ifndef OMPHWC_SRC_BASE_CLEAN_H
#define OMPHWC_SRC_BASE_CLEAN_H

#include <stddef.h>

enum { CLEAN_BYTES = 8 };

/* The length of the UTF-8 character at s; 0: invalid. */
size_t clean_sequence(const char *s);

/*
 * Copies the first character of s (not empty) to out if it is printable, otherwise \ooo of
 * its first byte.  *used is the number of bytes consumed.  Returns the number of columns:
 * every character counts as one.
 */
size_t clean_char(const char *s, char out[CLEAN_BYTES], size_t *used);

#endif

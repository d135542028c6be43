/*
 * digits.h - numbers as text, for code that may run in a signal handler: no
 * stdio, no locale, no memory.
 */
#ifndef OMPHWC_SRC_PROFILE_DIGITS_H
#define OMPHWC_SRC_PROFILE_DIGITS_H

#include <stdint.h>

enum { DIGITS_MAX = 20 };	/* of any number, base 10 or 16 */

/* Writes n at `at`, without a NUL; the place behind it.  base: 2 to 16. */
char *digits_put(char *at, uint64_t n, unsigned base);

/* Reads a number at `at`: the place behind it, or NULL where there is none or it
   does not fit. */
const char *digits_get(const char *at, uint64_t *n, unsigned base);

#endif

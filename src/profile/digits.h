/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * digits.h - converts numbers to text and back in signal handlers: without stdio, locale or
 * allocation.
 */
#ifndef OMPHWC_SRC_PROFILE_DIGITS_H
#define OMPHWC_SRC_PROFILE_DIGITS_H

#include <stdint.h>

enum { DIGITS_MAX = 20 }; /* digits of any number in base 10 or 16 */

/* Writes n at `at` without a NUL and returns the position after it.  base: 2 to 16. */
char *digits_put(char *at, uint64_t n, unsigned base);

/* Reads a number at `at` and returns the position after it; NULL: no number, or it does not
   fit. */
const char *digits_get(const char *at, uint64_t *n, unsigned base);

#endif

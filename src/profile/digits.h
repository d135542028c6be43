/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * digits.h - converts numbers to text and back in signal handlers: without stdio, locale or
 * allocation.
 */
#ifndef OMPHWC_SRC_PROFILE_DIGITS_H
#define OMPHWC_SRC_PROFILE_DIGITS_H

#include <stdbool.h>
#include <stdint.h>

enum { DIGITS_MAX = 20 }; /* digits of any number in base 10 or 16 */

/* Writes n at `at` without a NUL and returns the position after it.  base: 2 to 16. */
char *digits_put(char *at, uint64_t n, unsigned base);

/* Reads a number at `at` and returns the position after it; NULL: no number, or it does not
   fit. */
const char *digits_get(const char *at, uint64_t *n, unsigned base);

/* Reads a whole text, seconds with or without a decimal fraction ("2.5"), at most 10^9 of them.
   False: it is none, and *ns is 0. */
bool digits_seconds(const char *text, uint64_t *ns);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shorten.h - shortens C++ names that are too long for a line, by their template arguments,
 * which are rarely needed to distinguish them.
 */
#ifndef OMPHWC_SRC_OUTPUT_SHORTEN_H
#define OMPHWC_SRC_OUTPUT_SHORTEN_H

#include <stddef.h>

/*
 * Replaces by "..." the template arguments of name that are nested in more than depth
 * others: 0 gives "f<...>".  Of lambdas among them the last one's number stays, "f<...#1}>":
 * often it is all that distinguishes two functions.  The text may contain several names; text in
 * angle brackets without a name before it (<OMP-idle>) is kept.  Text with unbalanced brackets
 * is unchanged.  malloc'ed.
 */
char *shorten_name(const char *name, unsigned depth);

#endif

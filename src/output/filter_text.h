/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * filter_text.h - says what a report's filters left.
 */
#ifndef OMPHWC_SRC_OUTPUT_FILTER_TEXT_H
#define OMPHWC_SRC_OUTPUT_FILTER_TEXT_H

#include <stdio.h>

struct filtered;

/* Prints lines, each after before; f may be NULL. */
void filter_text(FILE *out, const struct filtered *f, const char *before);

#endif

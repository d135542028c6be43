/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fold.h - breaks lines at blanks to fit a terminal.  Pure functions.
 */
#ifndef OMPHWC_SRC_OUTPUT_FOLD_H
#define OMPHWC_SRC_OUTPUT_FOLD_H

#include <stddef.h>
#include <stdio.h>

/* Prints text, whose lines are broken at columns (0: not); what follows is indented by two more
   than the line.  Longer words stay whole.  Colours take no columns. */
void fold_text(FILE *out, const char *text, size_t columns);

/* The lines that a text, which ends with a newline, takes on a terminal of so many columns (0:
   any): longer ones go on in the next. */
size_t fold_lines(const char *text, size_t columns);

#endif

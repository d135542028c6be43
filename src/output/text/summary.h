/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * summary.h - the summary of some twenty lines that `ompcount run` prints at the end.
 *
 * It shows what was counted, what was lost, how the time (or the first event) divides in
 * OpenMP's terms, and which command shows more.  For ordinary code.
 */
#ifndef OMPHWC_SRC_OUTPUT_TEXT_SUMMARY_H
#define OMPHWC_SRC_OUTPUT_TEXT_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct summary_options {
	const char *program; /* name in messages and hints; NULL: ompcount */
	const char *sysroot; /* prepended to modules' paths; NULL: none */
	unsigned columns;    /* the terminal's width; 0: 100 */
	unsigned rows;	     /* the terminal's lines, which it is to fit; 0: all */
	bool colour;
	bool brief; /* only where the profiles are */
};

/*
 * Reads and merges the profiles at paths (one per process) and writes the summary to out.
 * An unreadable profile is left out and mentioned in a line.  0; -ENOENT if none is
 * readable. The caller checks out for errors (ferror).
 */
int summary_print(FILE *out, const struct summary_options *options, char *const *paths,
		  size_t npaths);

#endif

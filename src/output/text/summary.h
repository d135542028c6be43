/*
 * summary.h - the twenty lines that `ompcount run` prints at its end.
 *
 * Says what was counted, what was lost, where the time (or the first event)
 * went in OpenMP's terms, and where to read on.  For ordinary code.
 */
#ifndef OMPHWC_SRC_OUTPUT_TEXT_SUMMARY_H
#define OMPHWC_SRC_OUTPUT_TEXT_SUMMARY_H

#include <stddef.h>
#include <stdio.h>

struct summary_options {
	const char *program;	/* how messages and hints begin; NULL: ompcount */
	const char *sysroot;	/* put before modules' paths; NULL: none */
	unsigned columns;	/* the terminal's width; 0: 100 */
	size_t top;		/* regions and functions shown; 0: 5 of each */
};

/*
 * Reads the profiles at paths (one a process; merged) and writes the summary
 * to out.  A profile that can't be read costs one line and is left out.
 * 0; -ENOENT when none could be read; -ENOMEM.  Errors of out are the caller's
 * to look for (ferror).
 */
int summary_print(FILE *out, const struct summary_options *options,
		  char *const *paths, size_t npaths);

#endif

/*
 * outfile.h - an output file that is there whole or not at all.
 *
 * What is written goes to a new file beside it, which takes the name at the
 * end.  For ordinary code.
 */
#ifndef OMPHWC_SRC_OUTPUT_OUTFILE_H
#define OMPHWC_SRC_OUTPUT_OUTFILE_H

#include <stdio.h>

struct outfile {
	FILE *stream;
	char *target;		/* NULL: written in place (standard output, a device) */
	char *temporary;
};

/* path NULL or "-" is standard output.  0 or -errno. */
int outfile_open(struct outfile *o, const char *path);

/* Ends it: what was written takes path's name.  0 or -errno, and then path is
   as it was before. */
int outfile_commit(struct outfile *o);

/* Ends it without a trace. */
void outfile_abandon(struct outfile *o);

#endif

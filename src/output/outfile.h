/*
 * outfile.h - writes an output file completely or not at all.
 *
 * A new file in the same folder is written and finally renamed.  For ordinary code.
 */
#ifndef OMPHWC_SRC_OUTPUT_OUTFILE_H
#define OMPHWC_SRC_OUTPUT_OUTFILE_H

#include <stdio.h>

struct outfile {
	FILE *stream;
	char *target; /* NULL: written in place (standard output, a device) */
	char *temporary;
};

/* Opens path; NULL or "-" is standard output.  0 or -errno. */
int outfile_open(struct outfile *o, const char *path);

/* Closes and renames the file.  0 or -errno, and then path is unchanged. */
int outfile_commit(struct outfile *o);

/* Closes and removes the new file. */
void outfile_abandon(struct outfile *o);

#endif

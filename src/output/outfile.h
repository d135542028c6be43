/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * outfile.h - writes an output file completely or not at all.
 *
 * A new file in the same folder is written and finally renamed.  SIGHUP, SIGINT, SIGQUIT and
 * SIGTERM remove it, where they end the process; of several files the last one.  A limit of the
 * file's size (SIGXFSZ) is an error code.  For ordinary code, one thread at a time.
 */
#ifndef OMPHWC_SRC_OUTPUT_OUTFILE_H
#define OMPHWC_SRC_OUTPUT_OUTFILE_H

#include <stddef.h>
#include <stdio.h>

struct outfile {
	FILE *stream;
	char *target; /* NULL: written in place (standard output, a device) */
	char *temporary;
	char *text; /* of what is shown by a pager; it has bytes */
	size_t bytes;
};

/* Opens path; NULL or "-" is standard output.  0 or -errno; -EEXIST: it is a profile, which no
   output replaces. */
int outfile_open(struct outfile *o, const char *path);

/* The same for a caller that knows that the profile may be replaced. */
int outfile_open_over(struct outfile *o, const char *path);

/* What is written to standard output is shown by a pager (pager.c), at the end.  Nothing where no
   pager can be used, or other output is written. */
void outfile_page(struct outfile *o);

/* Closes and renames the file.  0 or -errno, and then path is unchanged. */
int outfile_commit(struct outfile *o);

/* Closes and removes the new file. */
void outfile_abandon(struct outfile *o);

#endif

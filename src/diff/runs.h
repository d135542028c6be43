/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * runs.h - the runs in a file or folder, as one side of a comparison.
 */
#ifndef OMPHWC_SRC_DIFF_RUNS_H
#define OMPHWC_SRC_DIFF_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/model/listing.h"

struct side;
struct trouble;

struct runs {
	const char *path; /* as the user named it; borrowed */
	struct listing listing;
};

/* Finds the profiles at path: a file, or the *.omphwc of a folder and of the folders omphwc.* in
   it.  Each must be readable.  0, or -1 with *t.  runs_fini() is required in either case. */
int runs_find(struct runs *r, const char *path, struct trouble *t);

/* The same for n files, one or more. */
int runs_of(struct runs *r, char *const *paths, size_t n, struct trouble *t);
void runs_fini(struct runs *r);

struct runs_options {
	const char *event;   /* label or requested name; NULL: the first sampled one */
	const char *sysroot; /* or NULL */
};

/* The event that is compared. */
struct runs_event {
	char label[48];
	uint32_t unit;
	bool time; /* it measures time, or cycles */
};

/* Reads the runs into side.  If e->label is empty, *e becomes the options' event of the first
   run; each later run must have it.  0, or -1 with *t. */
int runs_read(const struct runs *r, const struct runs_options *o, struct runs_event *e,
	      struct side *side, struct trouble *t);

/* The same for that run alone. */
int runs_read_one(const struct runs *r, size_t run, const struct runs_options *o,
		  struct runs_event *e, struct side *side, struct trouble *t);

#endif

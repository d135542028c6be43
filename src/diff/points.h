/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * points.h - the runs in files and folders as points of a history: those of a commit, or a day.
 */
#ifndef OMPHWC_SRC_DIFF_POINTS_H
#define OMPHWC_SRC_DIFF_POINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/interner.h"
#include "src/diff/runs.h"
#include "src/diff/side.h"

/* Which runs are a point. */
enum points_by {
	POINTS_RUN,    /* each */
	POINTS_FOLDER, /* those of a folder; files are one each */
	POINTS_DAY,    /* those that began on one day, in local time */
	POINTS_AUTO,   /* folders where several have runs, otherwise each run */
};

struct points_options {
	enum points_by by;
	bool by_name; /* they are in the order of their labels, otherwise of their begin */
	size_t last;  /* at most so many: the last ones */
	struct runs_options runs;
};

struct point {
	const char *label;
	struct side side;  /* regions and totals only; it has a run */
	uint64_t start_ns; /* of its first run; 0: unknown */
};

/* A file or folder that is not in the history. */
struct points_left {
	const char *path;
	const char *why;
};

struct points {
	struct point *all;
	size_t n;
	size_t nearlier; /* points before these */
	struct points_left *left;
	size_t nleft;
	struct runs_event event;
	struct interner strings;
	/* private */
	size_t left_room;
};

/* Reads what is at n paths: files, folders, and the folders in these.  What can't be read is left
   out; the event, where options name none, is the newest run's first.  0, or -1 with *t: nothing is
   left.  points_fini() is required in either case. */
int points_read(struct points *p, char *const *paths, size_t n, const struct points_options *o,
		struct trouble *t);
void points_fini(struct points *p);

#endif

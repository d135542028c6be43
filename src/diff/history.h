/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * history.h - how a program's times changed from point to point, and which changes are more than
 * chance.
 */
#ifndef OMPHWC_SRC_DIFF_HISTORY_H
#define OMPHWC_SRC_DIFF_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/tables/losses.h"

struct point;
struct side_item;

enum history_measure {
	HISTORY_ELAPSED,
	HISTORY_TOTAL, /* of the event, where a run's elapsed time is not known */
	HISTORY_EFFICIENCY,
	HISTORY_LOST,
	HISTORY_REGION,
};

enum { HISTORY_REGIONS = 40 /* the costliest */ };

/* That a history without a change has one, at most: half of it of the whole run, the other half of
   its regions and losses. */
#define HISTORY_CHANCE 0.02

/* A smaller change is not marked: a part of a time, or of the threads' time. */
#define HISTORY_LEAST 0.01

struct history_change {
	size_t at;	      /* the first point of the new level */
	double before, after; /* medians of the levels */
	bool worse;
};

struct history_series {
	enum history_measure measure;
	enum loss loss;		      /* HISTORY_LOST */
	const struct side_item *item; /* HISTORY_REGION: as the newest point with it has it */
	bool time;		      /* nanoseconds from fork to join, or of the run */
	bool share;		      /* a part of 1 */
	double *mean, *deviation;     /* by point; NaN: unknown; deviation: of one run, too */
	size_t known;		      /* points that have a mean */
	struct history_change *changes;
	size_t nchanges;
};

/* The newest point beside the level before it. */
struct history_latest {
	const char *unknown;  /* why it is not judged; NULL: it is, but for noise */
	double before, after; /* of the first series */
	size_t points;	      /* that the former is of */
	double noise;	      /* what chance explains; NaN: unknown */
};

/* What differs from the point before: bits. */
enum {
	HISTORY_ARGUMENTS = 1,
	HISTORY_HOST = 2,
	HISTORY_THREADS = 4,
};

struct history {
	const struct point *points; /* borrowed */
	size_t n;
	unsigned *differs;	       /* by point */
	struct history_series *series; /* the first is of the whole run, and decides */
	size_t nseries;
	size_t nregions_left; /* regions that have no series */
	size_t needed;	      /* points from which on a change of the whole run can be found */
	struct history_latest latest;
};

/* Of n > 0 points, whose sides have one interner.  history_fini() is required. */
void history_build(struct history *h, const struct point *points, size_t n);
void history_fini(struct history *h);

/* In percent of the time before; of a share in points. */
double history_percent(const struct history_series *s, double before, double after);

/* Whether the newest point is slower than the level before it by more than percent, and by more
   than noise where that is known. */
bool history_is_above(const struct history *h, double percent);
bool history_within_noise(const struct history *h);

#endif

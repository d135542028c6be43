/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * region_times.h - private to losses.c: how long each region of a view took.
 */
#ifndef OMPHWC_SRC_TABLES_REGION_TIMES_H
#define OMPHWC_SRC_TABLES_REGION_TIMES_H

#include <stdbool.h>

struct time_split;
struct view;

/* Sums over entries, also over those that had not ended, in nanoseconds. */
struct region_time {
	double elapsed;
	double team, wide; /* as in view_region */
	bool lasted;	   /* there were entries */
};

/*
 * One for each of the view's regions, for the caller to free.  sampled: what was
 * sampled in each.  Regions that samples alone distinguish from others of one call
 * (view_region.begun) have parts of the call's time: as they have of its samples.
 */
struct region_time *region_times(const struct view *v, const struct time_split *sampled);

#endif

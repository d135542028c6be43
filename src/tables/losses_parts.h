/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * losses_parts.h - shared by the files that compute losses, and private to them.
 */
#ifndef OMPHWC_SRC_TABLES_LOSSES_PARTS_H
#define OMPHWC_SRC_TABLES_LOSSES_PARTS_H

#include <stdbool.h>

struct away_time;
struct losses;
struct view;
struct time_split;

/* Adds up each process's samples in MPI, and blocked. */
void losses_away(const struct view *v, struct losses *l);

/* The time of threads without work while their process's initial threads are in MPI outside of
   regions, or blocked there (of: of each process); at most that, which is all that they have no
   work. */
double losses_idle_meanwhile(const struct view *v, struct away_time *of, double most);

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

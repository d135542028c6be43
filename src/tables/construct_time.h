/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * construct_time.h - where the threads' time in a construct went, from entry to exit.
 *
 * The thread time of a construct is the sum over its entries by each thread of the time
 * inside. Its samples there are those that the runtime reported to be inside; of waits and tasks,
 * those of the wait or of the task's body. The rest is not running, so the sums are exact.
 * doc/efficiency.md says where they are not known.
 */
#ifndef OMPHWC_SRC_TABLES_CONSTRUCT_TIME_H
#define OMPHWC_SRC_TABLES_CONSTRUCT_TIME_H

#include "src/tables/losses.h"

struct view;
struct view_construct;

/* Why the time of a construct is not split up. */
enum construct_unsplit {
	CONSTRUCT_SPLIT,      /* it is */
	CONSTRUCT_UNTIMED,    /* its entries and their times are not known */
	CONSTRUCT_HELD,	      /* its time is that of a lock held, where no sample is known to be */
	CONSTRUCT_RUNS_TASKS, /* explicit tasks may have run inside */
	CONSTRUCT_RUNS_REGIONS, /* regions may have run inside */
	CONSTRUCT_UNFINISHED,	/* its region had not ended */
	CONSTRUCT_ENDLESS,	/* nobody reports when threads leave it */
	CONSTRUCT_SHORT,	/* its time is that of too few samples */
};

struct construct_times {
	const struct view *view;
	/* private: by construct of the view */
	struct time_split *of;
	unsigned char *why;
	double sample_ns; /* the mean time that a sample stands for */
};

/* l may be NULL: nothing is known. */
void construct_times_build(const struct view *v, const struct losses *l, struct construct_times *t);
void construct_times_fini(struct construct_times *t);

/* Sets *split where the result is CONSTRUCT_SPLIT. */
enum construct_unsplit construct_time(const struct construct_times *t,
				      const struct view_construct *c, struct time_split *split);

/* A word about it for people; NULL: there is nothing to say. */
const char *construct_unsplit_text(enum construct_unsplit why);

#endif

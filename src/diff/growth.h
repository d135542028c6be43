/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * growth.h - regions and lines whose work grows with the number of threads.
 *
 * With more threads a program has as much work, each thread less of it.  Where all threads together
 * work longer than chance explains, the machine or the program makes them: false sharing, atomics,
 * memory, the clock's rate, or work that each thread repeats.  Times can't distinguish these.
 */
#ifndef OMPHWC_SRC_DIFF_GROWTH_H
#define OMPHWC_SRC_DIFF_GROWTH_H

#include <stddef.h>

struct side;
struct side_item;

/* Where the threads spend less of their time, or work grows by a smaller factor, it is not
   reported. */
#define GROWTH_SHARE_LEAST 0.02
#define GROWTH_FACTOR_LEAST 1.1

struct growth_row {
	const struct side_item *item; /* of the side with the most threads */
	double before, after;	      /* work of all threads, mean of the runs */
	double factor;		      /* after / before; 0: before there was none */
	double share;		      /* of all threads' time after */
};

/* Regions and lines, by what was added, descending. */
struct growth {
	struct growth_row *rows;
	size_t n;
};

/* The sides are borrowed: with the least and the most threads, of one event that measures time.
   growth_fini() is required in either case. */
void growth_build(struct growth *g, const struct side *before, const struct side *after);
void growth_fini(struct growth *g);

#endif

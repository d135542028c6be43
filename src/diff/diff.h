/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * diff.h - what changed between two sides, row by row.
 */
#ifndef OMPHWC_SRC_DIFF_DIFF_H
#define OMPHWC_SRC_DIFF_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/diff/noise.h"
#include "src/diff/side.h"

enum { BEFORE, AFTER, SIDES };

/* What more threads should cost, by which a context's scaling loss is measured. */
enum diff_scaling {
	DIFF_STRONG, /* the same problem: the same in all threads together */
	DIFF_WEAK,   /* a problem that grows with the threads: the same in each thread */
};

struct diff_value {
	const struct side_item *item; /* NULL: the side has none */
	struct noise_mean all;	      /* over the side's runs */
	double class[OMP_CLASSES];    /* means */
	uint64_t samples;	      /* of all runs */
};

struct diff_row {
	struct diff_value side[SIDES];
	double change; /* after - before */
	double loss;   /* after - what is ideal; equals change if the threads are as many */
	double noise;  /* chance changes loss by up to so much; NaN: unknown */
};

struct diff_table {
	struct diff_row *rows; /* by the size of loss, descending */
	size_t n;
};

struct diff {
	const struct side *side[SIDES];
	uint32_t threads[SIDES]; /* 0: unknown, or they differ between the side's runs */
	unsigned classes;	 /* those of both sides: see struct view */
	bool scaled;		 /* the sides have different numbers of threads */
	enum diff_scaling scaling;
	double common; /* variance of most rows between the runs, in units of that of sampling */
	double ideal;  /* what ideal scaling makes of a cost before: a factor */
	struct diff_table by[DIFF_BYS];
	struct diff_row elapsed; /* wall time; mean 0: unknown */
};

/* The sides are borrowed, and have the same interner and at least one run each. */
void diff_build(struct diff *d, const struct side *before, const struct side *after,
		enum diff_scaling scaling);
void diff_fini(struct diff *d);

/* Whether chance explains the change. */
bool diff_within_noise(const struct diff_row *row);

/* What describes the row: after's item, or else before's. */
const struct side_item *diff_item(const struct diff_row *row);

/* The one number by which a comparison is judged: elapsed time where all runs have it, otherwise
   the event's total. */
struct diff_judged {
	const struct diff_row *row;
	bool elapsed;	/* it is the elapsed time */
	double percent; /* change of what was before; NaN: that was nothing */
};

struct diff_judged diff_judge(const struct diff *d);

/* Whether it grew by more than percent, and by more than noise where that is known. */
bool diff_is_above(const struct diff *d, double percent);

#endif

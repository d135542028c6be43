/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tried.h - a program's runs as it is, and with settings that may help; which of them does.
 */
#ifndef OMPHWC_SRC_DIFF_TRIED_H
#define OMPHWC_SRC_DIFF_TRIED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/tables/remedies.h"

enum { GAIN_RUNS = 50 }; /* the most */

/*
 * All that is assumed of the times is that a setting multiplies them, not how they are distributed.
 * The gain is the median of 1 - after / before over all pairs, the bounds are two others of these
 * numbers, by the rank sum test of Wilcoxon, Mann and Whitney (exact).
 */
struct gain {
	double gain; /* the part of the time before that is saved; below 0: it got longer */
	double least, most;
};

/* chance: that the gain is not within the bounds, at most.  False: too few runs for that chance;
   then the bounds are infinite.  Of each at least one and at most GAIN_RUNS. */
bool gain_of(const uint64_t *before, size_t n, const uint64_t *after, size_t m, double chance,
	     struct gain *g);

/* The least number of runs of each that gain_of() needs; at most GAIN_RUNS. */
size_t gain_runs(double chance);

enum { TRIED_SIDES = REMEDIES_MOST + 1 };

/* That any of the gains is not within its bounds, at most. */
#define TRIED_CHANCE 0.05

/* A smaller gain is no line for a job script: another length of the environment, and so another
   place of the stack, may have it, too. */
#define TRIED_WORTH 0.01

struct tried_side {
	const char *settings;	/* "" for the program as it is */
	const char *finding;	/* what it may help against, for people; "" */
	const char *key;	/* finding_key() */
	uint64_t ns[GAIN_RUNS]; /* elapsed; sorted by tried_judge() */
	size_t nruns;
	char refused[96]; /* why it is not run any more; "" */
	/* By tried_judge() */
	double median_ns; /* 0: no run */
	bool known;	  /* the bounds are known */
	struct gain gain;
};

struct tried {
	struct tried_side sides[TRIED_SIDES]; /* the first is the program as it is */
	size_t n;			      /* of them; those that the budget has room for */
	size_t left_out;		      /* that it has no room for */
	size_t rounds;			      /* runs of each that are planned */
	const char *folder;		      /* of the profiled run */
	double profiled_ns;		      /* that run's elapsed time, as profiled */
	const char *unknown;		      /* why it has no findings; NULL: it may have some */
	int interrupted;		      /* by this signal; 0: not */
};

/* How many sides, of n, fit into so many runs, with *rounds runs of each; below 2: too few for any
   judgement. */
size_t tried_fit(size_t n, size_t runs, size_t *rounds);

/* The least number of runs for one remedy. */
size_t tried_least(void);

/* Fills in what is concluded from the runs. */
void tried_judge(struct tried *t);

/* The side that gains the most, of those that surely gain; NULL: none. */
const struct tried_side *tried_best(const struct tried *t);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * thread_spread.h - the distribution of a table's rows over threads.
 */
#ifndef OMPHWC_SRC_TABLES_THREAD_SPREAD_H
#define OMPHWC_SRC_TABLES_THREAD_SPREAD_H

#include <stddef.h>
#include <stdint.h>

#include "src/tables/tables.h"

struct map;

struct spread_thread {
	uint32_t thread;   /* thread of the model */
	struct cost *self; /* a block of the table's */
};

struct spread {
	struct spread_thread *all;
	size_t *first; /* row i has all[first[i]] … all[first[i + 1] - 1] */
};

/*
 * threads is a table by (key, thread), which must outlive s; rows maps each key to its row
 * below nrows.  The threads of a row are in the order of their numbers.
 */
void spread_build(struct spread *s, const struct table *threads, const struct map *rows,
		  size_t nrows);
void spread_fini(struct spread *s);

/*
 * The imbalance of the threads' work: the maximum divided by the mean of all that took part
 * (at least n), with samples or without; 1: balanced.  0: no work.  *slowest is the thread
 * with the most work (UINT32_MAX: none).
 */
double spread_imbalance(const struct spread_thread *threads, size_t n, size_t took_part,
			size_t event, uint32_t *slowest);

/* The relative standard error of n samples is 1 / sqrt(n), so with fewer it exceeds a tenth,
   as does that of an imbalance computed from them. */
enum { SPREAD_FEW = 100 };

/* The threads' work: minimum (0 if a thread that took part has no samples), mean and maximum. */
struct spread_work {
	uint64_t least, most;
	uint64_t samples; /* of the thread with the most work */
	double mean;	  /* 0: no work */
	size_t nthreads;  /* number of threads that took part */
};
struct spread_work spread_work(const struct spread_thread *threads, size_t n, size_t took_part,
			       size_t event);

#endif

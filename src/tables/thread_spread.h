/*
 * thread_spread.h - how a table's rows are spread over threads.
 *
 * For ordinary code, one thread at a time.
 */
#ifndef OMPHWC_SRC_TABLES_THREAD_SPREAD_H
#define OMPHWC_SRC_TABLES_THREAD_SPREAD_H

#include <stddef.h>
#include <stdint.h>

#include "src/tables/tables.h"

struct map;

struct spread_thread {
	uint32_t thread;	/* of the model */
	struct cost *self;	/* a block of the table's */
};

struct spread {
	struct spread_thread *all;
	size_t *first;		/* row i has all[first[i]] … all[first[i + 1] - 1] */
};

/*
 * threads is a table by (key, thread); rows gives each key its row below
 * nrows.  Each row's threads are in the order of their numbers.  threads must
 * outlive it.  0 or -ENOMEM.
 */
int spread_build(struct spread *s, const struct table *threads, const struct map *rows,
		 size_t nrows);
void spread_fini(struct spread *s);

/*
 * How uneven the threads' work was: the most of them over the mean of all
 * that took part (at least n), samples or not; 1 is even.  0: no work.
 * *slowest gets the thread with the most (UINT32_MAX: none).
 */
double spread_imbalance(const struct spread_thread *threads, size_t n, size_t took_part,
			size_t event, uint32_t *slowest);

/* The relative standard error of n samples is 1 / sqrt(n): of fewer it is more than a
   tenth, and so is that of the imbalance that rests on them. */
enum { SPREAD_FEW = 100 };

/* The threads' work: of the one that did least (0 where one that took part has no
   samples), the mean, and the most. */
struct spread_work {
	uint64_t least, most;
	uint64_t samples;	/* of the one that did most */
	double mean;		/* 0: no work */
	size_t nthreads;	/* that took part */
};
struct spread_work spread_work(const struct spread_thread *threads, size_t n, size_t took_part,
			       size_t event);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parallelism.h - how many threads worked at a time, and what each part of the code takes of the
 * elapsed time.
 *
 * A thread works where it is in work or overhead; it does not where it waits, spinning or not.
 * In a stretch of a process's time the number of threads that worked is their work over its
 * length; a region, and the serial code between regions, are stretches of their own in each bucket
 * of time.  Each thread's work, divided by that number, is its share of the elapsed time: all
 * shares together are the time in which any thread worked.  doc/decisions/007 has the reasons.
 */
#ifndef OMPHWC_SRC_TABLES_PARALLELISM_H
#define OMPHWC_SRC_TABLES_PARALLELISM_H

#include <stddef.h>
#include <stdint.h>

struct view;

/* What a line in a region took of the elapsed time while so many threads worked. */
struct parallelism_line {
	uint32_t threads;
	uint32_t region; /* of the view: the first one of those at the same line */
	uint64_t line;	 /* table_line_key() */
	double elapsed_ns;
	double work_ns; /* of all threads */
};

struct parallelism_row {
	double elapsed_ns;
	size_t first, n; /* its lines */
};

struct parallelism {
	const char *unknown; /* why nothing is known; NULL: it is */
	size_t event;	     /* that measures time */
	size_t nprocesses;   /* that have a timeline; each is for itself, and times are sums */
	double bucket_ns;
	double elapsed_ns;
	double work_ns;	   /* of all threads, at known times */
	double untimed_ns; /* sampled at times that are not known; in no line, and so in row 0 */
	/*
	 * By the number of threads, rounded; the sum is elapsed_ns.  In row 0 none worked: its
	 * lines have the time in calls of MPI, in those that blocked, and without a CPU; what is
	 * left was not sampled, or is waits.
	 */
	struct parallelism_row *rows;
	size_t nrows;
	struct parallelism_line *lines; /* by row; within it by elapsed time, descending */
	size_t nlines;
	double *record_ns; /* by record of the view: its share of the elapsed time */
	double nobody_ns;  /* elapsed_ns without these */
};

/* v is not filtered.  parallelism_fini() is required in any case. */
void parallelism_build(const struct view *v, struct parallelism *p);
void parallelism_fini(struct parallelism *p);

/*
 * Gives the event's records their shares as weights, in nanoseconds, and adds one for the rest:
 * "(no thread worked)".  Paths of the view are those of elapsed time then.
 */
void parallelism_apply(struct view *v, const struct parallelism *p);

#endif

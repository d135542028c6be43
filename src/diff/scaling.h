/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scaling.h - how the time of a program and of its regions falls with more threads.
 */
#ifndef OMPHWC_SRC_DIFF_SCALING_H
#define OMPHWC_SRC_DIFF_SCALING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct runs_event;
struct side;
struct side_item;

/* Regions and lines whose work grows with the number of threads.
   With more threads a program has as much work, each thread less of it.  Where all threads together
   work longer than chance explains, the machine or the program makes them: false sharing, atomics,
   memory, the clock's rate, or work that each thread repeats.  Times can't distinguish these. */

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

/* A time at each number of threads; 0: unknown. */
struct scaling_row {
	const struct side_item *item; /* a region; NULL: the program */
	double *mean_ns;
	double *deviation_ns; /* NaN: one run */
	size_t stops;	      /* the first number of threads that gained too little; 0: none */
};

struct scaling_how {
	bool weak;     /* the problem grows with the threads, otherwise it is the same */
	uint32_t cpus; /* that the program may use; 0: unknown */
};

/* The time as a part that no thread shares, and one that all divide: Amdahl's law. */
struct scaling_amdahl {
	bool known;    /* of numbers of threads, not more than CPUs, the larger of which gain */
	double serial; /* the former's part of the time with one thread */
	double limit;  /* no number of threads is faster than the first one by more; infinite */
};

struct scaling {
	struct scaling_how how;
	const uint32_t *threads; /* borrowed, ascending */
	const struct side *sides;
	size_t n;		     /* of these */
	struct scaling_row total;    /* elapsed time */
	struct scaling_row *regions; /* by their time with the most threads, descending */
	size_t nregions;
	const struct runs_event *event; /* borrowed */
	const char *growth_unknown;	/* why growth is not known; NULL: it is */
	struct growth growth;		/* from the first number of threads to the last */
};

/* Less than this part of an ideal gain is none to speak of. */
#define SCALING_GAIN 0.5

/* The sides are of that event, and have the same interner, which the runs of one program fill.
   scaling_fini() is required in either case. */
void scaling_build(struct scaling *s, const uint32_t *threads, const struct side *sides, size_t n,
		   const struct runs_event *event, const struct scaling_how *how);
void scaling_fini(struct scaling *s);

/* Whether the program's threads became more as those that were asked for: a program may set
   their number itself. */
bool scaling_comparable(const struct scaling *s, size_t i);

/* Whether these are more threads than CPUs. */
bool scaling_is_beyond(const struct scaling *s, size_t i);

/* By least squares of relative errors. */
struct scaling_amdahl scaling_amdahl(const struct scaling *s, const struct scaling_row *row);

/* From the first number of threads to the i-th: 0 if a time is unknown, or they can't be
   compared.  Of a problem that grows, what is computed in the same time. */
double scaling_speedup(const struct scaling *s, const struct scaling_row *row, size_t i);
double scaling_efficiency(const struct scaling *s, const struct scaling_row *row, size_t i);

#endif

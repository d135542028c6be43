/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ranks.h - a job's MPI ranks: how even their work is, and what they wait for in MPI.
 *
 * A rank's time in a region is that of its busiest thread there: work and the runtime's overhead.
 * So a rank is late by its own threads' imbalance, too.  Its time of the run is the sum over all
 * regions and serial code.
 */
#ifndef OMPHWC_SRC_TABLES_RANKS_H
#define OMPHWC_SRC_TABLES_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct region_row;
struct regions;
struct view;

struct rank {
	const char *name; /* its number, as the launcher reported */
	uint32_t process; /* of the model: its first */
};

/* A line at which ranks call MPI. */
struct rank_call {
	uint32_t line;
	const char *call; /* MPI_Allreduce, interned; NULL: not known */
	uint64_t *in;	  /* what each rank's threads are there, in the event's unit */
};

struct ranks {
	struct rank *all; /* in the order of their numbers */
	size_t n;	  /* 0: fewer than two */
	struct rank_call *calls;
	size_t ncalls;
	/* private */
	const struct view *view;
	size_t event;
	uint32_t *of;	   /* the rank of each process of the model; UINT32_MAX: none */
	uint64_t *room;	   /* of all calls */
	double *in_region; /* for ranks_in_run() */
};

/* ranks_fini() is required in either case. */
void ranks_build(const struct view *v, size_t event, struct ranks *r);
void ranks_fini(struct ranks *r);

/* The rank of a thread of the model; UINT32_MAX: none. */
uint32_t ranks_of(const struct ranks *r, uint32_t thread);

/* Each rank's time in a region, or in the run; times has r->n elements. */
void ranks_in_region(const struct ranks *r, const struct region_row *g, double *times);
void ranks_in_run(const struct ranks *r, const struct regions *regions, double *times);

struct rank_spread {
	double least, median, most, mean;
	uint32_t fastest, slowest; /* rank, index of all */
};

/* Whether a rank has any time. */
bool ranks_spread(const struct ranks *r, const double *times, struct rank_spread *s);

/* The imbalance between the ranks: the most over the mean; and from what on it is worth saying. */
#define RANKS_UNEVEN 1.1
double ranks_between(const struct rank_spread *s);

/* The imbalance within the ranks: the sum of their busiest threads' work over the sum of the means
   of their threads that took part; 0: no work. */
double ranks_within(const struct ranks *r, const struct region_row *g);

/* The same of all regions together; *worst is the region in which the busiest threads are ahead of
   the means by the most, or NULL. */
double ranks_within_run(const struct ranks *r, const struct regions *regions,
			const struct region_row **worst);

/* The part of a region that is of one process's threads: that in which the busiest one is ahead of
   the mean by the most.  It borrows from g.  False: there is none. */
bool ranks_worst(const struct ranks *r, const struct region_row *g, struct region_row *part);

/*
 * The call in which the other ranks wait for the slowest one.  A rank waits there for what it
 * is there longer than the slowest rank, as far as its time is shorter: the samples do not show
 * for whom it waits.  waited is the sum over the ranks.  False: there is none.
 */
struct rank_wait {
	const struct rank_call *call;
	double waited;
};
bool ranks_wait(const struct ranks *r, const double *times, uint32_t slowest, struct rank_wait *w);

#endif

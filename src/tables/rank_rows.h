/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rank_rows.h - the tables by rank and by host.
 */
#ifndef OMPHWC_SRC_TABLES_RANK_ROWS_H
#define OMPHWC_SRC_TABLES_RANK_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "src/tables/tables.h"

/* The processes of a rank; without MPI, one process.  Or those of a host. */
struct rank_row {
	const char *name; /* the rank's, or the host's; NULL: none, or not known */
	const char *host; /* NULL: not known, or several */
	uint32_t process; /* of the model: the first */
	uint32_t nprocesses;
	uint64_t nthreads; /* of the processes, whether they have samples or not */
	uint32_t nranks;   /* different ones among the processes */
	struct cost *self; /* a block */
	double imbalance;  /* of the processes' threads' work: the sum of the most over that of
			      the means; 0: no work, or too few threads */
};

struct rank_rows {
	struct rank_row *all; /* ranks in the order of their numbers; hosts in that of their
				 first processes */
	size_t n;
	/* private */
	struct table threads;
	struct cost *room;
};

/* rank_rows_fini() is required in either case. */
void rank_rows_by_rank(const struct view *v, size_t event, struct rank_rows *r);
void rank_rows_by_host(const struct view *v, size_t event, struct rank_rows *r);
void rank_rows_fini(struct rank_rows *r);

#endif

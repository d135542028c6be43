/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * job.h - the ranks of a job, as far as its profiles show them.
 */
#ifndef OMPHWC_SRC_MODEL_JOB_H
#define OMPHWC_SRC_MODEL_JOB_H

#include <stdint.h>

struct model;

/* What is said of a rank.  A rank may have several processes: a script, and what it starts. */
enum job_rank {
	JOB_MISSING,   /* no profile, though the job has so many ranks */
	JOB_KILLED,    /* a process ended without a record of it */
	JOB_UNKNOWN,   /* a process was killed or still runs, not known here */
	JOB_NO_OPENMP, /* none of its processes began OpenMP */
	JOB_RANKS
};

struct job {
	uint64_t nranks; /* that have a profile; 0: the processes are no ranks, or of several
			    runs */
	int64_t size;	 /* of the job; -1: unknown */
	uint64_t nhosts;
	struct {
		uint64_t n;
		char *list; /* "0-3,7"; NULL: none */
	} of[JOB_RANKS];
};

/* job_fini() is required in either case. */
void job_build(const struct model *m, struct job *j);
void job_fini(struct job *j);

#endif

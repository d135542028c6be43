/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run_of.h - of which run each of several profiles is.
 *
 * Of one run are the processes that one ompcount started; a process and its parent; and the
 * ranks of one launch, each of which may have an ompcount of its own.
 */
#ifndef OMPHWC_SRC_MODEL_RUN_OF_H
#define OMPHWC_SRC_MODEL_RUN_OF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct prof_file;

/* What a profile reports of its run.  Texts are borrowed from it; NULL: none. */
struct run_of {
	const char *id; /* of ompcount's run */
	const char *launcher, *job, *task, *step;
	const char *host;
	int64_t rank, size; /* -1: none */
	uint32_t pid, parent;
	uint64_t start_ns, end_ns; /* since the epoch; a killed process's end is where it was
				      last seen */
};

struct run_of run_of(const struct prof_file *f);

/* Whether it reports anything that profiles are grouped by but its processes. */
bool run_of_is_known(const struct run_of *o);

/*
 * Numbers the runs of n profiles from 0, in the order of their first ones: run[i] is that of
 * all[i].  0 and *nruns.
 */
void run_of_group(const struct run_of *all, size_t n, size_t *run, size_t *nruns);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * phases.h - the stretches of time in which a program did the same.
 *
 * Neighbouring buckets whose threads spend their time alike (in the same regions, and the same
 * parts of it on work, waits, overhead and nothing) are one phase.  Which differences are more
 * than chance is judged by the number of samples.  Pure; for ordinary code.
 */
#ifndef OMPHWC_SRC_TABLES_PHASES_H
#define OMPHWC_SRC_TABLES_PHASES_H

#include <stddef.h>
#include <stdint.h>

#include "src/model/leaf.h"
#include "src/tables/tables.h"

struct lanes;

enum { PHASES_MOST = 12 };

struct phase {
	uint32_t first, end; /* buckets: from first to before end */
	struct cost cost[OMP_CLASSES];
	uint32_t region; /* that has most of it, of the view */
	uint64_t region_weight;
};

/* In the order of time; without samples there are none.  The caller frees *phases. */
void phases_build(const struct lanes *l, struct phase **phases, size_t *n);

#endif

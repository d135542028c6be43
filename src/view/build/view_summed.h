/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * view_summed.h - the samples of many threads by leaf, and by thread, instead of by both.
 *
 * Private to the view.  A merged file has a number for each of thousands of threads at each of
 * thousands of leaves.  A summed view has a record for each leaf, and a part for each thread and
 * all that records show but the place in the code.
 */
#ifndef OMPHWC_SRC_VIEW_BUILD_VIEW_SUMMED_H
#define OMPHWC_SRC_VIEW_BUILD_VIEW_SUMMED_H

#include <stddef.h>
#include <stdint.h>

#include "src/base/hash.h"

struct view;
struct view_record;

/* What the threads did that have all but the place in common. */
struct summed_group {
	struct view_record *like;
	struct summed_cost *of; /* by thread of the model */
};

struct summed {
	struct summed_group *groups;
	size_t n, room;
	struct hash by_record;
};

void summed_free(struct summed *s);

/* The costs of the group that record r belongs to, by thread of v's model. */
struct summed_cost *summed_of(struct summed *s, const struct view *v, const struct view_record *r);

struct summed_cost {
	uint64_t samples, weight;
};

/* Adds the parts of v, when all is added. */
void summed_parts(const struct summed *s, struct view *v);

#endif

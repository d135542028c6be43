/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * places.h - where a thread is, as far as event counts distinguish: in which
 * region's implicit task, and whether it works there, waits, or runs explicit
 * tasks.
 *
 * A stack, kept by the callbacks of one thread. Ends may be lost (begun.h): the
 * stack stays bounded in any case, and is right again from the next region on.
 */
#ifndef OMPHWC_OMPT_TOOL_OMP_PLACES_H
#define OMPHWC_OMPT_TOOL_OMP_PLACES_H

#include <stdbool.h>
#include <stdint.h>

#include "ompt_tool/omp/begun.h"
#include "src/profile/format.h"

/* A place with counts of its own: a creation context (0: outside of regions), and what
   the thread does there. */
struct place {
	uint32_t context;
	uint32_t part; /* enum prof_part */
};

enum { PLACES_DEPTH = 4096 }; /* nobody touches the memory of what is not nested so deep */

struct places {
	struct {
		struct begun begun; /* token 0: outside of regions */
		uint32_t context;   /* its region's creation context */
		uint8_t home;	    /* PROF_PART_WORK or PROF_PART_TASK */
		uint8_t part;	    /* home, or PROF_PART_WAIT */
	} at[PLACES_DEPTH];
	uint32_t n;	 /* at least 1 */
	uint32_t deeper; /* explicit tasks that found no room */
};

/* Starts with the thread outside of regions. */
void places_begin(struct places *p);

/* An implicit task of the region with that token and context begins, or ends.  False where it is
   nested too deep: the place that was innermost is no more. */
bool places_enter(struct places *p, uint64_t token, uint32_t context);
void places_leave(struct places *p, uint64_t token);

/* The current task begins or ends a wait. */
void places_wait(struct places *p, bool begins);

/* The thread switches to another task; begins: that task never ran before.  False where it is
   nested too deep: the place stays. */
bool places_switch(struct places *p, uint64_t token, bool begins);

static inline struct place places_now(const struct places *p)
{
	return (struct place){ p->at[p->n - 1].context, p->at[p->n - 1].part };
}

/* Whether the current place is in a region that has ended. */
bool places_over(const struct places *p);

#endif

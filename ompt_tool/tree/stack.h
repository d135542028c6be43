/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stack.h - the call stack of the thread's last sample, kept so that the next
 * sample unwinds only what has changed.
 *
 * Where a new stack meets a frame of the old one (same PC, same stack pointer), the
 * outer frames are the same if the words that they were read from still hold the
 * same values: a caller's state follows from its callee's state, constant rules,
 * and those words alone. Two loads a frame replace unwinding. Nothing is kept when
 * objects have changed (object.h): a PC's rules are constant only while its object
 * is loaded. Used by the handler only; async-signal-safe.
 */
#ifndef OMPHWC_OMPT_TOOL_TREE_STACK_H
#define OMPHWC_OMPT_TOOL_TREE_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "ompt_tool/unwind/bounds.h"
#include "ompt_tool/unwind/unwind.h"
#include "src/profile/format.h"

enum { STACK_FRAMES_MAX = 512 };

struct walked_frame {
	uintptr_t pc, sp, fp;
	uintptr_t pc_slot, fp_slot; /* where the caller's pc and fp were read; 0: none */
	uint32_t node;		    /* in the calling-context tree; 0: not yet */
	uint8_t marks;		    /* enum prof_frame_flag */
	bool exact;		    /* pc was interrupted; else it is a return address */
	bool fp_used;		    /* the step to the caller depended on fp */
	bool fp_matters;	    /* fp's value here decides some outer frame */
};

struct stack {
	struct walked_frame frame[STACK_FRAMES_MAX]; /* outermost first */
	struct walked_frame fresh[STACK_FRAMES_MAX]; /* innermost first */
	/* Each frame's pc as a location of the profile (PROF_LOC). Kept apart from the
	   fields that every sample reads. */
	uint64_t loc[STACK_FRAMES_MAX], fresh_loc[STACK_FRAMES_MAX];
	uint64_t epoch; /* object_epoch() of the last walk */
	uint32_t n;
	uint32_t kept;	       /* outermost frames that the last walk found unchanged */
	enum prof_cause cause; /* why frame[0] is not the outermost frame */
};

/* Walks from c outward; afterwards s holds the new stack. */
void stack_walk(struct stack *s, struct unwind_cursor *c, struct unwind_cache *cache,
		struct bounds *bounds);

/* Forgets the last stack. */
static inline void stack_reset(struct stack *s)
{
	s->n = 0;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * latest.h - the latest reading of the clocks, in the profile's header.
 *
 * A process that is killed writes no end: this reading says until when it was seen, and the
 * rate of the cycle clock. Async-signal-safe; takes no lock, and reads the clock through the
 * vDSO at most about once a millisecond.
 */
#ifndef OMPHWC_OMPT_TOOL_TREE_LATEST_H
#define OMPHWC_OMPT_TOOL_TREE_LATEST_H

#include <stdatomic.h>
#include <stdint.h>

/* When the next reading is due; 0: there is none yet. Owned by latest.c. */
extern _Atomic uint64_t latest_due_ticks;

/* A new profile begins, and no other thread uses it. */
void latest_begin(void);

/* The slow path of latest_note(): one is due. */
void latest_store(void);

/* The cycle clock is at now_ticks: stores a reading where one is due. */
static inline void latest_note(uint64_t now_ticks)
{
	const uint64_t due = atomic_load_explicit(&latest_due_ticks, memory_order_relaxed);

	/* Clocks of two CPUs may differ a little. */
	if (__builtin_expect(due == 0 || (int64_t)(now_ticks - due) >= 0, 0))
		latest_store();
}

#endif

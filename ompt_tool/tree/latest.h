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

#include <stdint.h>

/* A new profile begins, and no other thread uses it. */
void latest_begin(void);

/* The cycle clock is at now_ticks: stores a reading where one is due. */
void latest_note(uint64_t now_ticks);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * after.h - where a worker is after its implicit task: at the region's end, or docked.
 *
 * No code of ours runs there. A file for each kind of machine says what can be known:
 * after_x86_64.c reads the worker's own stack, and is exact; after_other.c asks whether
 * the region lives, and may be wrong for as long as a signal takes to be handled.
 */
#ifndef OMPHWC_OMPT_TOOL_GOMP_AFTER_H
#define OMPHWC_OMPT_TOOL_GOMP_AFTER_H

#include <stdbool.h>
#include <stdint.h>

struct after {
	const uintptr_t *slot; /* holds the return address of the caller's present call */
	uintptr_t body;	       /* that of the call of the body */
	uintptr_t end;	       /* that of the wait at the region's end; 0: unknown */
	uint64_t region_id;
};

/* What __builtin_frame_address(0) and __builtin_return_address(0) are in the function that
   libgomp calls as the body; lo, hi: where libgomp is mapped. To be called there. */
void after_note(struct after *a, uint64_t region_id, const void *frame, const void *call,
		uintptr_t lo, uintptr_t hi) __attribute__((visibility("hidden")));

/* Whether the thread is still at the end of that region. Async-signal-safe. */
bool after_is_at_end(const struct after *a) __attribute__((visibility("hidden")));

/* The region's master calls these around the region. */
void after_region_begins(uint64_t region_id) __attribute__((visibility("hidden")));
void after_region_ends(uint64_t region_id) __attribute__((visibility("hidden")));

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The function of libgomp in which workers live calls the body, then the wait at the
 * region's end, then the dock, all at the same depth of its stack. So the word where the
 * body's return address was holds the return address of the call that it is in now.
 */
#include "config.h"

#include "ompt_tool/gomp/after.h"

#include <string.h>

/* Further than this from the body's call, a call is not taken for the end's. */
enum { NEAR = 64 };

/*
 * The return address of the first direct call after the body's, or 0. A byte that looks
 * like a call's may be another instruction's part: but then the target lies in libgomp by
 * chance only.
 */
static uintptr_t next_call(uintptr_t from, uintptr_t lo, uintptr_t hi)
{
	enum { CALL = 0xe8, CALL_BYTES = 5 };

	for (uintptr_t p = from; p < from + NEAR && p + CALL_BYTES <= hi; p++) {
		int32_t distance;

		if (*(const uint8_t *)p != CALL)
			continue;
		memcpy(&distance, (const void *)(p + 1), sizeof(distance));
		const uintptr_t target = p + CALL_BYTES + (uintptr_t)(intptr_t)distance;
		if (target >= lo && target < hi)
			return p + CALL_BYTES;
	}
	return 0;
}

void after_note(struct after *a, uint64_t region_id, const void *frame, const void *call,
		uintptr_t lo, uintptr_t hi)
{
	const uintptr_t body = (uintptr_t)call;

	a->region_id = region_id;
	a->slot = (const uintptr_t *)frame + 1;
	if (a->body == body)
		return;
	a->body = body;
	a->end = body >= lo && body < hi ? next_call(body, lo, hi) : 0;
}

bool after_is_at_end(const struct after *a)
{
	if (!a->slot)
		return false;
	const uintptr_t now = *(const volatile uintptr_t *)a->slot;

	/* Equal to body: on the way from our function to the wait. */
	if (a->end != 0)
		return now == a->end || now == a->body;
	return now - a->body < NEAR;
}

void after_region_begins(uint64_t region_id)
{
	(void)region_id;
}

void after_region_ends(uint64_t region_id)
{
	(void)region_id;
}

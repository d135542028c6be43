/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * after_other.c - see after.h; for machines whose calls leave no return address on the
 * stack.
 *
 * Regions that live are noted in a table. A region whose place another one took counts as
 * ended. The answer is right for intervals that are longer than the time from a signal to
 * its handler (tens of microseconds).
 */
#include "config.h"

#include "ompt_tool/gomp/after.h"

#include <stdatomic.h>

enum { PLACES = 1 << 10 };

/* Owned by this file. */
static _Atomic uint64_t live[PLACES];

void after_note(struct after *a, uint64_t region_id, const void *frame, const void *call,
		uintptr_t lo, uintptr_t hi)
{
	(void)frame, (void)call, (void)lo, (void)hi;
	a->region_id = region_id;
}

bool after_is_at_end(const struct after *a)
{
	return a->region_id != 0 && atomic_load_explicit(&live[a->region_id % PLACES],
							 memory_order_relaxed) == a->region_id;
}

void after_region_begins(uint64_t region_id)
{
	atomic_store_explicit(&live[region_id % PLACES], region_id, memory_order_relaxed);
}

void after_region_ends(uint64_t region_id)
{
	uint64_t expected = region_id;

	atomic_compare_exchange_strong_explicit(&live[region_id % PLACES], &expected, 0,
						memory_order_relaxed, memory_order_relaxed);
}

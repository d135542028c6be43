/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/unwind/caller_parts.h"

#include "ompt_tool/unwind/unwind.h"

enum {
	TICKS_SAVED = 1 << 24,	 /* of searching: some 6 ms */
	TICKS_SHARE = 20,	 /* a twentieth of the time since the last one is added to them, */
	TICKS_PAST = 1 << 22,	 /* of which so much counts: the thread may have slept */
	TICKS_CHARGED = 1 << 23, /* for a search, at most: some 3 ms, longer than any takes */
};

bool caller_budget_allows(struct caller_budget *b, uint64_t now)
{
	const uint64_t past = now - b->searched;

	if (b->searched == 0)
		b->credit = TICKS_SAVED;
	b->credit += (int64_t)(past < TICKS_PAST ? past : TICKS_PAST) / TICKS_SHARE;
	if (b->credit > TICKS_SAVED)
		b->credit = TICKS_SAVED;
	b->searched = now;
	return b->credit > 0;
}

/* The clock also runs while the thread is preempted, for any time. */
void caller_budget_charge(struct caller_budget *b, uint64_t ticks)
{
	b->credit -= (int64_t)(ticks < TICKS_CHARGED ? ticks : TICKS_CHARGED);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/omp/locks.h"

#include <stdatomic.h>

enum { SLOTS_LOG2 = 16, NEAR = 8 };

/* Pages of it are touched where there are locks. */
static struct slot {
	_Atomic uint64_t lock;
	_Atomic uintptr_t call;
} slots[(1 << SLOTS_LOG2) + NEAR];

/* Multiplicative hashing: Knuth, volume 3, section 6.4. */
static struct slot *home_of(uint64_t lock)
{
	return &slots[lock * UINT64_C(0x9e3779b97f4a7c15) >> (64 - SLOTS_LOG2)];
}

/* The lock's slot, or the first free one, or the first one. */
static struct slot *slot_for(uint64_t lock)
{
	struct slot *const home = home_of(lock);
	uint64_t is;

	for (unsigned i = 0; i < NEAR; i++) {
		is = 0;
		if (atomic_compare_exchange_strong(&home[i].lock, &is, lock) || is == lock)
			return &home[i];
	}
	return home;
}

void locks_made(uint64_t lock, uintptr_t call)
{
	struct slot *const s = slot_for(lock);

	/* A reader takes no call for another lock's. */
	atomic_store(&s->call, 0);
	atomic_store(&s->lock, lock);
	atomic_store(&s->call, call);
}

uintptr_t locks_made_at(uint64_t lock)
{
	struct slot *const home = home_of(lock);

	for (unsigned i = 0; i < NEAR; i++) {
		if (atomic_load(&home[i].lock) != lock)
			continue;
		const uintptr_t call = atomic_load(&home[i].call);

		return atomic_load(&home[i].lock) == lock ? call : 0;
	}
	return 0;
}

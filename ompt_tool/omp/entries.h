/*
 * entries.h - how often a thread enters what synchronises, and how long it stays:
 * critical and ordered sections, atomics that take a lock, locks, barriers,
 * taskwaits, taskgroups; by the call that enters.
 *
 * Only where that was asked for: it takes callbacks at each of these, and at every
 * region's end.  The functions for callbacks take no lock, allocate nothing and
 * make no system call but for a chunk of the profile now and then.
 */
#ifndef OMPHWC_OMPT_TOOL_OMP_ENTRIES_H
#define OMPHWC_OMPT_TOOL_OMP_ENTRIES_H

#include <stdbool.h>
#include <stdint.h>

#include "src/profile/format.h"

struct omp_thread;

enum {
	ENTRIES_SITES = 128,	/* calls whose nodes are at hand */
	ENTRIES_DEPTH = 32,	/* entered and not left; of more, the oldest are given up */
};

/* Whether they are asked for.  Once, before any thread. */
void entries_prepare(bool on);
bool entries_on(void);

/* t is in nothing; on its own thread, from ordinary code. */
void entries_begin(struct omp_thread *t);

/* All nodes are gone: a new record or a fork's child. */
void entries_forget(struct omp_thread *t);

/* ---- for callbacks, on t's own thread --------------------------------- */

/*
 * call is the address that the runtime tells, key the object or the task's token:
 * with the kind, what tells an entry's end.  Ends that are missing, or that come
 * for what was never entered or was entered by another thread, cost that entry's
 * time alone.
 */

/* An entry whose end is not told. */
void entries_count(struct omp_thread *t, enum prof_construct_kind kind, uintptr_t call);

/* An entry that lasts until its entries_leave(); the innermost of that kind and
   key is left. */
void entries_enter(struct omp_thread *t, enum prof_construct_kind kind, uintptr_t call,
		   uint64_t key);
void entries_leave(struct omp_thread *t, enum prof_construct_kind kind, uint64_t key);

/* The same of what nobody else can have meanwhile: whatever t entered with that key
   before is over, and all of it when it is released. */
void entries_acquire(struct omp_thread *t, enum prof_construct_kind kind, uintptr_t call,
		     uint64_t key);
void entries_release(struct omp_thread *t, uint64_t key);

#endif

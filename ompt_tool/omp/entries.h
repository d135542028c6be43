/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * entries.h - how often a thread enters synchronisation constructs, and how long it
 * stays: critical and ordered sections, atomics that take a lock, locks, barriers,
 * taskwaits, taskgroups; by the call that enters.
 *
 * Counted on request only: it takes callbacks at each of these, and at every
 * region's end. The functions for callbacks take no lock, allocate nothing and make
 * no system call but for a chunk of the profile now and then.
 */
#ifndef OMPHWC_OMPT_TOOL_OMP_ENTRIES_H
#define OMPHWC_OMPT_TOOL_OMP_ENTRIES_H

#include <stdbool.h>
#include <stdint.h>

#include "src/profile/format.h"

struct omp_thread;

enum {
	ENTRIES_SITES = 128, /* calls whose nodes are cached */
	ENTRIES_DEPTH = 32,  /* entered and not left; beyond these, the oldest are dropped */
};

/* Sets whether entries are counted. Once, before any thread. */
void entries_prepare(bool on);
bool entries_on(void);

/* t is in no construct. On its own thread, from ordinary code. */
void entries_begin(struct omp_thread *t);

/* Forgets all nodes: t has a new record, or runs in a fork's child. */
void entries_forget(struct omp_thread *t);

/* ---- for callbacks, on t's own thread --------------------------------- */

/*
 * call is the address that the runtime reports; key is the object or the task's
 * token, which identifies with the kind an entry's end. An end that is missing, or
 * that is reported for an entry that never began or began on another thread, loses that
 * entry's time only.
 */

/* An entry whose end the runtime does not report, or that is counted without its time whether
   or not all entries are: the first one of a thread makes a system call. */
void entries_count(struct omp_thread *t, enum prof_construct_kind kind, uintptr_t call);

/* An entry that lasts until its entries_leave(), which ends the innermost one with that
   kind and key. */
void entries_enter(struct omp_thread *t, enum prof_construct_kind kind, uintptr_t call,
		   uint64_t key);
void entries_leave(struct omp_thread *t, enum prof_construct_kind kind, uint64_t key);

/* The same for a mutex, which one thread holds at a time: earlier entries of t with
   that key are over, and its release ends all of them. */
void entries_acquire(struct omp_thread *t, enum prof_construct_kind kind, uintptr_t call,
		     uint64_t key);
void entries_release(struct omp_thread *t, uint64_t key);

#endif

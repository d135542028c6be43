/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * blame.h - who makes other threads wait ("blame shifting").
 *
 * Each thread of OpenMP's has a slot that all threads can read: whether it works or waits,
 * for what, and in which region. Its callbacks keep the slot. When a thread is sampled, the
 * handler reads all slots, and charges a part of the waiting to the sample:
 *
 *  - who holds a mutex causes the wait of each thread that waits for it;
 *  - the threads that work in a region, or in regions inside of it, cause together the waits
 *    at its barriers, in equal parts; likewise those that run explicit tasks the waits for
 *    tasks, and all that work anywhere that workers are idle.
 *
 * Only on request: it takes callbacks at each wait and mutex. The functions for callbacks and
 * the handler allocate nothing, take no lock and make no system call.
 */
#ifndef OMPHWC_OMPT_TOOL_OMP_BLAME_H
#define OMPHWC_OMPT_TOOL_OMP_BLAME_H

#include <stdbool.h>
#include <stdint.h>

#include "src/profile/format.h"

struct omp_thread;

enum {
	BLAME_THREADS = 1024, /* slots; further threads are neither charged nor charged for */
	BLAME_HELD = 8,	      /* mutexes that a thread holds; of more, one is dropped */
	BLAME_REGIONS = 8,    /* nested regions; of more, the outermost are left out */
	BLAME_SHARES = BLAME_HELD + 4 * (BLAME_REGIONS + 1),
};

/* A part of other threads' waiting. */
struct blame_share {
	uint8_t state;	 /* enum prof_state of those that wait */
	uint64_t object; /* the mutex, or a call that took it: see blame_acquired(); or 0 */
	uint64_t weight; /* the sample's, times how many wait for this thread alone */
};

/* Sets whether blame is charged. Once, before any thread. */
void blame_prepare(bool on);

/* Adapters call what is below although nobody may be charged: a call shows that the thread is
   awake. Once, before any thread. */
void blame_watch(void);

/* Whether adapters are to call what is below; and whether what it reports was asked for: blame is
   charged, or events are traced. */
bool blame_on(void);
bool blame_wanted(void);

/* t begins: it is outside of regions. t ends. On its own thread, from ordinary code. */
void blame_begin(struct omp_thread *t);
void blame_end(struct omp_thread *t);

/* t->kind has become known. */
void blame_kind(struct omp_thread *t);

/* In a fork's child: t, or NULL, is the only thread. */
void blame_fork_child(struct omp_thread *t);

/* ---- for callbacks, on t's own thread --------------------------------- */

/* t creates the region with that token. */
void blame_fork(struct omp_thread *t, uint64_t token);

/* t begins or ends an implicit task of that region. */
void blame_enter(struct omp_thread *t, uint64_t token);
void blame_leave(struct omp_thread *t, uint64_t token);

/* t has ended the region that it created. */
void blame_join(struct omp_thread *t, uint64_t token);

/* t switches to another task; begins: that task never ran before. */
void blame_switch(struct omp_thread *t, uint64_t token, bool begins);

/* t's task begins or ends a wait for others. state: a barrier's, TASKWAIT or TASKGROUP. */
void blame_wait(struct omp_thread *t, uint8_t state, bool begins);

/*
 * t asks for a mutex, has got it, and has released it. object identifies it; name is what
 * the profile is to name it by: the mutex, or the return address of the call that took it.
 * state is that of a wait for it. Who waits for ORDERED waits for all that work in the region.
 */
void blame_acquire(struct omp_thread *t, uint8_t state, uint64_t object);
void blame_acquired(struct omp_thread *t, uint8_t state, uint64_t object, uint64_t name);
void blame_released(struct omp_thread *t, uint64_t object);

/* t has got a nested lock that it has already, and will release it once more; false where
   it has it not. */
bool blame_acquired_again(struct omp_thread *t, uint64_t object);

/* ---- for t's handler -------------------------------------------------- */

/* What a sample of t with that weight is charged with; returns how many shares. */
unsigned blame_shares(const struct omp_thread *t, uint64_t weight,
		      struct blame_share share[BLAME_SHARES]);

#endif

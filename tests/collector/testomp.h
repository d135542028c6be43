/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * testomp.h - the parts of libtestomp.so, a small OpenMP runtime for the programs that gcc
 * compiles. It takes libgomp's place, and is a producer of the Collector API that shares no
 * line with ours: what is right of both is likely to be what the interface says.
 *
 * It does without deferred tasks (they run at once), cancellation, doacross loops, affinity
 * and devices. Limits like these end the program with a line; nothing is ignored.
 *
 * TESTOMP_VARIANT=least leaves out all that the interface leaves to the producer: optional
 * events, PARENT_PRID, a START after a STOP. TESTOMP_FAULT=NAME breaks one promise
 * (testomp_fault.c): a conformance test that does not find it is none.
 */
#ifndef OMPHWC_TESTS_TESTOMP_H
#define OMPHWC_TESTS_TESTOMP_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "ompt_tool/collector/omp_collector_api.h"

#define TESTOMP_API __attribute__((visibility("default")))

/* ---- what breaks ------------------------------------------------------ */

enum fault {
	FAULT_NONE,
	FAULT_START_TWICE,
	FAULT_EARLY,
	FAULT_STOP_CALLS,
	FAULT_STOP_ANSWERS,
	FAULT_SMALL_UNSAID,
	FAULT_SMALL_WRITTEN,
	FAULT_MISALIGNED,
	FAULT_BAD_SIZE,
	FAULT_BATCH_STOPS,
	FAULT_UNKNOWN_REQUEST,
	FAULT_UNKNOWN_EVENT,
	FAULT_UNREGISTER,
	FAULT_PAUSE_COUNTS,
	FAULT_PAUSE_CALLS,
	FAULT_PAUSE_FORGETS,
	FAULT_FIRST_STAYS,
	FAULT_LATE_FORK,
	FAULT_SAME_ID,
	FAULT_OLD_ID,
	FAULT_PARENT_SELF,
	FAULT_PARENT_ANYWHERE,
	FAULT_EARLY_JOIN,
	FAULT_IDLE_REGION,
	FAULT_IDLE_WORKS,
	FAULT_STATE_STAYS,
	FAULT_NO_WAIT_ID,
	FAULT_OWN_BARRIER,
	FAULT_END_MISSING,
	FAULT_WRONG_THREAD,
	FAULT_SERIAL_WORKS,
	FAULT_UNSUPPORTED_CALLED,
	FAULT_LOCKED_REQUEST,
	FAULT_FORGETS,
	FAULT_LATE_BLIND,
	FAULT_IN_REGION_BLIND,
	FAULT_TASK_OVERHEAD,
	FAULT_CHILD_REPEATS,
	FAULT_WORK_EARLY,
	FAULT_WAIT_ID_LATE,
	FAULT_NUMBER
};

bool fault(enum fault);

/* TESTOMP_VARIANT=least. */
bool variant_least(void);

/* ---- threads ---------------------------------------------------------- */

struct share;

/* A thread's place in a team; of a worker's only one is in use, a master's is on its stack. */
struct member {
	struct team *team;
	struct member *outer; /* where the master was before; NULL for workers */
	unsigned number;
	unsigned shares; /* work shares that it has begun */
	struct share *share;
	long from, to; /* the iterations that it has, [from, to) */
	long turn;     /* chunks that it has had of a static share */
};

struct barrier {
	atomic_uint arrived, passed;
};

struct team {
	uint64_t id; /* 0: a thread's own, outside of all regions */
	unsigned size, level, active_level;
	atomic_uint members; /* that use this record */
	void (*body)(void *);
	void *data;
	struct barrier barrier;
	pthread_mutex_t lock; /* of the work shares */
	struct share *shares;
	struct worker **workers;
	struct member *creator;
};

/* What a request asks. A signal handler of the same thread reads it at any time. */
struct thread {
	volatile int state; /* 0: SERIAL */
	volatile uint64_t wait_id;
	struct member *volatile at; /* innermost region; NULL: none */
	unsigned wanted;	    /* omp_set_num_threads(); 0: not called */
};

extern _Thread_local struct thread self __attribute__((tls_model("initial-exec")));

/* The calling thread's place; outside of all regions in a team of its own. */
struct member *here(void);

/* A region with a team of up to n threads (0: as many as usual), in which each has `first'
   as its first work share; NULL: none. Takes it over. */
void region_run(void (*body)(void *), void *data, unsigned n, struct share *first);
unsigned usual_threads(void);
extern atomic_int max_active_levels;

/* ---- the API ---------------------------------------------------------- */

/* Whether there is a session. */
bool session_is_on(void);
/* For a fault: as if there had been none. */
void session_forget(void);

/* Calls the collector, if it wants to hear of the event. No lock may be held. */
void tell(OMP_COLLECTORAPI_EVENT);

/* ---- states ----------------------------------------------------------- */

/* Sets state and wait_id so that a signal handler never sees one without the other. */
struct wait {
	int state;
	uint64_t wait_id;
};
struct wait wait_begin(int state, uint64_t wait_id);
void wait_end(struct wait before);
/* The same for OVHD, in regions only. */
struct wait overhead_begin(void);

/* ---- waiting ---------------------------------------------------------- */

void futex_wait(atomic_uint *, unsigned value);
void futex_wake(atomic_uint *, int threads);
/* Until *word is no longer value: spins first. */
void word_wait(atomic_uint *word, unsigned value);

/* A lock of one word, zero when it is free, and which event and state its wait is. */
void word_lock(atomic_uint *, int state, OMP_COLLECTORAPI_EVENT begin);
bool word_try(atomic_uint *);
void word_unlock(atomic_uint *);

/* state: IBAR or EBAR. */
void team_barrier(struct member *, int state);

/* ---- work shares ------------------------------------------------------ */

enum schedule { SCHEDULE_STATIC = 1, SCHEDULE_DYNAMIC = 2, SCHEDULE_GUIDED = 3 };

/* A loop's iterations; ends the program when there is no memory. */
struct share *share_of_loop(long start, long end, long incr, long chunk, enum schedule,
			    bool ordered);
struct share *share_of_sections(unsigned count);
/* Team's first share, which no thread has to begin. */
void share_give(struct team *, struct share *);

/* Ends the program. */
_Noreturn void testomp_die(const char *why);

#endif

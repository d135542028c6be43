/*
 * thread.h - what the tool keeps for each thread of the application.
 *
 * A thread's own code, its OMPT callbacks and its handler use it; others only
 * look at the counters while the process ends.  Memory comes from mmap and is
 * used again for later threads, never unmapped: a late signal finds it whole.
 */
#ifndef OMPHWC_OMPT_TOOL_SAMPLE_THREAD_H
#define OMPHWC_OMPT_TOOL_SAMPLE_THREAD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "ompt_tool/omp/omp_thread.h"
#include "ompt_tool/tree/recurring.h"
#include "ompt_tool/tree/stack.h"
#include "ompt_tool/unwind/bounds.h"
#include "ompt_tool/unwind/unwind.h"
#include "pmu/counter.h"
#include "src/profile/format.h"

struct heap_thread;

struct thread {
	struct thread *next;		/* all threads there ever were */
	_Atomic uint32_t live;		/* has a running owner */
	_Atomic uint32_t claimed;		/* somebody opens, stops or closes its counters */
	volatile bool sampling;		/* its handler may take samples */
	volatile bool in_handler;
	bool look_again;		/* the handler's: a counter's signal may be lost */
	pid_t tid;
	struct omp_thread omp;
	struct own_stack own;		/* the handler's */
	struct pmu_counter counter[PMU_COUNTERS_MAX];
	int ncounters;
	/* Where the last sample's boundary was put. */
	uint32_t cut;			/* frames below it; CUT_NONE */
	uint32_t cut_info;
	uint32_t cut_context;

	uint32_t data_nodes;		/* made so far (data.h) */
	uint32_t data_pages;		/* likewise, of memory that has no name */
	struct heap_thread *heap;	/* heap.h's; NULL: none yet */
	struct unwind_cache handler_rules;
	struct stack stack;
	struct recurring recurring;	/* of the sample that is being placed */
};

#define CUT_NONE UINT32_MAX

/* The calling thread's, or NULL.  Initial-exec: reading it calls nothing. */
extern __thread struct thread *thread_self __attribute__((tls_model("initial-exec")));

/*
 * Gives t its record and tree in the process's profile, anew in a fork's
 * child.  Async-signal-safe.  False without room.
 */
bool thread_record(struct thread *t);

/* The same for ordinary code, which the thread's own handler may interrupt; true
   at once where t has its record.  Makes the profile when that is due. */
bool thread_ready(struct thread *t);

#endif

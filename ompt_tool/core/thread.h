/*
 * thread.h - what the tool keeps for each thread of the application.
 *
 * A thread's own code, its OMPT callbacks and its handler use it; others only
 * look at the counters while the process ends.  Memory comes from mmap and is
 * used again for later threads, never unmapped: a late signal finds it whole.
 */
#ifndef OMPHWC_OMPT_TOOL_CORE_THREAD_H
#define OMPHWC_OMPT_TOOL_CORE_THREAD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "ompt_tool/core/cct.h"
#include "ompt_tool/core/construct_stack.h"
#include "ompt_tool/core/context.h"
#include "ompt_tool/core/pages.h"
#include "ompt_tool/core/recurring.h"
#include "ompt_tool/core/region.h"
#include "ompt_tool/core/stack.h"
#include "ompt_tool/core/undeferred.h"
#include "ompt_tool/core/unwind.h"
#include "pmu/counter.h"
#include "src/profile/format.h"

struct counting;
struct heap_thread;
struct entries;

/* Where the tasks of a creation context that this thread runs are counted. */
struct task_run {
	uint32_t context;
	uint32_t node;			/* STATS_TASK_RUN; 0: none */
	uint32_t time;			/* STATS_TASK_TIME likewise */
};

enum { TASK_RUN_ENTRIES = 16 };

struct thread {
	struct thread *next;		/* all threads there ever were */
	_Atomic uint32_t live;		/* has a running owner */
	_Atomic uint32_t claimed;		/* somebody opens, stops or closes its counters */
	volatile bool sampling;		/* its handler may take samples */
	volatile bool in_handler;
	bool look_again;		/* the handler's: a counter's signal may be lost */
	uint8_t kind;			/* enum prof_thread_kind */
	uint32_t index;
	pid_t tid;
	uintptr_t stack_lo, stack_hi;
	struct pages handler_pages, callback_pages; /* of it */
	struct prof_thread *record;	/* in the file; NULL: none could be had */
	struct pmu_counter counter[PMU_COUNTERS_MAX];
	int ncounters;
	struct prof_value base[PMU_EVENTS_MAX]; /* of threads before, in this record */
	struct counting *counting;	/* counting.h's; NULL: nothing is counted */
	struct entries *entries;	/* entries.h's, likewise */

	struct cct cct;
	/* Where the last sample's boundary was put. */
	uint32_t cut;			/* frames below it; CUT_NONE */
	uint32_t cut_info;
	uint32_t cut_context;

	uint32_t data_nodes;		/* made so far (data.h) */
	uint32_t data_pages;		/* likewise, of memory that has no name */
	struct heap_thread *heap;	/* heap.h's; NULL: none yet */
	uint64_t lock;			/* address of the lock that the application last
					   wanted; 0: its last mutex was none */
	struct task_run task_run[TASK_RUN_ENTRIES];
	uint32_t task_time;		/* STATS_TASK_TIME of the explicit task that runs;
					   0: none does */
	uint64_t task_ticks;		/* since when */
	struct construct_stack constructs;
	struct undeferred undeferred;
	struct region_pool regions;
	struct context_cache contexts;
	struct unwind_cache callback_rules;
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

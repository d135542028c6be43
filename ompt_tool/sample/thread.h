/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * thread.h - the tool's data for each thread of the application.
 *
 * The thread's own code, its OMPT callbacks and its handler use it. Other threads
 * only read the counters when the process ends. The memory comes from mmap, is
 * reused for later threads and never unmapped: a late signal finds it valid.
 */
#ifndef OMPHWC_OMPT_TOOL_SAMPLE_THREAD_H
#define OMPHWC_OMPT_TOOL_SAMPLE_THREAD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "ompt_tool/omp/omp_thread.h"
#include "ompt_tool/sample/named_phases.h"
#include "ompt_tool/tree/recurring.h"
#include "ompt_tool/tree/stack.h"
#include "ompt_tool/tree/timeline.h"
#include "ompt_tool/unwind/bounds.h"
#include "ompt_tool/unwind/unwind.h"
#include "pmu/counter.h"
#include "src/profile/format.h"

struct heap_thread;
struct pomp_thread;

/* The CPU that the thread was sampled on last, and where its samples are counted (cpus.h). */
struct cpus {
	uint32_t cpu;			/* CPUS_NONE: not known */
	uint32_t node[PROF_EVENTS_MAX]; /* of that CPU; 0: none yet */
};

enum { CPUS_NONE = UINT32_MAX };

/* Where the thread's times from the scheduler are written (schedule.h), and what they were
   before. */
struct schedule {
	uint32_t node; /* STATS_SCHEDULE; 0: none */
	uint64_t ran_before, waited_before;
};

/* Where the last sample of a wall clock was counted. */
struct wall_spot {
	uint32_t leaf;	    /* 0: nowhere yet */
	uint32_t innermost; /* the node of its innermost frame or boundary */
	uint32_t charged;   /* the node that is charged with other threads' waiting */
};

struct thread {
	struct thread *next;	  /* the list of all threads ever made */
	_Atomic uint32_t live;	  /* a running thread owns it */
	_Atomic uint32_t claimed; /* a thread opens, stops or closes its counters */
	volatile bool sampling;	  /* its handler may take samples */
	volatile bool in_handler;
	volatile bool waking; /* its own code counts a sleep that has ended */
	bool traced;	      /* its parent traces it: no counter runs */
	bool asleep;	      /* the last sample of a wall clock found it asleep */
	bool look_again;      /* for the handler: a counter's signal may be lost */
	pid_t tid;
	uint64_t begun_ns; /* CLOCK_MONOTONIC; 0: its lifetime is recorded */
	struct omp_thread omp;
	struct own_stack own; /* what the handler knows of the thread's stack */
	struct pmu_counter counter[PMU_COUNTERS_MAX];
	int ncounters;
	uint32_t missing; /* bit N: event N has no counter in the thread, or not all of its own */
	/* The boundary of the last sample. */
	uint32_t cut; /* frames below it; CUT_NONE */
	uint32_t cut_info;
	uint32_t cut_context;

	struct phases_thread phases;
	struct wall_spot wall;
	struct cpus cpus;
	struct schedule schedule;
	uint32_t data_nodes;	  /* data nodes made so far (data.h) */
	uint32_t data_pages;	  /* likewise, for memory that has no name */
	struct heap_thread *heap; /* heap.h's; NULL: none yet */
	struct unwind_cache handler_rules;
	struct stack stack;
	struct recurring recurring; /* for the sample that is being placed */
	struct timeline timeline;
	struct pomp_thread *pomp; /* runtime/pomp.c's; NULL: none yet */
};

#define CUT_NONE UINT32_MAX

/* The calling thread's, or NULL. Initial-exec TLS: reading it calls no function. */
extern __thread struct thread *thread_self __attribute__((tls_model("initial-exec")));

/*
 * Gives t its record and tree in the process's profile, in a fork's child new ones.
 * False without room. Async-signal-safe.
 */
bool thread_record(struct thread *t);

/* The same for ordinary code, which the thread's own handler may interrupt; true at
   once where t has its record. Makes a profile that is due. */
bool thread_ready(struct thread *t);

#endif

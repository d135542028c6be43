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

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "ompt_tool/omp/omp_thread.h"
#include "ompt_tool/tree/recurring.h"
#include "ompt_tool/tree/stack.h"
#include "ompt_tool/tree/timeline.h"
#include "ompt_tool/unwind/bounds.h"
#include "ompt_tool/unwind/unwind.h"
#include "pmu/counter.h"
#include "src/profile/format.h"

struct heap_thread;
struct pomp_thread;
struct thread;

/*
 * named_phases.c: the phases that the program has begun and not ended: samples lie beneath their
 * nodes.
 *
 * A phase that the initial thread begins is of the whole process: all threads' samples are in it.
 * One that another thread begins is of that thread alone, within those of the process. Each list
 * has one writer, its thread. The other threads' handlers copy that of the process when its number
 * has changed; where they meet a writer, they stay where they were for one sample more.
 */

enum {
	PHASES_DEEP = 16, /* those that have nodes; others are part of them */
	PHASES_KNOWN = 64,
	PHASES_STALE = UINT32_MAX
};

struct phases {
	uint32_t n;
	uint32_t deeper; /* begun within these: ends are taken for theirs */
	struct phase {
		uint64_t name;	/* PROF_PHASE_HASH() */
		uint64_t ticks; /* the clock at its begin */
		uint32_t stats; /* the thread's node that counts it; 0: none */
	} phase[PHASES_KNOWN];
};

/* A thread's part of it. What each sample looks at comes first, beside the thread's boundary. */
struct phases_thread {
	uint32_t seen;	   /* phases_number when node was found */
	uint32_t node;	   /* what its samples lie beneath; 0: the root */
	struct phases own; /* of the initial thread: unused */
};

/* Odd while the process's list changes, and another one after each change; 0: there were none. */
extern _Atomic uint32_t phases_number;

/* Begins, or ends, a phase of that name in ordinary code of t, the calling thread, which has a
   record; initial: it is the process's first. phases_end(): with all within it; name 0: the
   innermost one. */
void phases_begin(struct thread *t, bool initial, uint64_t name);
void phases_end(struct thread *t, bool initial, uint64_t name);

/* The lifetime of t is over, or the process's: what t, or the process, is in ends now. */
void phases_lived(struct thread *t);
void phases_end_process(void);

/* Finds out t's node. Async-signal-safe. */
void phases_find(struct thread *t);

/* t has another tree, or is another thread. */
void phases_forget(struct phases_thread *p);

/* In a fork's child: all are over. */
void phases_fork_child(void);

/* The CPU that the thread was sampled on last, and where its samples are counted (cpus.c). */
struct cpus {
	uint32_t cpu;			/* CPUS_NONE: not known */
	uint32_t node[PROF_EVENTS_MAX]; /* of that CPU; 0: none yet */
};

enum { CPUS_NONE = UINT32_MAX };

/* Where the thread's times from the scheduler are written (schedule.c), and what they were
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
	struct heap_thread *heap; /* heap.c's; NULL: none yet */
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

/*
 * cpus.c: on which CPUs a thread is sampled.
 *
 * The number of the CPU is read without a system call: from the rseq area that the C library
 * registers for each thread (glibc 2.35), else on x86-64 from a register. Where neither works
 * nothing is counted. Async-signal-safe but for cpus_prepare().
 */

/* Chooses how the CPU's number is read. At the start, in ordinary code. */
void cpus_prepare(void);

/* The calling thread's CPU, or CPUS_NONE. */
uint32_t cpus_now(void);

/* Counts a sample of t, the calling thread, for its CPU. */
void cpus_count(struct thread *t, uint32_t event, uint64_t weight);

/* The same for t, any thread, on the CPU of its last sample. */
void cpus_count_there(struct thread *t, uint32_t event, uint64_t weight);

/* t has another tree, or is another thread. */
void cpus_forget(struct thread *t);

#endif

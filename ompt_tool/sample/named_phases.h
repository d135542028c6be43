/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * named_phases.h - the phases that the program has begun and not ended: samples lie beneath their
 * nodes.
 *
 * A phase that the initial thread begins is of the whole process: all threads' samples are in it.
 * One that another thread begins is of that thread alone, within those of the process. Each list
 * has one writer, its thread. The other threads' handlers copy that of the process when its number
 * has changed; where they meet a writer, they stay where they were for one sample more.
 */
#ifndef OMPHWC_OMPT_TOOL_SAMPLE_NAMED_PHASES_H
#define OMPHWC_OMPT_TOOL_SAMPLE_NAMED_PHASES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct thread;

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

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trace.h - the last events of a thread, in a ring of fixed size in the profile.
 *
 * For short runs: every begin and end of regions, tasks and waits, with its time.  The oldest
 * ones are overwritten; the ring says how many were.  Written by the thread's own callbacks, not
 * by its handler.  No locks, and no system calls but those of the chunk, once for each thread.
 *
 * All rings together have a limit: some runtimes end their threads and make new ones at every
 * other region.  When it is reached, a new thread takes the ring of one that has ended.
 */
#ifndef OMPHWC_OMPT_TOOL_OMP_TRACE_H
#define OMPHWC_OMPT_TOOL_OMP_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "src/profile/format.h"

struct omp_thread;

/* A thread's; all 0: it has no ring yet. */
struct trace {
	struct prof_trace *head; /* in the mapping */
	struct prof_traced *records;
	uint64_t next; /* events so far */
	uint32_t room; /* a power of two */
	uint32_t ring; /* its number, from 1; kept when the thread has ended */
	bool refused;  /* there is no room for a ring */
};

/* Sets the ring's size; 0: nothing is traced.  Once, before any thread. */
void trace_prepare(uint64_t bytes);

/* Owned by trace.c: of a ring; 0: nothing is traced. */
extern uint32_t trace_ring_bytes __attribute__((visibility("hidden")));

static inline bool trace_on(void)
{
	return __builtin_expect(trace_ring_bytes != 0, 0);
}

/* How many rings there are at most. */
uint32_t trace_rings_most(void);

/* The thread has ended: another may take its ring. */
void trace_end(struct omp_thread *t);

/* In a fork's child: the rings are the parent's. */
void trace_fork_child(void);

/* Adds an event of the task or region with that token; state: of a wait. */
void trace_note(struct omp_thread *t, enum prof_trace_kind kind, uint8_t state, uint64_t token);

/* Adds an event of a construct: node is its number in the profile, or 0. */
void trace_construct(struct omp_thread *t, enum prof_trace_kind kind, uint32_t node);

#endif

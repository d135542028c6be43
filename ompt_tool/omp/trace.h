/*
 * trace.h - the last events of a thread, in a ring of fixed size in the profile.
 *
 * For short runs: every begin and end of regions, tasks and waits, with its time.  The oldest
 * ones are overwritten; the ring tells how many were.  Written by the thread's own callbacks, not
 * by its handler.  No locks, and no system calls but those of the chunk, once for each thread.
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
	bool refused;  /* there is no room for a ring */
};

/* Sets the ring's size; 0: nothing is traced.  Once, before any thread. */
void trace_prepare(uint64_t bytes);
bool trace_on(void);

/* Adds an event of the task or region with that token; state: of a wait. */
void trace_note(struct omp_thread *t, enum prof_trace_kind kind, uint8_t state, uint64_t token);

#endif

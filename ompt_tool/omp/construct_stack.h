/*
 * construct_stack.h - the worksharing constructs that a thread is in.
 *
 * A stack that the thread's callbacks push to and pop from, and that its handler
 * looks at.  Ends may be missing (gcc's single: begun.h) or come for a construct that was
 * never seen: an entry belongs to a task, and counts only while that task runs.
 * Async-signal-safe; each function is for the thread that owns the stack.
 */
#ifndef OMPHWC_OMPT_TOOL_OMP_CONSTRUCT_STACK_H
#define OMPHWC_OMPT_TOOL_OMP_CONSTRUCT_STACK_H

#include <stdint.h>

#include "ompt_tool/omp/begun.h"
#include "src/profile/format.h"

struct omp_thread;

enum { CONSTRUCT_DEPTH = 16, CONSTRUCT_ENTRIES = 32 };

struct construct {
	struct begun begun;	/* key: return address of the call that began it */
	uint64_t begin_ticks;
	uint32_t stats;		/* node that counts it; 0: none */
	uint8_t kind;		/* enum prof_construct_kind */
};

/* The nodes that count entries of the construct at call in a context. */
struct construct_stats {
	uintptr_t call;
	uint64_t epoch;		/* object_epoch() when it was filled in */
	uint32_t context;
	uint32_t node;
	uint32_t count;		/* STATS_COUNT; 0: none, or not yet */
	uint8_t kind;
};

struct construct_stack {
	struct construct construct[CONSTRUCT_DEPTH];
	volatile uint32_t n;
	struct construct_stats stats[CONSTRUCT_ENTRIES];
};

/* count: how many iterations or sections it has; 0 where that is no matter. */
void construct_begin(struct omp_thread *t, enum prof_construct_kind kind, uintptr_t call,
		     uint64_t task, uint64_t count);
void construct_end(struct omp_thread *t, enum prof_construct_kind kind, uint64_t task);

/* The innermost construct that the task is in, or NULL.  For the handler. */
const struct construct *construct_now(const struct construct_stack *s, uint64_t task);

/*
 * The STATS node of the construct at call, as met by a task with that token and
 * creation context, made if need be; 0 without room.
 */
uint32_t construct_stats(struct omp_thread *t, enum prof_construct_kind kind, uintptr_t call,
			 uint64_t task, uint32_t context, enum prof_stats_kind stats);

/* All nodes are gone: a new record or a fork's child. */
void construct_forget(struct construct_stack *s);

#endif

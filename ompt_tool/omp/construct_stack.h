/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * construct_stack.h - the worksharing constructs that a thread is in.
 *
 * The thread's callbacks push to this stack and pop from it; its handler reads it.
 * Ends may be missing (gcc's single: begun.h) or be reported for a construct whose
 * beginning was not: an entry belongs to a task, and counts only while that task
 * runs. Async-signal-safe; each function is for the thread that owns the stack.
 */
#ifndef OMPHWC_OMPT_TOOL_OMP_CONSTRUCT_STACK_H
#define OMPHWC_OMPT_TOOL_OMP_CONSTRUCT_STACK_H

#include <stdint.h>

#include "ompt_tool/omp/begun.h"
#include "src/profile/format.h"

struct omp_thread;

enum {
	CONSTRUCT_INSIDE = 16, /* constructs nested deeper are in memory of their own */
	CONSTRUCT_ENTRIES = 32,
};

struct construct {
	struct begun begun; /* key: return address of the call that began it */
	uint64_t begin_ticks;
	uint64_t chunk_ticks;	/* since when the thread is in a chunk; 0: in none */
	uint32_t stats;		/* node that counts its entries; 0: none */
	uint32_t chunks, chunk; /* STATS_CHUNKS and STATS_CHUNK nodes; 0: none, or not yet */
	uint8_t kind;		/* enum prof_construct_kind */
};

/* The nodes that count the entries of one construct (by its call) in one context. */
struct construct_stats {
	uintptr_t call;
	uint64_t epoch; /* object_epoch() when this was filled in */
	uint32_t context;
	uint32_t node;
	uint32_t count; /* STATS_COUNT node; 0: none, or not yet */
	uint8_t kind;
};

struct construct_stack {
	struct construct inside[CONSTRUCT_INSIDE];
	struct begun_room room;
	volatile uint32_t n;
	struct construct ended; /* the last one; key 0: it had no entry */
	struct construct_stats stats[CONSTRUCT_ENTRIES];
};

/* count: the number of iterations or sections; 0 where the construct has none. */
void construct_begin(struct omp_thread *t, enum prof_construct_kind kind, uintptr_t call,
		     uint64_t task, uint64_t count);
void construct_end(struct omp_thread *t, enum prof_construct_kind kind, uint64_t task);

/* The runtime gives the thread so many iterations of the task's innermost construct, if that is of
   the kind. */
void construct_chunk(struct omp_thread *t, enum prof_construct_kind kind, uint64_t task,
		     uint64_t iterations);

/* The innermost construct that the task is in, or NULL. For the handler. */
const struct construct *construct_now(const struct construct_stack *s, uint64_t task);

/* The construct that the task left last, for when the runtime says that it waits at its end. */
const struct construct *construct_left(const struct construct_stack *s, uint64_t task);

/*
 * The STATS node of the construct at call, for a task with that token and creation
 * context, made if need be; 0 without room.
 */
uint32_t construct_stats(struct omp_thread *t, enum prof_construct_kind kind, uintptr_t call,
			 uint64_t task, uint32_t context, enum prof_stats_kind stats);

/* Likewise a STATS_DEVICE or STATS_DEVICE_TIME node of the construct c. */
uint32_t construct_device_stats(struct omp_thread *t, const struct construct *c,
				enum prof_stats_kind stats, uint8_t operation, uint8_t device);

/* The innermost construct, of whichever task, or NULL. */
const struct construct *construct_innermost(const struct construct_stack *s);

/* Forgets all nodes: the thread has a new record, or runs in a fork's child. */
void construct_forget(struct construct_stack *s);

#endif

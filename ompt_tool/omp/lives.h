/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lives.h - how many threads the process has had, and how many at one time.
 *
 * Records of threads in the profile are bounded, and those that runtimes end and make anew live
 * beside their successors for a while. So threads are counted here; and how many OpenMP needs at
 * one time is known by the teams: the initial threads, and of each live region its team without
 * the thread that began it.
 *
 * The header has these numbers whenever there is a profile. Any thread; takes no lock and
 * makes no system call.
 */
#ifndef OMPHWC_OMPT_TOOL_OMP_LIVES_H
#define OMPHWC_OMPT_TOOL_OMP_LIVES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "ompt_tool/omp/region.h"
#include "src/profile/format.h"

struct lives {
	_Atomic uint64_t begun[PROF_THREAD_KINDS];
	_Atomic uint64_t shared;     /* of them, those without a record of their own */
	_Atomic uint64_t initial_ns; /* lifetimes of initial threads that ended */
	_Atomic uint32_t now, most;  /* threads that live */
	_Atomic uint32_t initial;    /* of them, initial ones */
	_Atomic uint32_t wide;	     /* the most that OpenMP needed; 0: no team was reported */
	/* Threads beside their own in the live regions, but for the first thread's outermost one,
	   which only that thread begins and ends. */
	_Atomic int32_t others;
	const struct region *_Atomic outermost;
	/* A team of that region for which there is nothing to be done: with it OpenMP needs no
	   more than lives.wide. 0: none. */
	_Atomic uint32_t known;
} __attribute__((aligned(64)));

/* Owned by lives.c. */
extern struct lives lives;

/* A thread begins; shares: it goes on in the record of one that has ended. */
void lives_begin(enum prof_thread_kind kind, bool shares);

/* What kind of thread it is is known now. */
void lives_become(enum prof_thread_kind from, enum prof_thread_kind kind);

/* A thread ends. lives_lived(): it has lived for so long, or the process ends. */
void lives_end(enum prof_thread_kind kind);
void lives_lived(enum prof_thread_kind kind, uint64_t ns);

/* The first thread has these regions; NULL: it is not known. */
void lives_main(const struct region_pool *pool);

/* In a fork's child, whose only thread is of that kind; no region's team is in it. */
void lives_fork_child(enum prof_thread_kind kind, const struct region_pool *pool);

/* Writes the numbers into the header, if there is a profile. */
void lives_store(void);

/* The region's team has so many threads, and had as many before. */
void lives_team(const struct region *r, uint32_t before, uint32_t threads);

/* Whether lives_team() has nothing to do. */
static inline bool lives_know(const struct region *r, uint32_t threads)
{
	return r == atomic_load_explicit(&lives.outermost, memory_order_relaxed) &&
	       threads == atomic_load_explicit(&lives.known, memory_order_relaxed);
}

/* It ends. */
static inline void lives_over(const struct region *r)
{
	if (r->team > 1 && r != atomic_load_explicit(&lives.outermost, memory_order_relaxed))
		atomic_fetch_sub_explicit(&lives.others, (int32_t)(r->team - 1),
					  memory_order_relaxed);
}

#endif

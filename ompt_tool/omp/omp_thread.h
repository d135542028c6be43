/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * omp_thread.h - the OpenMP part of a thread's data: its record and tree in the
 * profile, and what its callbacks keep from one to the next.
 *
 * The thread's own callbacks write it. Its handler, which may interrupt them at any
 * instruction, reads it and adds to the tree.
 */
#ifndef OMPHWC_OMPT_TOOL_OMP_OMP_THREAD_H
#define OMPHWC_OMPT_TOOL_OMP_OMP_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "ompt_tool/omp/begun.h"
#include "ompt_tool/omp/construct_stack.h"
#include "ompt_tool/omp/context.h"
#include "ompt_tool/omp/region.h"
#include "ompt_tool/omp/trace.h"
#include "ompt_tool/omp/undeferred.h"
#include "ompt_tool/tree/cct.h"
#include "src/profile/format.h"

struct blame;
struct counting;
struct entries;

/* Where the tasks of one creation context that this thread runs are counted, in the profile. */
struct task_run {
	uint64_t key;	/* token_key() of these tasks; 0: none's */
	uint64_t *run;	/* words of STATS_TASK_RUN; NULL: none */
	uint64_t *time; /* STATS_TASK_TIME likewise */
	uint64_t unused;
};

enum { TASK_RUN_ENTRIES = 16 };

/* The regions that the thread has forked and that are not over, where a runtime names them by
   IDs (the Collector API). */
struct region_fork {
	uint64_t id, token;
};

struct region_forks {
	uint32_t n;
	struct region_fork inside[REGION_POOL];
	struct begun_room room;
};

struct omp_thread {
	struct prof_thread *record; /* in the file; NULL: none could be had */
	uint32_t index;		    /* of the record */
	uint8_t kind;		    /* enum prof_thread_kind */
	struct cct cct;
	struct prof_value base[PROF_EVENTS_MAX]; /* counts of earlier threads of this record */
	struct counting *counting;		 /* counting.h's; NULL: nothing is counted */
	void *ready; /* an adapter's, once its callbacks have found that they can write what the
			thread does; NULL: to be found out */
	struct entries *entries; /* entries.h's; NULL: no entries are counted */
	struct trace trace;
	struct blame *blame; /* blame.h's; NULL: none is charged */
	uint64_t lock;	     /* address of the lock that the application has last
				   asked for; 0: its last mutex was no lock */
	uintptr_t lock_call; /* return address of the call that asked for it; 0: not reported */
	struct task_run task_run[TASK_RUN_ENTRIES];
	struct {
		uint64_t *time; /* STATS_TASK_TIME's, of the explicit task that runs; NULL: none */
		uint64_t since; /* the clock when it began to run */
	} running;
	uint64_t scheduled; /* token of the task that an adapter was told of last: it runs, or one
			       that it contains */
	struct construct_stack constructs;
	struct undeferred undeferred;
	struct region_pool regions;
	struct region_forks forks;
	struct {
		uint64_t begin_ticks; /* of the operation */
		uint32_t time;	      /* its STATS_DEVICE_TIME node; 0: none */
		bool call;	      /* it is no part of a target construct */
		uint8_t number;	      /* of the last target construct */
	} device;
	uint32_t asked; /* threads that the region that it began last was to have; 0: not known */
	uint32_t last_team; /* threads of the last team of two or more that it began; 0: none */
	struct {
		void *task, *implicit; /* depend.c's: the explicit task that it runs, or NULL; and
					  the implicit one in which it runs that */
		uint64_t since;	       /* when that began, or went on */
		uint64_t work;	       /* ticks in such tasks that STATS_PATH has not yet */
		uint32_t node;	       /* STATS_PATH; 0: none yet */
	} depend;
	struct context_finder contexts; /* for its callbacks */
};

/* Counts one more of what is lost by that cause. On t's own thread. */
static inline void omp_thread_lose(struct omp_thread *t, enum prof_lost cause)
{
	if (t->record)
		t->record->lost[cause]++;
}

#endif

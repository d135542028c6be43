/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pomp.h - what an instrumentor wrote into the program (POMP2): its constructs, also those that
 * never run, and how often and how long each thread was in them.
 *
 * These are counted beside what a runtime reports, which counts regions, tasks and constructs of
 * its own. Ordinary code.
 */
#ifndef OMPHWC_OMPT_TOOL_RUNTIME_POMP_H
#define OMPHWC_OMPT_TOOL_RUNTIME_POMP_H

#include <stdint.h>

#include "ompt_tool/omp/context.h"

struct pomp_descriptor;
struct pomp_event;
struct thread;

/* The process has a profile, and its modules: it gets the constructs that are known. */
void pomp_start(void);

/* In a fork's child, whose profile has none yet. */
void pomp_fork_child(void);

/*
 * pomp_runtime.c: the adapter for programs that OPARI2 instrumented, on runtimes that report
 * nothing: POMP2's calls tell of regions, tasks, constructs and waits.
 *
 * A team's threads are told which construct they execute, and not which thread forked it: they
 * belong to its region that was forked last.
 */

enum { POMP_LEVELS = 32, POMP_FORKS = 32 };

/* The context of a region that was forked in that context of the fork's own. */
struct pomp_fork {
	const struct pomp_descriptor *descriptor;
	uint32_t from; /* node */
	struct context context;
};

/* What a thread is in: regions' implicit tasks and explicit tasks, the innermost last. Its handler
   reads what is below n. */
struct pomp_levels {
	volatile uint32_t n;
	uint32_t deeper; /* begun within these */
	struct pomp_level {
		const struct pomp_descriptor *region; /* NULL: an explicit task */
		uint64_t token;			      /* 0: that of the region forked last */
		uintptr_t exit;			      /* in the runtime's frame that called it */
		uint32_t threads;
		uint8_t state; /* enum prof_state */
	} level[POMP_LEVELS];
	/* Of the fork that the thread is in: the construct whose region has been created, and where
	   it is; NULL, 0: neither is known before its body. */
	const struct pomp_descriptor *forked;
	uint32_t from;
	struct pomp_fork fork[POMP_FORKS];
};

/* Takes an event of t, the calling thread, where no runtime reports it; begin_ticks: of a region,
   when it was forked. */
void pomp_runtime_event(struct thread *t, struct pomp_levels *p, const struct pomp_event *e,
			uint64_t begin_ticks);

/* t's, or NULL; for the handler. Defined by pomp.c. */
struct pomp_levels *pomp_levels_of(const struct thread *t);

/* The OpenMP runtime's code, or NULL. */
void pomp_runtime_code(const void *code);

#endif

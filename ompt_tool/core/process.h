/*
 * process.h - what all threads of a profiled process share.
 *
 * Filled in before the first thread is sampled, and changed afterwards only by
 * a fork's child, in its one thread, and through the atomic fields.
 */
#ifndef OMPHWC_OMPT_TOOL_CORE_PROCESS_H
#define OMPHWC_OMPT_TOOL_CORE_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "pmu/event.h"
#include "src/profile/writer.h"

struct runtime;

struct process {
	struct prof_writer writer;
	struct pmu_event events[PMU_EVENTS_MAX];
	int nevents;
	uint8_t epoch;			/* counts fork generations */
	_Atomic(const struct runtime *) runtime; /* NULL: no OpenMP (yet) */
	/* 1 in the process that was set up, 0 in a child that was forked
	   behind our back: its page is wiped then.  Never NULL. */
	const volatile unsigned char *alive;
	/* Makes the profile when it was put off (a fork's child); true when
	   there is one.  Async-signal-safe. */
	bool (*open_profile)(void);
};

/* The one process-wide state, owned by process.c. */
extern struct process process;

/* Whether samples may be taken and contexts made here and now. */
bool process_ready(void);

#endif

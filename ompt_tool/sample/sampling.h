/*
 * sampling.h - which events the process samples and counts, and how.
 *
 * Filled in before the first thread is sampled; changed afterwards only through the
 * atomic field.
 */
#ifndef OMPHWC_OMPT_TOOL_SAMPLE_SAMPLING_H
#define OMPHWC_OMPT_TOOL_SAMPLE_SAMPLING_H

#include <stdatomic.h>

#include "pmu/event.h"

struct thread;

struct sampling {
	struct pmu_event events[PMU_EVENTS_MAX]; /* by their numbers in the profile */
	int nevents;
	int nsampled;		/* the first so many; others are only counted */
	/* NULL, or what a thread calls at the end of a sample that came by SIGTRAP: its
	   counters are to signal otherwise from now on.  Async-signal-safe. */
	void (*_Atomic redeliver)(struct thread *t);
};

/* The one process-wide state, owned by sampling.c. */
extern struct sampling sampling;

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sampling.h - which events the process samples and counts, and how.
 *
 * Filled in before the first thread is sampled. Afterwards only the atomic fields
 * change.
 */
#ifndef OMPHWC_OMPT_TOOL_SAMPLE_SAMPLING_H
#define OMPHWC_OMPT_TOOL_SAMPLE_SAMPLING_H

#include <signal.h>
#include <stdbool.h>

#include "pmu/event.h"

struct thread;

struct sampling {
	struct pmu_event events[PMU_EVENTS_MAX]; /* indexed by their numbers in the profile */
	int nevents;
	int nsampled; /* the first so many are sampled, the others only counted */
	/* NULL, or a function that each thread calls at the end of a sample that
	   SIGTRAP brought: it makes the thread's counters signal otherwise.
	   Async-signal-safe. */
	void (*_Atomic redeliver)(struct thread *t);
	/* NULL, or what takes a signal that no counter sent: true where it is the tool's.
	   Async-signal-safe. */
	bool (*_Atomic other)(const siginfo_t *info);
};

/* The one process-wide state, owned by thread.c. */
extern struct sampling sampling;

#endif

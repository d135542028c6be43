/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counts.h - events that are counted in one thread, without samples.
 *
 * Events are opened in groups: the kernel gives a group all of its counters at once
 * or none, so ratios within a group are of counts over the same time. Events that
 * don't fit go to another group, and groups take turns (multiplexing), as enabled
 * and running times show.
 *
 * plan, open and close are for ordinary code. The functions that read and stop are
 * signal-safe, keep errno, and allocate nothing.
 */
#ifndef OMPHWC_PMU_COUNTS_H
#define OMPHWC_PMU_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "pmu/counter.h"
#include "pmu/event.h"
#include "pmu/fastread.h"
#include "pmu/refusal.h"

/* Each event may be opened once for each kind of core. */
enum { PMU_COUNTS_MAX = 32 };

struct pmu_plan_event {
	struct pmu_event event;
	uint8_t number; /* the caller's number of the event that it is part of */
	uint8_t group;	/* groups are numbered from 0, without gaps */
};

/* The events that each thread opens; made once. */
struct pmu_plan {
	struct pmu_plan_event events[PMU_COUNTS_MAX]; /* a group's events are adjacent */
	int n;
	int ngroups;
	bool fast[PMU_COUNTS_MAX]; /* by group: user code may read its counters */
	bool ran[PMU_COUNTS_MAX];  /* by group: it had its counters when tried */
};

struct pmu_count {
	int fd; /* -1: could not be opened here */
	struct pmu_fastread fast;
	uint8_t number, group;
};

struct pmu_counts {
	struct pmu_count counts[PMU_COUNTS_MAX]; /* in the plan's order */
	int n;
	uint64_t id[PMU_COUNTS_MAX];   /* by group: the kernel's id, see pmu_counter.id */
	uint8_t first[PMU_COUNTS_MAX]; /* by group: its first event, the leader */
	uint8_t size[PMU_COUNTS_MAX];  /* by group: its events; 0: it could not be opened */
	bool fast[PMU_COUNTS_MAX];     /* by group: all its pages are mapped */
	int ngroups;
};

/* Whether ev can be counted on the calling thread: 0, or -1 with *why. */
int pmu_counts_probe(const struct pmu_event *ev, struct pmu_refusal *why);

/*
 * Puts n events into groups, in their order, as many into each as fit, and tries
 * the groups on the calling thread, some 100 us each. Events of a PMU of some cores
 * only are opened without waiting whether they run. At most PMU_COUNTS_MAX, with
 * those of other kinds of cores. Returns the number of groups.
 */
int pmu_plan_make(struct pmu_plan *plan, const struct pmu_event *evs, int n);

/*
 * Opens all groups on the calling thread, counting at once. Returns the number of
 * groups that were refused, with *why of the first of them.
 */
int pmu_counts_open(struct pmu_counts *c, const struct pmu_plan *plan, struct pmu_refusal *why);

/* Idempotent; a zeroed struct counts as closed. */
void pmu_counts_close(struct pmu_counts *c);

/* In a fork's child: closes the descriptors without stopping the parent's counters. */
void pmu_counts_abandon(struct pmu_counts *c);

/* Stops all groups, or starts them again; from any thread of the process. */
void pmu_counts_stop(struct pmu_counts *c);
void pmu_counts_start(struct pmu_counts *c);

/*
 * A group's values by read(2), after a call that checks the descriptor; values[i]
 * is its i-th event's. From any thread. 0 or -errno; -ESTALE where the descriptor
 * is the application's by now.
 */
int pmu_counts_read(const struct pmu_counts *c, int group, struct pmu_value *values);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * meter.h - adds up in the profile, for each place, what the counters counted
 * there.
 *
 * A place is a creation context (0: outside of regions) and a part of what a thread
 * does there. Events that user code may read are read at each change of place.
 * Other events take a system call: they are read when some time has passed. Their
 * counts go to the place in which nearly all of that time was spent, or else to the
 * thread's PROF_PART_MIXED. So every count goes to a place, and counts that were
 * not separated are labelled so.
 *
 * For the thread's own code, not its handler: takes no lock, allocates nothing.
 */
#ifndef OMPHWC_OMPT_TOOL_COUNT_METER_H
#define OMPHWC_OMPT_TOOL_COUNT_METER_H

#include <stdbool.h>
#include <stdint.h>

#include "ompt_tool/omp/places.h"
#include "pmu/counts.h"
#include "pmu/steady.h"
#include "src/profile/format.h"

struct omp_thread;

enum { METER_SPENT = 4, METER_PLACES = 16 /* a power of two */ };

/* Events that are read together. */
struct meter {
	uint32_t groups;      /* bit N: group N of the counts; 0: it reads nothing */
	uint64_t min_ticks;   /* the least time between readings; 0: every change */
	uint64_t read_ticks;  /* the last reading */
	uint64_t since_ticks; /* when the thread came to `now' */
	struct place now;
	/* The places since the last reading, before `now'. */
	struct {
		struct place place;
		uint64_t ticks;
	} spent[METER_SPENT];
	int nspent;
};

/* The nodes that count an event in a place. */
struct meter_nodes {
	struct prof_node *value, *time;
};

struct meters {
	struct pmu_counts counts;
	struct pmu_value last[PROF_EVENTS_MAX]; /* indexed by the process's event number */
	struct pmu_value begun[PROF_EVENTS_MAX];
	uint64_t clock_ns; /* enabled time of an event that had a counter */
	uint32_t numbers;  /* bit N: event N is counted in this thread */
	struct meter fast, slow;
	/* The numbers of these events; first those of the fast groups, where each of those has
	   a number of its own: else nfast is 0. */
	uint8_t event[PROF_EVENTS_MAX];
	int nevents, nfast;
	const struct pmu_fastread *fastread[PROF_EVENTS_MAX];
	bool only_fast; /* no event takes a system call */
	struct pmu_steady steady;
	/* Places whose nodes are known: each one's in the order of event[]. */
	struct place places[METER_PLACES];
	struct meter_nodes nodes[METER_PLACES][PROF_EVENTS_MAX];
};

/* Both meters begin at this place, with the counters' present values. */
void meters_begin(struct meters *m, struct place place, uint64_t min_ticks);

/* The thread goes to that place: what was counted until now belongs to the previous place. */
void meters_move(struct omp_thread *t, struct meters *m, struct place place);

/* Renames the thread's present place, from the time when the thread came to it. */
void meters_rename(struct meters *m, struct place from, struct place to);

/* Reads now, even by system calls. */
void meters_flush(struct omp_thread *t, struct meters *m);

/* What each event has counted in this thread, by read(2); from any thread. Returns a
   bit for each event with a value. */
uint32_t meters_total(const struct meters *m, struct pmu_value total[PROF_EVENTS_MAX]);

/* The counters are about to be closed: nothing is read from now on. */
void meters_end(struct meters *m);

/* Forgets all nodes: this is a fork's child. */
void meters_forget(struct meters *m);

#endif

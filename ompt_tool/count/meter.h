/*
 * meter.h - what counters held when a thread went from one place to another,
 * added up in the profile for each place.
 *
 * A place is a creation context (0: outside of regions) and a part of what a
 * thread does there.  Events that user code may read are read at each change of
 * place.  Reading others takes a system call: they are read when some time has
 * passed since, and what was counted goes to the place where nearly all of that
 * time was spent, or else to PROF_PART_MIXED of the thread.  So all of it
 * goes somewhere, and what was not read apart is labelled so.
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

enum { METER_SPENT = 4, METER_PLACES = 16 };

/* Events that are read together. */
struct meter {
	uint32_t groups;	/* bit N: group N of the counts; 0: it reads nothing */
	uint64_t min_ticks;	/* from one reading to the next; 0: every change */
	uint64_t read_ticks;	/* the last reading */
	uint64_t since_ticks;	/* the thread has been at now since */
	struct place now;
	/* Where it was since the last reading, before now. */
	struct {
		struct place place;
		uint64_t ticks;
	} spent[METER_SPENT];
	int nspent;
};

/* The nodes of a place, by event. */
struct meter_place {
	struct place place;
	bool known;
	uint32_t value[PROF_EVENTS_MAX], time[PROF_EVENTS_MAX];
};

struct meters {
	struct pmu_counts counts;
	struct pmu_value last[PROF_EVENTS_MAX];	/* by the process's event number */
	struct pmu_value begun[PROF_EVENTS_MAX];
	uint64_t clock_ns;	/* enabled time of an event that had a counter */
	uint32_t numbers;	/* bit N: event N is counted in this thread */
	struct meter fast, slow;
	/* The fast groups' events, where each is a number's only one; else nfast is 0. */
	struct pmu_steady steady;
	const struct pmu_fastread *fastread[PMU_STEADY_MAX];
	uint8_t number[PMU_STEADY_MAX];
	int nfast;
	struct meter_place places[METER_PLACES];
};

/* Both begin at this place, from the counters' present values on. */
void meters_begin(struct meters *m, struct place place, uint64_t min_ticks);

/* The thread goes to that place: what was counted until now is its last one's. */
void meters_move(struct omp_thread *t, struct meters *m, struct place place);

/* The place that the thread is at turns out to be another one, since it came. */
void meters_rename(struct meters *m, struct place from, struct place to);

/* Reads now, whatever it costs. */
void meters_flush(struct omp_thread *t, struct meters *m);

/* What each event counted in this thread, by read(2); from any thread.  Returns
   the bits of those that are known. */
uint32_t meters_total(const struct meters *m, struct pmu_value total[PROF_EVENTS_MAX]);

/* The counters are about to be closed: nothing is read any more. */
void meters_end(struct meters *m);

/* All nodes are gone: a fork's child. */
void meters_forget(struct meters *m);

#endif

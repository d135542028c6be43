/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * event.h - from an event's name to what the kernel is asked to count.
 *
 * Names are perf's and libpfm4's: the kernel's generic hardware, software and
 * cache events (cycles, LLC-load-misses, page-faults, cpu-clock), raw rNNN,
 * PMU/term=value,.../ from sysfs, libpfm4's own, each with modifiers after a
 * colon (u k p pp), and `wall`, a clock that also runs while a thread is
 * blocked.  Nothing here prints; refusals are returned as text.
 * For ordinary code, in one thread at a time; not signal-safe.
 */
#ifndef OMPHWC_PMU_EVENT_H
#define OMPHWC_PMU_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "pmu/perf_event.h"
#include "pmu/refusal.h"

enum { PMU_EVENTS_MAX = 16, PMU_NAME_BYTES = 48, PMU_OWN_BYTES = 64 };

enum pmu_kind {
	PMU_PERF, /* a perf event, described by attr */
	PMU_WALL, /* a CLOCK_MONOTONIC timer in each thread */
};

struct pmu_event {
	enum pmu_kind kind;
	char label[PMU_NAME_BYTES];	/* the name in reports: cycles:u; a ~ marks where it was
					   cut */
	char requested[PMU_NAME_BYTES]; /* as the user asked for it */
	bool substituted;		/* label's event stands in for requested's */
	bool unit_ns;			/* counts nanoseconds, else events */
	struct perf_event_attr attr;	/* type, config*, exclude_*, precise_ip and
					read_format are set; the sampling and
					signal fields belong to counter.h */
	uint64_t period;		/* events between samples; 0: freq_hz rules */
	uint32_t freq_hz;		/* samples a second; 0: period rules */
	uint32_t granule;		/* periods are multiples of it; 0: any */
	/* Where cores are of several kinds: */
	uint32_t core;		 /* the type of the only core PMU that counts it; 0: any */
	char own[PMU_OWN_BYTES]; /* of a core PMU's own event that was named without the PMU: its
				    name; else "" */
	bool raw;		 /* a raw code, without a PMU */
};

/* How often to sample; exactly one member is not 0. */
struct pmu_rate {
	uint32_t freq_hz;
	uint64_t period;
};

/* A prime, so that it does not beat with periods of the program. */
#define PMU_DEFAULT_FREQ_HZ 997u
#define PMU_FREQ_MAX_HZ 100000u

/* Sampled, and counted, where no other events were asked for. */
#define PMU_DEFAULT_SAMPLED "cycles"
#define PMU_DEFAULT_COUNTED "cycles,instructions"

/*
 * Parses one name. Without :u or :k the event counts user code only, which every
 * user may count and which interrupts no system call; :k selects the kernel, :uk
 * both. The label says so: cycles:u, cycles:k, cycles:uk. Events that happen in the
 * kernel only (context-switches) are counted there in any case, and have no letter.
 * Clocks turn a frequency into an exact period. NAME/period=N/ and NAME/freq=N/
 * replace *rate by a rate of their own. Does not ask the kernel whether it can
 * count the event: pmu_event_probe() does. 0, or -1 with *why filled in.
 */
int pmu_event_parse(const char *name, const struct pmu_rate *rate, struct pmu_event *ev,
		    struct pmu_refusal *why);

/*
 * Parses "a,b,c" (commas within PMU/…/ belong to the name), at most max
 * events.  The number of events, or -1 with *why.
 */
int pmu_event_parse_list(const char *list, const struct pmu_rate *rate, struct pmu_event *evs,
			 int max, struct pmu_refusal *why);

/* The rate, or the kernel's limit (kernel.perf_event_max_sample_rate), if that is less. */
uint32_t pmu_rate_allowed(uint32_t freq_hz);

/* Opens the event on the calling thread and closes it again: 0, or -1 with *why. One kind of
   core that counts it is enough. */
int pmu_event_probe(const struct pmu_event *ev, struct pmu_refusal *why);

/*
 * Where cores are of several kinds (cpu_core and cpu_atom, big.LITTLE), each kind
 * has a PMU of its own, and an event counts only while the thread runs on the kind for
 * which it was opened. Fills evs with one copy of ev for each kind that has the event, by
 * the code that it has there, all with ev's label, to be opened side by side and summed;
 * with ev alone where there is one kind, where ev names a PMU or is no event of cores, or
 * where no kind is known to have it. Returns how many, at most max. pmu_event_probe() says
 * which of them can be counted.
 */
int pmu_event_spread(const struct pmu_event *ev, struct pmu_event *evs, int max);

/* Names of PMUs, with commas. */
enum { PMU_KINDS_BYTES = 160 };

struct pmu_kinds {
	char with[PMU_KINDS_BYTES];
	char without[PMU_KINDS_BYTES];
};

/*
 * Which kinds of cores count ev, by probe (pmu_event_probe, pmu_counts_probe), and
 * which do not. False, and both texts empty, where there is one kind or where ev
 * names a kind itself.
 */
bool pmu_event_kinds(const struct pmu_event *ev,
		     int (*probe)(const struct pmu_event *ev, struct pmu_refusal *why),
		     struct pmu_kinds *out);

/* A counter that each thread opens, for the event of that number. */
struct pmu_opening {
	struct pmu_event event;
	uint8_t number;
};

/*
 * Fills out with what to open for n events: each on the kinds of cores that can
 * count it, at least one of each event, at most max (n or more) in all. Returns how
 * many.
 */
int pmu_event_openings(const struct pmu_event *evs, int n, struct pmu_opening *out, int max);

/*
 * Replaces ev, keeping `requested' and marking it substituted, by the first of
 * these that can be had: the same event with fewer p, or in user code only; cpu-clock;
 * wall (where perf_event_open is forbidden altogether). A frequency carries over; a
 * period in another event's counts does not, and becomes PMU_DEFAULT_FREQ_HZ. 0, or
 * -1 with *why where none can be had.
 */
int pmu_event_substitute(struct pmu_event *ev, const struct pmu_rate *rate,
			 struct pmu_refusal *why);

#endif

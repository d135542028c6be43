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
#include <stddef.h>
#include <stdint.h>
#include <linux/perf_event.h>

#include "pmu/refusal.h"

enum { PMU_EVENTS_MAX = 16, PMU_NAME_BYTES = 48 };

enum pmu_kind {
	PMU_PERF,	/* a perf event, described by attr */
	PMU_WALL,	/* a CLOCK_MONOTONIC timer in each thread */
};

struct pmu_event {
	enum pmu_kind kind;
	char label[PMU_NAME_BYTES];	/* what its numbers are called: cycles:u;
					   a ~ marks where it was cut */
	char requested[PMU_NAME_BYTES];	/* as it was asked for */
	bool substituted;	/* label's event stands in for requested's */
	bool unit_ns;		/* counts nanoseconds, else events */
	struct perf_event_attr attr; /* type, config*, exclude_*, precise_ip and
					read_format are set; the sampling and
					signal fields belong to counter.h */
	uint64_t period;	/* events between samples; 0: freq_hz rules */
	uint32_t freq_hz;	/* samples a second; 0: period rules */
};

/* How often to sample; exactly one is not 0. */
struct pmu_rate {
	uint32_t freq_hz;
	uint64_t period;
};

/* A prime, so as not to beat with the program's own rhythm. */
#define PMU_DEFAULT_FREQ_HZ 997u
#define PMU_FREQ_MAX_HZ 100000u

/* What is counted where nothing else was asked for. */
#define PMU_DEFAULT_COUNTED "cycles,instructions"

/*
 * Parses one name.  Without :u or :k the event counts user code only, which
 * is what an ordinary user may count and what disturbs no system call; :k
 * selects the kernel, :uk both.  The label says so: cycles:u, cycles:k,
 * cycles:uk.  What happens in the kernel only (context-switches) is counted
 * there without being asked, and has no letter.  Clocks turn a frequency into
 * an exact period.  NAME/period=N/ and NAME/freq=N/ have a rate of their own, in the
 * place of *rate.
 * Does not ask the kernel whether it can count it: pmu_event_probe() does.
 * 0, or -1 with *why filled in.
 */
int pmu_event_parse(const char *name, const struct pmu_rate *rate,
		    struct pmu_event *ev, struct pmu_refusal *why);

/*
 * Parses "a,b,c" (commas within PMU/…/ belong to the name), at most max
 * events.  The number of events, or -1 with *why.
 */
int pmu_event_parse_list(const char *list, const struct pmu_rate *rate,
			 struct pmu_event *evs, int max, struct pmu_refusal *why);

/* Opens the event on the calling thread and closes it again: 0, or -1 with *why. */
int pmu_event_probe(const struct pmu_event *ev, struct pmu_refusal *why);

/*
 * Where cores are of several kinds (cpu_core and cpu_atom, big.LITTLE), each
 * kind has a PMU of its own, and a generic hardware or cache event counts only
 * while the thread runs on the one that it was opened for.  Fills evs with one
 * copy of ev for each kind, all under ev's label, to be opened side by side and
 * summed; with ev alone where there is one kind, or where ev is not generic.
 * At most max; how many.  Which of them can be counted, pmu_event_probe() tells.
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
 * which do not.  False, and both empty, where there is one kind or where ev is of
 * one kind anyway.
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
 * What n events are opened as, side by side, each on the kinds of cores that can
 * count it: at least one of each event, at most max (n or more) in all.  How many.
 */
int pmu_event_openings(const struct pmu_event *evs, int n, struct pmu_opening *out, int max);

/*
 * Puts in ev's place, keeping `requested`, marked substituted, the first of
 * these that can be had: the same event without p, or of user code only;
 * cpu-clock; wall (where perf_event_open is forbidden altogether).  A
 * rate carries over; a period in another event's counts does not, and becomes
 * PMU_DEFAULT_FREQ_HZ.  0, or -1 with *why where neither can be had.
 */
int pmu_event_substitute(struct pmu_event *ev, const struct pmu_rate *rate,
			 struct pmu_refusal *why);

#endif

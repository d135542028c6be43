/*
 * steady.h - many readings of a thread's events, each short after the last.
 *
 * As long as the kernel has not touched an event's page since, the event has kept its
 * counter: what it counted is what the register gained, and for all such events the
 * same time went by.  So of the pages (fastread.h) only the locks are read, and all
 * events are read in one pass.
 *
 * In the counted thread only.  Signal-safe.
 */
#ifndef OMPHWC_PMU_STEADY_H
#define OMPHWC_PMU_STEADY_H

#include <stdint.h>

struct pmu_fastread;
struct pmu_value;

enum { PMU_STEADY_MAX = 32 };

struct pmu_steady {
	struct pmu_steady_event {
		const volatile struct perf_event_mmap_page *page;
		uint64_t raw;	/* the register at the last reading, in the upper bits */
		uint64_t begun;	/* the same when they began */
		uint32_t lock, index;
		uint8_t shift;	/* bits that the register lacks to 64 */
	} events[PMU_STEADY_MAX];
	int n;			/* 0: they are to be read as a whole first */
	uint64_t clock_ns;	/* of the last reading */
	uint64_t begun_ns;	/* when they began */
	uint64_t time_cycles, time_mask;
	uint32_t time_mult;
	uint16_t time_shift;
};

/*
 * Reads n open events as pmu_fastread() does, to go on from there.  0, or -EAGAIN when
 * one of them has no counter now.
 */
int pmu_steady_begin(struct pmu_steady *s, const struct pmu_fastread *const *events, int n,
		     struct pmu_value *values);

/*
 * What each event has gained since the last reading, and the nanoseconds of it; clock
 * is pmu_register_clock()'s value a moment ago.  0, or -EAGAIN when more than counting
 * happened to one of them: nothing was read then, and they have to begin again.
 */
int pmu_steady_read(struct pmu_steady *s, uint64_t clock, uint64_t *more, uint64_t *ns);

/* What event i gained from pmu_steady_begin() to the last reading; and the nanoseconds of
   it. */
uint64_t pmu_steady_gained(const struct pmu_steady *s, int i);

static inline uint64_t pmu_steady_passed(const struct pmu_steady *s)
{
	return s->clock_ns - s->begun_ns;
}

#endif

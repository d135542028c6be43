/*
 * steady.h - repeated readings of a thread's events, each short after the last.
 *
 * As long as the kernel has not touched an event's page, the event has kept its
 * counter: its count has grown by what its register has, and the same time has
 * passed for all such events. So only the locks of the pages (fastread.h) are read,
 * and all events in one pass.
 *
 * In the counted thread only. Signal-safe.
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
		uint64_t begun; /* the same at pmu_steady_begin() */
		uint32_t lock, index;
		uint8_t shift; /* 64 less the register's width */
	} events[PMU_STEADY_MAX];
	int n;		   /* 0: pmu_steady_begin() comes first */
	uint64_t clock_ns; /* at the last reading */
	uint64_t begun_ns; /* at pmu_steady_begin() */
	uint64_t time_cycles, time_mask;
	uint32_t time_mult;
	uint16_t time_shift;
};

/*
 * Reads n open events as pmu_fastread() does, and begins steady readings. 0, or
 * -EAGAIN when an event has no counter now.
 */
int pmu_steady_begin(struct pmu_steady *s, const struct pmu_fastread *const *events, int n,
		     struct pmu_value *values);

/*
 * What each event has gained since the last reading, and the nanoseconds since;
 * clock is a recent value of pmu_register_clock(). 0, or -EAGAIN when the kernel
 * has touched an event: nothing was read, and pmu_steady_begin() must come again.
 */
int pmu_steady_read(struct pmu_steady *s, uint64_t clock, uint64_t *more, uint64_t *ns);

/* What event i gained from pmu_steady_begin() to the last reading, and the nanoseconds
   in between. */
uint64_t pmu_steady_gained(const struct pmu_steady *s, int i);

static inline uint64_t pmu_steady_passed(const struct pmu_steady *s)
{
	return s->clock_ns - s->begun_ns;
}

#endif

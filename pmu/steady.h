/* SPDX-License-Identifier: BSD-3-Clause */
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

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "pmu/perf_event.h"
#include "pmu/register.h"

struct pmu_fastread;
struct pmu_value;

enum { PMU_STEADY_MAX = 32 };

struct pmu_steady {
	int n; /* 0: pmu_steady_begin() comes first */
	struct pmu_steady_event {
		const volatile struct perf_event_mmap_page *page;
		pmu_register_reader *read; /* reads the event's register */
		uint64_t fresh; /* the register, in the upper bits; by pmu_steady_look() */
		uint64_t raw;	/* the same at the last reading */
		uint64_t begun; /* and at pmu_steady_begin() */
		uint32_t lock, index;
		uint8_t shift; /* 64 less the register's width */
	} events[PMU_STEADY_MAX];
	uint64_t begun_clock; /* at pmu_steady_begin() */
	uint64_t passed_ns;   /* from then to the last reading */
	uint32_t time_mult, time_shift;
};

/*
 * Reads n open events as pmu_fastread() does, and begins steady readings. 0, or
 * -EAGAIN when an event has no counter now.
 */
int pmu_steady_begin(struct pmu_steady *s, const struct pmu_fastread *const *events, int n,
		     struct pmu_value *values);

/* What event i gained from pmu_steady_begin() to the last reading, and the nanoseconds
   in between. */
uint64_t pmu_steady_gained(const struct pmu_steady *s, int i);
uint64_t pmu_steady_passed(const struct pmu_steady *s);

/*
 * A reading, in three steps that are inline, since it is made at each boundary of a
 * region: pmu_steady_look() reads all registers; false when the kernel has touched an
 * event, or after 2^32 ticks of the clock: pmu_steady_begin() must come again, and
 * nothing was read. Then pmu_steady_take() reports for each event, once, what it has
 * gained since the last reading, and pmu_steady_time() the nanoseconds since.
 * clock is a recent value of pmu_register_clock().
 *
 * The locks are compared with those of the last reading twice: before the registers are
 * read, since reading the register of an event that has lost its counter may trap, and
 * after.
 */
static inline bool pmu_steady_look(struct pmu_steady *s, uint64_t clock)
{
	struct pmu_steady_event *const end = s->events + s->n;

	if (s->n == 0 || (clock - s->begun_clock) >> 32 != 0)
		return false;
	for (struct pmu_steady_event *e = s->events; e != end; e++) {
		if (e->page->lock != e->lock)
			return false;
		atomic_signal_fence(memory_order_seq_cst);
		e->fresh = e->read(e->index) << e->shift;
	}
	atomic_signal_fence(memory_order_seq_cst);
	for (const struct pmu_steady_event *e = s->events; e != end; e++)
		if (e->page->lock != e->lock)
			return false;
	return true;
}

static inline uint64_t pmu_steady_take(struct pmu_steady_event *e)
{
	const uint64_t more = (e->fresh - e->raw) >> e->shift;

	e->raw = e->fresh;
	return more;
}

static inline uint64_t pmu_steady_time(struct pmu_steady *s, uint64_t clock)
{
	const uint64_t ns = (clock - s->begun_clock) * s->time_mult >> s->time_shift;
	const uint64_t more = ns - s->passed_ns;

	s->passed_ns = ns;
	return more;
}

#endif

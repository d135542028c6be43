/* SPDX-License-Identifier: BSD-3-Clause */
/* steady.c - see steady.h, and fastread.c about the page's lock. */
#include "config.h"

#include "pmu/steady.h"

#include <errno.h>
#include <stdbool.h>

#include "pmu/counter.h"
#include "pmu/fastread.h"
#include "pmu/register.h"

enum { TRIES = 10 }; /* so many interrupts during a reading */

static inline bool is_steady(const struct pmu_steady *s)
{
	for (int i = 0; i < s->n; i++)
		if (s->events[i].page->lock != s->events[i].lock)
			return false;
	return s->n != 0;
}

static bool look_at(struct pmu_steady_event *e, const struct pmu_fastread *f, uint64_t clock,
		    struct pmu_value *v)
{
	struct pmu_fastlook look;

	if (!pmu_fastread_look(f, clock, &look))
		return false;
	*v = look.value;
	e->index = look.index;
	e->read = pmu_register_reader_of(look.index);
	e->shift = (uint8_t)(64 - look.width);
	e->raw = e->begun = look.raw << e->shift;
	return true;
}

/* Reads the clock after the locks: otherwise the time for which a thread was off its
   CPU in between would count. */
static bool look_at_all(struct pmu_steady *s, const struct pmu_fastread *const *events,
			struct pmu_value *values)
{
	uint64_t clock;
	bool found = true;

	for (int i = 0; i < s->n; i++)
		s->events[i].lock = s->events[i].page->lock;
	atomic_signal_fence(memory_order_seq_cst);
	clock = pmu_register_clock();
	for (int i = 0; i < s->n && found; i++)
		found = look_at(&s->events[i], events[i], clock, &values[i]);
	s->time_mult = s->events[0].page->time_mult;
	s->time_shift = s->events[0].page->time_shift;
	s->begun_clock = clock;
	s->passed_ns = 0;
	atomic_signal_fence(memory_order_seq_cst);
	return found;
}

int pmu_steady_begin(struct pmu_steady *s, const struct pmu_fastread *const *events, int n,
		     struct pmu_value *values)
{
	s->n = n > 0 && n <= PMU_STEADY_MAX ? n : 0;
	for (int i = 0; i < s->n; i++)
		s->events[i].page = events[i]->page;
	for (int i = 0; s->n && i < TRIES; i++) {
		const bool found = look_at_all(s, events, values);

		if (!is_steady(s))
			continue;
		if (found)
			return 0;
		break;
	}
	s->n = 0;
	return -EAGAIN;
}

uint64_t pmu_steady_gained(const struct pmu_steady *s, int i)
{
	return (s->events[i].raw - s->events[i].begun) >> s->events[i].shift;
}

uint64_t pmu_steady_passed(const struct pmu_steady *s)
{
	return s->passed_ns;
}

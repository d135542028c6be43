/*
 * steady.c - see steady.h, and fastread.c about the page's lock.
 *
 * The locks are compared with those of the last reading twice: before the registers
 * are read, since reading the register of an event that has lost its counter may
 * trap, and after.
 */
#include "config.h"

#include "pmu/steady.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "pmu/counter.h"
#include "pmu/fastread.h"
#include "pmu/register.h"

enum { TRIES = 10 }; /* so many interrupts during a reading */

static void keep_clock(struct pmu_steady *s, const volatile struct perf_event_mmap_page *p)
{
	s->time_mult = p->time_mult;
	s->time_shift = p->time_shift;
	s->time_mask = p->cap_user_time_short ? p->time_mask : UINT64_MAX;
	s->time_cycles = p->cap_user_time_short ? p->time_cycles : 0;
}

/* The clock in nanoseconds, up to a constant offset. */
static inline uint64_t clock_ns(const struct pmu_steady *s, uint64_t clock)
{
	const unsigned shift = s->time_shift;

	clock = s->time_cycles + ((clock - s->time_cycles) & s->time_mask);
	return (clock >> shift) * s->time_mult +
	       ((clock & ((UINT64_C(1) << shift) - 1)) * s->time_mult >> shift);
}

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
	keep_clock(s, s->events[0].page);
	s->clock_ns = s->begun_ns = clock_ns(s, clock);
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

/* The lock is checked before each register is read, and all locks once more behind the
   last one. */
int pmu_steady_read(struct pmu_steady *s, uint64_t clock, uint64_t *more, uint64_t *ns)
{
	struct pmu_steady_event *const end = s->events + s->n;
	struct pmu_steady_event *e = s->events;
	uint64_t *raw = more;

	if (e == end)
		return -EAGAIN;
	for (; e != end; e++) {
		if (e->page->lock != e->lock)
			return -EAGAIN;
		atomic_signal_fence(memory_order_seq_cst);
		*raw++ = pmu_register_read(e->index) << e->shift;
	}
	atomic_signal_fence(memory_order_seq_cst);
	for (e = s->events; e != end; e++)
		if (e->page->lock != e->lock)
			return -EAGAIN;
	for (e = s->events, raw = more; e != end; e++, raw++) {
		const uint64_t now = *raw;

		*raw = (now - e->raw) >> e->shift;
		e->raw = now;
	}
	const uint64_t now_ns = clock_ns(s, clock);

	*ns = now_ns - s->clock_ns;
	s->clock_ns = now_ns;
	return 0;
}

uint64_t pmu_steady_gained(const struct pmu_steady *s, int i)
{
	return (s->events[i].raw - s->events[i].begun) >> s->events[i].shift;
}

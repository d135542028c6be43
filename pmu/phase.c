/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * phase.c - see phase.h. Called by the handler: see rearm.c.
 */
#include "config.h"

#include "pmu/phase.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>

#include "pmu/rearm.h"

enum {
	NS_PER_S = 1000000000,
	RAN_LEAST_NS = 100000,	/* what is counted in less time gives no rate */
	CLOCK_LEAST_NS = 50000, /* a clock's shortest first period: see phase_choose() */
	FASTER_MOST = 8,	/* a burst of events is soon over */
	UNITS_LEAST = 8,	/* in a period */
};

/* Periods that give the frequency, by tag: of a process all counters of one tag are of one
   event. 0: not known. */
static _Atomic uint64_t paces[PMU_TAGS];

/* Steele, Lea and Flood's splitmix64. */
static uint64_t mixed(uint64_t x)
{
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

/* From 1 to period. Threads of one process have different numbers, and each process has
   random bytes from the kernel. */
static uint64_t part_of(uint64_t period, pid_t tid, uint32_t tag)
{
	const void *random = (const void *)getauxval(AT_RANDOM);
	uint64_t seed = 0;

	if (random)
		memcpy(&seed, random, sizeof(seed));
	seed = mixed(seed ^ mixed((uint64_t)tid << 8 | tag));
	return 1 + (uint64_t)((unsigned __int128)seed * period >> 64);
}

/* The period, as a multiple of the granule. */
static uint64_t whole(const struct pmu_counter *c, uint64_t period)
{
	const uint64_t granule = c->granule > 1 ? c->granule : 1;

	return period < granule ? granule : period - period % granule;
}

/* The longest period whose multiples are at all places where a sample is due: if some passed
   unseen, threads that are mostly in the kernel would have too few samples. */
static uint64_t longest_step(const struct pmu_counter *c)
{
	uint64_t a = c->apart, b = (c->apart + c->places - c->units % c->apart) % c->apart;

	/* Their greatest common divisor. */
	while (b) {
		const uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a * c->unit;
}

void phase_choose(struct pmu_counter *c, pid_t tid)
{
	c->first = c->stray = c->retime = 0;
	c->pace = c->period;
	if (c->freq_hz != 0)
		c->pace = atomic_load_explicit(&paces[c->tag], memory_order_relaxed);
	if (c->pace == 0)
		return;
	c->pace = whole(c, c->pace);
	c->first = c->granule > 1 ? c->granule * part_of(c->pace / c->granule, tid, c->tag) :
				    part_of(c->pace, tid, c->tag);
	c->step = c->first;
	c->since = c->units = 0;
	if (!c->is_clock)
		return;
	/* A clock goes on in the kernel, but its timer sends no signal there if only user code
	   is sampled (or the other way round): it expires again after the period that was set.
	   So until the first sample all periods are multiples of a unit. A sample is due after
	   `places' units, which are the first period, and then every `apart' units, which are
	   about a period.
	   An interrupt takes 2 us on a machine, and 40 us on some virtual ones. If the timer
	   expired faster than that, the thread would not get to the handler that sets the
	   period. So threads that live for less than CLOCK_LEAST_NS have no sample. */
	const uint64_t parts = 1 + (UNITS_LEAST * c->first - 1) / c->pace;

	c->unit = c->first / parts;
	c->places = parts;
	if (c->unit < CLOCK_LEAST_NS) {
		c->unit = CLOCK_LEAST_NS;
		c->places = 1 + (c->first - 1) / CLOCK_LEAST_NS;
	}
	c->apart = (c->pace + c->unit / 2) / c->unit;
	c->apart = c->apart ? c->apart : 1;
	c->places %= c->apart;
	c->step = longest_step(c);
}

/* Counts in the time between two samples, where so many are counted in ran_ns; at least 1. */
static uint64_t pace_of(const struct pmu_counter *c, uint64_t counted, uint64_t ran_ns)
{
	const double pace = (double)counted * NS_PER_S / ((double)ran_ns * c->freq_hz);

	return pace < 1 ? 1 : pace < 0x1p62 ? (uint64_t)pace : UINT64_C(1) << 62;
}

void phase_learn(const struct pmu_counter *c, uint64_t value, uint64_t ran_ns)
{
	if (c->freq_hz != 0 && ran_ns >= RAN_LEAST_NS && value != 0)
		atomic_store_explicit(&paces[c->tag], pace_of(c, value, ran_ns),
				      memory_order_relaxed);
}

/* Whether a signal of the first period is a sample. */
static bool is_due(struct pmu_counter *c)
{
	const uint64_t passed = c->ran_ns - c->since;
	const uint64_t period = c->step > c->unit ? c->step : c->unit;

	if (!c->is_clock)
		return true;
	c->units += (1 + (passed > c->step ? (passed - c->step) / period : 0)) * (period / c->unit);
	if (c->units % c->apart == c->places)
		return true;
	c->since = c->ran_ns;
	c->step = longest_step(c);
	c->retime = c->step;
	return false;
}

/* A first period that is shorter than the handler ends once more before the handler can change
   it. The signal comes after the handler has returned. */
static bool is_stray(struct pmu_counter *c)
{
	const bool stray = c->value < c->stray;

	c->stray = 0;
	return stray;
}

/* Samples of a frequency that come twice too fast or too slowly change the period. */
static void keep_pace(struct pmu_counter *c, uint64_t counted)
{
	const uint64_t ran_ns = c->ran_ns - c->ran_before_ns;

	c->ran_before_ns = c->ran_ns;
	if (ran_ns == 0 || (counted < c->pace && ran_ns < NS_PER_S / 4 / c->freq_hz))
		return;
	const uint64_t wanted = whole(c, pace_of(c, counted, ran_ns));

	if (wanted / 2 >= c->pace)
		c->pace = wanted / FASTER_MOST < c->pace ? wanted : c->pace * FASTER_MOST;
	else if (wanted < c->pace / 2)
		c->pace = wanted;
	else
		return;
	c->retime = c->pace;
	/* The next sample is a period of another length away. */
	c->stray = 0;
}

uint64_t phase_weight(struct pmu_counter *c, uint64_t counted)
{
	const uint64_t first = c->first;
	uint64_t weight = c->period != 0 ? c->period : counted;

	c->untimely = first != 0 ? !is_due(c) : is_stray(c);
	if (c->untimely)
		return 0;
	if (first != 0) {
		c->first = 0;
		c->stray = c->value != 0 && (c->ring || c->period == 0) ? c->value + c->pace / 2 :
									  0;
		c->retime = c->pace != c->step ? c->pace : 0;
		if (c->freq_hz != 0)
			weight += c->pace - first;
	}
	if (c->freq_hz == 0)
		return weight;
	phase_learn(c, c->value, c->ran_ns);
	if (c->pace != 0)
		keep_pace(c, counted);
	return weight;
}

/*
 * An event that has overflowed is stopped where it is re-armed by each signal, and begins a
 * period when it is. One that goes on counts the handler, too; and of one that the kernel counts
 * itself the next event would be a sample, if its period changed while it runs.
 */
void phase_set(struct pmu_counter *c)
{
	const bool runs = c->delivery == PMU_DELIVERY_SIGTRAP;
	uint64_t period = c->retime;

	if (period == 0 || c->fd <= 2)
		return;
	const int error = errno;

	c->retime = 0;
	if (runs)
		ioctl(c->fd, PERF_EVENT_IOC_DISABLE, 0);
	ioctl(c->fd, PERF_EVENT_IOC_PERIOD, &period);
	if (runs && __atomic_load_n(&c->running, __ATOMIC_SEQ_CST))
		ioctl(c->fd, PERF_EVENT_IOC_ENABLE, 0);
	/* Another thread may have stopped it meanwhile. */
	if (runs && !__atomic_load_n(&c->running, __ATOMIC_SEQ_CST))
		ioctl(c->fd, PERF_EVENT_IOC_DISABLE, 0);
	errno = error;
}

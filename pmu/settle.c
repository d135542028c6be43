/*
 * settle.c - whether this machine counts an event, and what stands in for it
 * where it does not.
 */
#include "config.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pmu/counter.h"
#include "pmu/event.h"

int pmu_event_probe(const struct pmu_event *ev, struct pmu_refusal *why)
{
	struct pmu_counter c;

	/* Never started, so the signal is never sent. */
	if (pmu_counter_open(&c, ev, gettid(), PMU_DELIVERY_SIGNAL, SIGRTMIN, 0, why))
		return -1;
	pmu_counter_close(&c);
	return 0;
}

/* A period in another event's counts says nothing about a clock's. */
static struct pmu_rate rate_for_clock(const struct pmu_event *ev,
				      const struct pmu_rate *rate)
{
	static const struct pmu_rate standard = { .freq_hz = PMU_DEFAULT_FREQ_HZ };

	return rate->period && !ev->unit_ns ? standard : *rate;
}

int pmu_event_substitute(struct pmu_event *ev, const struct pmu_rate *rate,
			 struct pmu_refusal *why)
{
	const struct perf_event_attr *a = &ev->attr;
	const char *candidates[3] = { "cpu-clock:u", "cpu-clock:u", "wall" };
	struct pmu_rate r = rate_for_clock(ev, rate);
	struct pmu_event stand_in;

	if (!a->exclude_kernel && ev->kind == PMU_PERF)
		candidates[0] = a->exclude_user ? "cpu-clock:k" : "cpu-clock:uk";
	for (size_t i = 0; i < 3; i++) {
		if (pmu_event_parse(candidates[i], &r, &stand_in, why) ||
		    pmu_event_probe(&stand_in, why))
			continue;
		memcpy(stand_in.requested, ev->requested, sizeof(stand_in.requested));
		stand_in.substituted = true;
		*ev = stand_in;
		return 0;
	}
	return -1;
}

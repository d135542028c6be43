/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plan.c - decides which events are counted together.
 *
 * Only the kernel knows whether a group fits, and it shows that in two ways: it refuses
 * more events than its counters hold; where another user has taken a counter (x86's
 * NMI watchdog), it opens the group and never runs it.
 */
#include "config.h"

#include "pmu/counts.h"

#include <string.h>

#include "pmu/topdown.h"

enum {
	TRIAL_NS = 50000,     /* the time for a group to get its counters */
	TRIAL_LOOPS = 100000, /* for a thread that hardly gets a CPU */
};

static bool is_software(const struct pmu_event *ev)
{
	return ev->attr.type == PERF_TYPE_SOFTWARE;
}

/* Whether the group runs now: its leader ran alone before the others were added. */
static bool gets_counters(const struct pmu_counts *c)
{
	struct pmu_value first[PMU_COUNTS_MAX], now[PMU_COUNTS_MAX];

	if (pmu_counts_read(c, 0, first))
		return false;
	for (int i = 0; i < TRIAL_LOOPS; i++) {
		if (pmu_counts_read(c, 0, now))
			return false;
		if (now[0].running_ns > first[0].running_ns)
			return true;
		if (now[0].enabled_ns >= first[0].enabled_ns + TRIAL_NS)
			break;
	}
	return false;
}

/* A thread may move to another kind of core between a look at an event's page and the read; and
   what the registers of topdown metrics hold is no count. */
static bool can_be_fast(const struct pmu_plan *plan)
{
	for (int i = 0; i < plan->n; i++)
		if (plan->events[i].event.core || pmu_topdown(&plan->events[i].event))
			return false;
	return true;
}

/* Opens the plan's last group alone. Returns whether it opened; *ran: it had its
   counters; *fast: user code may read them. */
static bool try_group(const struct pmu_plan *plan, bool *ran, bool *fast)
{
	struct pmu_plan trial = { .ngroups = 1 };
	struct pmu_counts c;
	struct pmu_refusal why;
	struct pmu_value v;
	bool opened;

	for (int i = 0; i < plan->n; i++)
		if (plan->events[i].group == plan->ngroups - 1) {
			trial.events[trial.n] = plan->events[i];
			trial.events[trial.n++].group = 0;
		}
	trial.fast[0] = can_be_fast(&trial);
	opened = !pmu_counts_open(&c, &trial, &why);
	*ran = opened && gets_counters(&c);
	/* The page of a group that does not run says little. */
	*fast = opened && c.fast[0] && *ran;
	for (int i = 0; *fast && i < trial.n; i++)
		*fast = !pmu_fastread(&c.counts[i].fast, &v);
	pmu_counts_close(&c);
	return opened;
}

/* Adds an event to the last group, or begins another. A group's events are adjacent, in
   the order of the request. */
static void plan_add(struct pmu_plan *plan, const struct pmu_event *ev, int number)
{
	struct pmu_plan_event *last = plan->n ? &plan->events[plan->n - 1] : NULL;
	struct pmu_plan_event *p = &plan->events[plan->n];
	bool ran, fast, together;

	if (plan->n == PMU_COUNTS_MAX)
		return;
	*p = (struct pmu_plan_event){ .event = *ev, .number = (uint8_t)number };
	plan->n++;
	together = last && is_software(&last->event) == is_software(ev) &&
		   last->event.core == ev->core && pmu_topdown(ev) != PMU_TOPDOWN_SLOTS;
	if (together) {
		p->group = last->group;
		if (try_group(plan, &ran, &fast) && (ran || ev->core || !plan->ran[p->group])) {
			plan->ran[p->group] = ran || ev->core;
			plan->fast[p->group] = fast;
			return;
		}
	}
	p->group = (uint8_t)plan->ngroups++;
	/* What can't be opened is refused in each thread, with the reason. */
	plan->ran[p->group] = !try_group(plan, &ran, &fast) || ran || ev->core;
	plan->fast[p->group] = fast;
}

/* Whether that kind of core can't count the event, and another kind can. */
static bool is_others(const struct pmu_event *kinds, int n, int kind)
{
	struct pmu_refusal why;

	if (n < 2 || !pmu_counts_probe(&kinds[kind], &why))
		return false;
	for (int i = 0; i < n; i++)
		if (i != kind && !pmu_counts_probe(&kinds[i], &why))
			return true;
	return false;
}

/* Plans the events of one kind of core, software events last: neighbours may share a
   group. Returns the number of kinds. */
static int plan_kind(struct pmu_plan *plan, const struct pmu_event *evs, int n, int kind,
		     bool software)
{
	struct pmu_event spread[PMU_COUNTS_MAX];
	int most = 0;

	for (int i = 0; i < n; i++) {
		int kinds;

		if (evs[i].kind != PMU_PERF || is_software(&evs[i]) != software)
			continue;
		kinds = pmu_event_spread(&evs[i], spread, PMU_COUNTS_MAX);
		if (kind < kinds && !is_others(spread, kinds, kind))
			plan_add(plan, &spread[kind], i);
		most = kinds > most ? kinds : most;
	}
	return most;
}

int pmu_plan_make(struct pmu_plan *plan, const struct pmu_event *evs, int n)
{
	int kinds = 1;

	memset(plan, 0, sizeof(*plan));
	for (int kind = 0; kind < kinds; kind++)
		kinds = plan_kind(plan, evs, n, kind, false);
	plan_kind(plan, evs, n, 0, true);
	return plan->ngroups;
}

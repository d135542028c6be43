/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/count/counting.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "ompt_tool/count/meter.h"
#include "ompt_tool/machine/ticks.h"
#include "ompt_tool/omp/omp_thread.h"
#include "ompt_tool/omp/places.h"
#include "ompt_tool/omp/region.h"
#include "pmu/access.h"
#include "pmu/counts.h"
#include "src/profile/clock.h"

enum {
	COST_READS = 32,  /* readings of a group to measure its cost */
	COST_SHARE = 100, /* reading may take 1/COST_SHARE of the time */
};

struct counting {
	struct meters meters;
	struct places places;
	volatile bool busy; /* a callback of the thread's is reading */
};

/* Owned by this file; set in counting_prepare(). */
static struct pmu_plan plan;
static uint64_t min_ticks;
static _Atomic bool waits_unreported;
static void (*note)(const char *line);

/* ---- the process ----------------------------------------------------- */

static bool is_slow(const struct pmu_plan_event *e)
{
	return !plan.fast[e->group];
}

/* Measures the cost of reading all groups that take a system call, and the length of a tick. */
static double slow_cost_ns(double *ticks_a_ns)
{
	struct pmu_value values[PMU_COUNTS_MAX];
	struct pmu_counts c;
	struct pmu_refusal why;
	uint64_t least = UINT64_MAX, ns = clock_ns(CLOCK_MONOTONIC), ticks = ticks_now();

	pmu_counts_open(&c, &plan, &why);
	for (int i = 0; i < COST_READS; i++) {
		const uint64_t begin = ticks_now();

		for (int g = 0; g < plan.ngroups; g++)
			if (!plan.fast[g])
				pmu_counts_read(&c, g, values);
		if (ticks_now() - begin < least)
			least = ticks_now() - begin;
	}
	pmu_counts_close(&c);
	ns = clock_ns(CLOCK_MONOTONIC) - ns;
	*ticks_a_ns = ns != 0 ? (double)(ticks_now() - ticks) / (double)ns : 1;
	return (double)least / (*ticks_a_ns > 0 ? *ticks_a_ns : 1);
}

/* Lists the labels of the plan's events for which is_so() holds: "cycles:u,
   instructions:u"; cut where there is no room. */
static void list_events(char *text, size_t bytes, bool (*is_so)(const struct pmu_plan_event *))
{
	size_t used = 0;

	*text = '\0';
	for (int i = 0; i < plan.n && used < bytes; i++) {
		const struct pmu_plan_event *e = &plan.events[i];

		/* An event is listed once for all kinds of cores. */
		if (is_so(e) && !strstr(text, e->event.label))
			used += (size_t)snprintf(text + used, bytes - used, "%s%s",
						 used != 0 ? ", " : "", e->event.label);
	}
}

static bool is_hardware(const struct pmu_plan_event *e)
{
	return is_slow(e) && e->event.attr.type != PERF_TYPE_SOFTWARE;
}

static bool never_ran(const struct pmu_plan_event *e)
{
	return !plan.ran[e->group];
}

static void note_cost(double cost_ns, double min_us)
{
	char line[256], names[128];
	const char *why;

	list_events(names, sizeof(names), never_ran);
	if (*names != '\0') {
		snprintf(line, sizeof(line),
			 "%s found no free counter when tried: end other "
			 "profilers; as root: sysctl kernel.nmi_watchdog=0",
			 names);
		note(line);
	}
	list_events(names, sizeof(names), is_slow);
	if (*names == '\0')
		return;
	snprintf(line, sizeof(line),
		 "%s: each reading is a system call, %.1f us: what lasts "
		 "less than %.0f us is not counted apart",
		 names, cost_ns / 1000, min_us);
	note(line);
	list_events(names, sizeof(names), is_hardware);
	if (*names == '\0')
		return;
	why = pmu_user_read_refusal();
	snprintf(line, sizeof(line), "user code may not read %s here%s%s%s", names, why ? " (" : "",
		 why ? why : "", why ? ")" : "");
	note(line);
}

void counting_prepare(const struct pmu_event *events, int n, int first, uint32_t min_us,
		      void (*take_note)(const char *line))
{
	double cost, ticks_a_ns;

	note = take_note;
	if (n <= 0 || pmu_plan_make(&plan, events, n) == 0)
		return;
	cost = slow_cost_ns(&ticks_a_ns);
	if (min_us == 0)
		min_us = (uint32_t)(cost * COST_SHARE / 1000) + 1;
	min_ticks = (uint64_t)(min_us * 1000.0 * ticks_a_ns);
	for (int i = 0; i < plan.n; i++)
		plan.events[i].number = (uint8_t)(plan.events[i].number + first);
	note_cost(cost, min_us);
}

bool counting_on(void)
{
	return plan.n != 0;
}

/* ---- threads --------------------------------------------------------- */

static void note_refused(const struct omp_thread *t, const struct pmu_refusal *why)
{
	static atomic_flag noted = ATOMIC_FLAG_INIT;
	char line[sizeof(why->what) + sizeof(why->why) + sizeof(why->todo) + 64];

	if (atomic_flag_test_and_set(&noted))
		return;
	snprintf(line, sizeof(line), "thread %u is not counted in full: %s: %s%s%s", t->index,
		 why->what, why->why, why->todo[0] != '\0' ? ": " : "", why->todo);
	note(line);
}

void counting_begin(struct omp_thread *t, bool paused)
{
	struct pmu_refusal why;

	if (!counting_on())
		return;
	if (!t->counting) {
		void *room = mmap(NULL, sizeof(struct counting), PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		t->counting = room == MAP_FAILED ? NULL : room;
	}
	if (!t->counting)
		return;
	struct counting *c = t->counting;

	places_begin(&c->places);
	if (pmu_counts_open(&c->meters.counts, &plan, &why) != 0)
		note_refused(t, &why);
	if (paused)
		pmu_counts_stop(&c->meters.counts);
	meters_begin(&c->meters, places_now(&c->places), min_ticks);
	c->busy = false;
}

void counting_flush(struct omp_thread *t)
{
	struct counting *c = t->counting;

	/* The process may end in a signal handler that interrupted a callback. */
	if (!c || c->busy)
		return;
	c->busy = true;
	meters_flush(t, &c->meters);
	c->busy = false;
}

void counting_stop(struct omp_thread *t)
{
	if (t->counting)
		pmu_counts_stop(&t->counting->meters.counts);
}

void counting_start(struct omp_thread *t)
{
	if (t->counting)
		pmu_counts_start(&t->counting->meters.counts);
}

void counting_total(struct omp_thread *t)
{
	struct pmu_value total[PROF_EVENTS_MAX];

	if (!t->counting || !t->record)
		return;
	for (uint32_t seen = meters_total(&t->counting->meters, total); seen != 0;
	     seen &= seen - 1) {
		const int i = __builtin_ctz(seen);

		t->record->values[i] = (struct prof_value){
			t->base[i].value + total[i].value,
			t->base[i].enabled_ns + total[i].enabled_ns,
			t->base[i].running_ns + total[i].running_ns,
		};
		t->record->values_known |= 1u << i;
	}
}

void counting_end(struct omp_thread *t)
{
	if (!t->counting)
		return;
	meters_end(&t->counting->meters);
	pmu_counts_close(&t->counting->meters.counts);
}

void counting_abandon(struct omp_thread *t)
{
	if (!t->counting)
		return;
	meters_end(&t->counting->meters);
	pmu_counts_abandon(&t->counting->meters.counts);
	meters_forget(&t->counting->meters);
}

void counting_waits(bool reported)
{
	atomic_store(&waits_unreported, !reported);
}

/* ---- callbacks ------------------------------------------------------- */

/* The thread's place. Where waits are not reported, work in a region may be waiting: it is
   PROF_PART_MIXED. */
static struct place place_of(const struct counting *c)
{
	struct place p = places_now(&c->places);

	if (p.context != 0 && atomic_load_explicit(&waits_unreported, memory_order_relaxed))
		p.part = PROF_PART_MIXED;
	return p;
}

static void moved(struct omp_thread *t, struct counting *c)
{
	c->busy = true;
	meters_move(t, &c->meters, place_of(c));
	c->busy = false;
}

void counting_enter(struct omp_thread *t, uint64_t token)
{
	struct counting *c = t->counting;

	if (!c)
		return;
	if (!places_enter(&c->places, token, token_live_context(token)))
		omp_thread_lose(t, PROF_LOST_PLACES);
	moved(t, c);
}

void counting_leave(struct omp_thread *t, uint64_t token)
{
	struct counting *c = t->counting;

	if (!c)
		return;
	places_leave(&c->places, token);
	moved(t, c);
}

void counting_wait(struct omp_thread *t, bool begins, bool last)
{
	struct counting *c = t->counting;

	if (!c)
		return;
	struct place was = places_now(&c->places);

	/* A worker's last wait in a region ends only when the worker is needed again:
	   it was idle since the region's end. */
	if (!begins && was.part == PROF_PART_WAIT && places_over(&c->places))
		meters_rename(&c->meters, was, (struct place){ was.context, PROF_PART_IDLE });
	/* The end of the implicit task follows: one reading serves both. */
	if (last && !begins)
		return;
	places_wait(&c->places, begins);
	moved(t, c);
}

void counting_switch(struct omp_thread *t, uint64_t token, bool begins)
{
	struct counting *c = t->counting;

	if (!c)
		return;
	if (!places_switch(&c->places, token, begins))
		omp_thread_lose(t, PROF_LOST_PLACES);
	moved(t, c);
}

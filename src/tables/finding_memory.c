/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * finding_memory.c - the rule about regions that wait for memory, where counters show it.
 *
 * The events may have been counted or sampled. What faster memory accesses would gain, no
 * counter shows.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "src/model/model.h"
#include "src/tables/counted.h"
#include "src/tables/finding_rules.h"
#include "src/view/view.h"

#define STALLED 50    /* percent of cycles, at the CPU's back end */
#define SLOW_IPC 0.7  /* instructions a cycle, and */
#define MANY_MISSES 5 /* in 1,000 instructions */
#define WORTH 0.1     /* of the run's time: work in the region */
enum { EVENT_SAMPLES = 100 };

/* What counters say of a region; 0: nothing. */
struct memory {
	double ipc, stalled, misses;
	const char *missed;
};

static bool is_last_level(const char *label)
{
	return !strncmp(label, "cache-misses", 12) || !strncmp(label, "LLC-", 4) ||
	       !strncmp(label, "LLC_MISSES", 10);
}

static void memory_add(struct memory *to, const char *ratio, const char *event, double value)
{
	if (!strcmp(ratio, "instructions a cycle")) {
		to->ipc = value;
	} else if (!strcmp(ratio, "% of cycles stalled at the back")) {
		to->stalled = value;
	} else if (strstr(ratio, " a 1,000 instructions") && is_last_level(event) &&
		   value > to->misses) {
		to->misses = value;
		to->missed = event;
	}
}

static void memory_counted(const struct model *m, const struct counts *c, const struct region *r,
			   struct memory *to)
{
	struct counts_ratio ratios[COUNTS_RATIOS_MAX];
	const size_t n = counts_ratios(m, c->events, c->nevents, ratios);

	for (size_t i = 0; i < c->n; i++) {
		const struct counts_region *of = &c->regions[i];

		if (of->special != COUNTS_SPECIALS || of->line != r->line)
			continue;
		for (size_t k = 0; k < n; k++) {
			const struct count over = counts_all(of->cells, ratios[k].over);
			const struct count under = counts_all(of->cells, ratios[k].under);
			double value;

			if (counts_ratio_of(&ratios[k], &over, &under, &value))
				memory_add(to, ratios[k].name,
					   m->events[c->events[ratios[k].over]].label, value);
		}
	}
}

/* What the samples stand for, extrapolated to all of the time that the event was enabled. */
static double sampled_scaled(const struct model *m, size_t event, const struct cost *cost)
{
	struct prof_value all;

	model_counted(m, event, &all);
	return count_scaled(&(struct count){ .value = cost->weight,
					     .enabled_ns = all.enabled_ns,
					     .running_ns = all.running_ns });
}

static void memory_sampled(const struct model *m, const size_t *events, size_t nevents,
			   const struct region *r, struct memory *to)
{
	struct counts_ratio ratios[COUNTS_RATIOS_MAX];
	const size_t n = counts_ratios(m, events, nevents, ratios);

	for (size_t k = 0; k < n; k++) {
		const size_t o = events[ratios[k].over], u = events[ratios[k].under];
		const struct cost over = cost_sum(r->self, o), under = cost_sum(r->self, u);

		if (over.samples >= EVENT_SAMPLES && under.samples >= EVENT_SAMPLES)
			memory_add(to, ratios[k].name, m->events[o].label,
				   ratios[k].factor * sampled_scaled(m, o, &over) /
					   sampled_scaled(m, u, &under));
	}
}

static void rule_memory(struct finding_evidence *e, struct finding_list *list, uint32_t row,
			const struct memory *of)
{
	const bool misses = of->ipc > 0 && of->ipc < SLOW_IPC && of->misses >= MANY_MISSES;
	struct finding *f;
	double work = 0;

	for (size_t i = 0; i < e->rows[row].n; i++)
		work += e->units[e->rows[row].first + i].work;
	if ((of->stalled < STALLED && !misses) || work < WORTH * e->losses->run.all ||
	    finding_worth(e, work) < FINDING_SAMPLES)
		return;
	f = finding_add(list, FINDING_MEMORY, &e->regions.all[row], 0);
	f->part = work / e->losses->run.all;
	f->ipc = of->ipc;
	f->stalled = of->stalled;
	f->misses = of->misses;
	f->missed = of->missed;
}

void finding_rules_memory(struct finding_evidence *e, struct finding_list *list)
{
	const struct model *m = e->view->model;
	size_t events[MODEL_EVENTS_MAX], nevents = 0;
	struct counts counts;

	for (size_t i = 0; i < m->nevents; i++)
		if (model_is_sampled(m, i))
			events[nevents++] = i;
	counts_build(e->view, &counts);
	for (uint32_t row = 0; row < e->regions.n && (nevents > 1 || counts.nevents > 1); row++) {
		struct memory of = { 0 };

		if (e->regions.all[row].special != REGION_SPECIALS)
			continue;
		memory_sampled(m, events, nevents, &e->regions.all[row], &of);
		memory_counted(m, &counts, &e->regions.all[row], &of);
		rule_memory(e, list, row, &of);
	}
	counts_fini(&counts);
}

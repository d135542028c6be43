/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * finding_memory.c - what counters show: that a region waits for memory, and whether a late thread
 * also executes more instructions.
 *
 * The events may have been counted or sampled. What faster memory accesses would gain, no counter
 * shows. Where a late thread executes more instructions, the work is divided unevenly. Where it
 * does not, the machine is slower for it: memory, the CPU's clock, a neighbour on the same core.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "src/model/model.h"
#include "src/tables/counted.h"
#include "src/tables/finding_rules.h"
#include "src/view/view.h"

#define STALLED 50	      /* percent of cycles, at the CPU's back end */
#define SLOW_IPC 0.7	      /* instructions a cycle, and */
#define MANY_MISSES 5	      /* in 1,000 instructions */
#define WORTH 0.1	      /* of the run's time: work in the region */
enum { EVENT_SAMPLES = 100 }; /* of the region, of a thread: 10 % by chance */

/* What counters say of a region; 0: nothing. */
struct memory {
	double ipc, stalled, misses;
	const char *missed;
};

static void memory_add(struct memory *to, const char *ratio, const char *event, double value)
{
	if (!strcmp(ratio, "instructions a cycle")) {
		to->ipc = value;
	} else if (!strcmp(ratio, "% of cycles stalled at the back")) {
		to->stalled = value;
	} else if (strstr(ratio, " a 1,000 instructions") &&
		   (!strncmp(event, "cache-misses", 12) || !strncmp(event, "LLC-", 4) ||
		    !strncmp(event, "LLC_MISSES", 10)) &&
		   value > to->misses) {
		to->misses = value;
		to->missed = event;
	}
}

static void memory_counted(const struct model *m, const struct counts *c,
			   const struct region_row *r, struct memory *to)
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

static void rule_memory(struct finding_evidence *e, struct finding_list *list, uint32_t row,
			const struct memory *of)
{
	const bool misses = of->ipc > 0 && of->ipc < SLOW_IPC && of->misses >= MANY_MISSES;
	const double work = finding_row_work(e, row);
	struct finding *f;

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
		struct counts_ratio ratios[COUNTS_RATIOS_MAX];
		const size_t n = counts_ratios(m, events, nevents, ratios);

		for (size_t k = 0; k < n; k++) {
			const size_t o = events[ratios[k].over], u = events[ratios[k].under];
			const struct cost over = cost_sum(e->regions.all[row].self, o),
					  under = cost_sum(e->regions.all[row].self, u);

			if (over.samples >= EVENT_SAMPLES && under.samples >= EVENT_SAMPLES)
				memory_add(&of, ratios[k].name, m->events[o].label,
					   ratios[k].factor * sampled_scaled(m, o, &over) /
						   sampled_scaled(m, u, &under));
		}
		memory_counted(m, &counts, &e->regions.all[row], &of);
		rule_memory(e, list, row, &of);
	}
	counts_fini(&counts);
}

/* ---- why a thread is late --------------------------------------------- */

/* One thread's, and all threads'. */
struct executed {
	double late, all;
	uint64_t samples; /* the thread's; UINT64_MAX: counted exactly */
};

static bool is_instructions(const struct model_event *e)
{
	static const char name[] = "instructions";

	return !strncmp(e->label, name, sizeof(name) - 1) &&
	       (e->label[sizeof(name) - 1] == '\0' || e->label[sizeof(name) - 1] == ':');
}

static struct executed sampled(const struct finding_evidence *e, size_t event, uint32_t row,
			       uint32_t construct, uint32_t thread)
{
	const struct table_records *of = &e->regions.all[row].parts;
	struct executed x = { 0 };

	for (size_t i = 0; i < of->n; i++) {
		const struct view_record *r = &of->all[of->number[i]];

		if (r->event != event || r->class != OMP_WORK ||
		    (construct && r->construct != construct))
			continue;
		x.all += (double)r->weight;
		if (r->thread != thread)
			continue;
		x.late += (double)r->weight;
		x.samples += r->samples;
	}
	return x;
}

/* Counts are of regions, not of their constructs. */
static struct executed counted(const struct finding_evidence *e, const struct counts *c,
			       size_t event, uint32_t row, uint32_t thread)
{
	struct executed x = { .samples = UINT64_MAX };

	for (size_t i = 0; i < c->n; i++) {
		const struct counts_region *g = &c->regions[i];

		if (g->special != COUNTS_SPECIALS || g->line != e->regions.all[row].line)
			continue;
		for (size_t t = 0; t < g->nthreads; t++) {
			const struct count n = counts_work(g->threads[t].cells, event);

			x.all += count_scaled(&n);
			if (g->threads[t].thread == thread)
				x.late += count_scaled(&n);
		}
	}
	return x;
}

static struct executed of_thread(const struct finding_evidence *e, uint32_t row, uint32_t construct,
				 uint32_t thread)
{
	const struct model *m = e->view->model;
	struct executed x = { 0 };
	struct counts c;

	for (size_t i = 0; i < m->nevents && x.all <= 0; i++)
		if (is_instructions(&m->events[i]) && model_is_sampled(m, i))
			x = sampled(e, i, row, construct, thread);
	if (x.all > 0 || construct)
		return x;
	counts_build(e->view, &c);
	for (size_t i = 0; i < c.nevents && x.all <= 0; i++)
		if (is_instructions(&m->events[c.events[i]]))
			x = counted(e, &c, i, row, thread);
	counts_fini(&c);
	return x;
}

void finding_instructions(const struct finding_evidence *e, uint32_t row, uint32_t construct,
			  struct finding *f)
{
	const struct executed x = of_thread(e, row, construct, f->thread);

	if (x.all > 0 && f->nthreads && x.samples >= EVENT_SAMPLES)
		f->instructions = x.late * f->nthreads / x.all;
}

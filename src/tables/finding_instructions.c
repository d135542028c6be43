/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * finding_instructions.c - whether a late thread also executes more instructions.
 *
 * Where it does, the work is divided unevenly. Where it does not, the machine is slower for it:
 * memory, the CPU's clock, a neighbour on the same core. Instructions may have been sampled beside
 * the time, or counted.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "src/model/model.h"
#include "src/tables/counted.h"
#include "src/tables/finding_rules.h"
#include "src/view/view.h"

enum { EVENT_SAMPLES = 100 }; /* of the thread: 10 % by chance */

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

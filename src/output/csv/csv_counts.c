/* SPDX-License-Identifier: BSD-3-Clause */
/* csv_counts.c - exact counts, by region, thread, event and part. */
#include "config.h"

#include "src/model/model.h"
#include "src/output/csv/csv_parts.h"
#include "src/output/csv/csv_table.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/tables/counted.h"
#include "src/tables/region_label.h"
#include "src/tables/regions.h"
#include "src/view/view.h"

enum {
	COUNT_REGION,
	COUNT_PLACE,
	COUNT_PROCESS = COUNT_PLACE + CSV_PLACES,
	COUNT_THREAD,
	COUNT_EVENT,
	COUNT_UNIT,
	COUNT_PART,
	COUNT_VALUE,
	COUNT_ESTIMATE,
	COUNT_ENABLED,
	COUNT_RUNNING,
	COUNT_ELAPSED,
	COUNT_COLUMNS
};

static const struct csv_column count_columns[COUNT_COLUMNS] = {
	[COUNT_REGION] = { "region", "the parallel region, as text has it" },
	[COUNT_PROCESS] = { "process", "number of the profile, from 0" },
	[COUNT_THREAD] = { "thread", "number of the thread in its process" },
	[COUNT_EVENT] = { "event", "the event" },
	[COUNT_UNIT] = { "unit", "ns or events" },
	[COUNT_PART] = { "part", "what the thread did meanwhile" },
	[COUNT_VALUE] = { "value", "what the counter counted" },
	[COUNT_ESTIMATE] = { "scaled", "the same for all of enabled_ns" },
	[COUNT_ENABLED] = { "enabled_ns", "time in which the event was to be counted" },
	[COUNT_RUNNING] = { "running_ns", "time of that in which it had a counter" },
	[COUNT_ELAPSED] = { "elapsed_ns", "elapsed time" },
};

static void count_region(struct csv *c, const struct counts_region *g)
{
	const struct view *v = c->report->view;

	if (g->special == COUNTS_SPECIALS) {
		csv_take(c, COUNT_REGION, region_label(v, REGION_SPECIALS, g->line));
		csv_place(c, COUNT_PLACE, v, g->line);
	} else {
		csv_text(c, COUNT_REGION, counts_special_name(g->special));
	}
}

static void count_cell(struct csv *c, const struct count *n)
{
	const enum counts_state state = count_state(n);
	const bool counted = state == COUNT_SCALED || state == COUNT_EXACT;

	csv_number_if(c, COUNT_VALUE, counted, n->value);
	csv_number_if(c, COUNT_ESTIMATE, counted, format_whole(count_scaled(n)));
	csv_number(c, COUNT_ENABLED, n->enabled_ns);
	csv_number(c, COUNT_RUNNING, n->running_ns);
	csv_number_if(c, COUNT_ELAPSED, n->ticks_ns != 0, n->ticks_ns);
}

static void count_thread(struct csv *c, const struct counts *counts, const struct counts_region *g,
			 const struct counts_thread *t)
{
	const struct model *m = c->report->model;
	const struct model_thread *thread = &m->threads[t->thread];

	for (size_t i = 0; i < counts->nevents * PROF_PARTS; i++) {
		const struct model_event *e = &m->events[counts->events[i / PROF_PARTS]];

		if (count_state(&t->cells[i]) == COUNT_NONE)
			continue;
		count_region(c, g);
		csv_number(c, COUNT_PROCESS, thread->process);
		csv_number(c, COUNT_THREAD, thread->t->index);
		csv_text(c, COUNT_EVENT, e->label);
		csv_text(c, COUNT_UNIT, csv_unit(e->unit));
		csv_text(c, COUNT_PART, counts_part_name((enum prof_part)(i % PROF_PARTS)));
		count_cell(c, &t->cells[i]);
		csv_row(c);
	}
}

int csv_counts(FILE *out, const struct report *r)
{
	struct counts counts;
	struct csv c;
	int err = 0;

	counts_build(r->view, &counts);
	err = csv_begin(&c, out, r, count_columns, COUNT_COLUMNS, 0);
	for (size_t i = 0; i < counts.n && !err; i++)
		for (size_t t = 0; t < counts.regions[i].nthreads; t++)
			count_thread(&c, &counts, &counts.regions[i],
				     &counts.regions[i].threads[t]);
	counts_fini(&counts);
	return csv_end(&c, err);
}

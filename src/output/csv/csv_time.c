/* SPDX-License-Identifier: BSD-3-Clause */
/* csv_time.c - what each thread did when. */
#include "config.h"

#include "src/model/model.h"
#include "src/output/csv/csv_parts.h"
#include "src/output/csv/csv_table.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/tables/lanes.h"
#include "src/tables/region_label.h"
#include "src/tables/regions.h"
#include "src/view/view.h"

enum {
	TIME_BEGIN,
	TIME_END,
	TIME_PROCESS,
	TIME_THREAD,
	TIME_REGION,
	TIME_PLACE,
	TIME_CLASS = TIME_PLACE + CSV_PLACES,
	TIME_EVENT,
	TIME_UNIT,
	TIME_SAMPLES,
	TIME_WEIGHT,
	TIME_COLUMNS
};

static const struct csv_column time_columns[TIME_COLUMNS] = {
	[TIME_BEGIN] = { "begin_ns", "from the first process's start; empty: not known" },
	[TIME_END] = { "end_ns", "likewise" },
	[TIME_PROCESS] = { "process", "number of the profile, from 0" },
	[TIME_THREAD] = { "thread", "number of the thread in its process" },
	[TIME_REGION] = { "region", "the parallel region, as text has it" },
	[TIME_CLASS] = { "class", "work, wait or overhead" },
	[TIME_EVENT] = { "event", "the event" },
	[TIME_UNIT] = { "unit", "ns or events" },
	[TIME_SAMPLES] = { "samples", "samples of the event" },
	[TIME_WEIGHT] = { "weight", "what they stand for, in that unit" },
};

static void time_row(struct csv *c, const struct lanes *l, unsigned class, const struct cost *cost)
{
	const struct model_event *e = &c->report->model->events[l->event];

	csv_text(c, TIME_CLASS, omp_class_name((enum omp_class) class));
	csv_text(c, TIME_EVENT, e->label);
	csv_text(c, TIME_UNIT, csv_unit(e->unit));
	csv_number(c, TIME_SAMPLES, cost->samples);
	csv_number(c, TIME_WEIGHT, cost->weight);
	csv_row(c);
}

static void time_cell(struct csv *c, const struct lanes *l, const struct lane_cell *cell)
{
	const struct view *v = c->report->view;
	const struct model_thread *t = &c->report->model->threads[cell->thread];
	const uint32_t special = cell->region < REGION_SPECIALS ? cell->region : REGION_SPECIALS;
	const uint32_t line = v->regions[cell->region].line;
	const struct cost cost = { .samples = cell->samples, .weight = cell->weight };

	csv_number(c, TIME_BEGIN, format_whole(cell->bucket * l->bucket_ns));
	csv_number(c, TIME_END, format_whole((cell->bucket + 1) * l->bucket_ns));
	csv_number(c, TIME_PROCESS, t->process);
	csv_number(c, TIME_THREAD, t->t->index);
	csv_take(c, TIME_REGION, region_label(v, special, line));
	if (special == REGION_SPECIALS)
		csv_place(c, TIME_PLACE, v, line);
	time_row(c, l, cell->class, &cost);
}

/* Samples whose time was not kept. */
static void time_rest(struct csv *c, const struct lanes *l)
{
	for (unsigned class = 0; class < OMP_CLASSES; class ++) {
		const struct cost *all = &l->all[class], *placed = &l->placed[class];
		const struct cost rest = {
			.samples = all->samples > placed->samples ? all->samples - placed->samples :
								    0,
			.weight = all->weight > placed->weight ? all->weight - placed->weight : 0,
		};

		if (rest.samples || rest.weight)
			time_row(c, l, class, &rest);
	}
}

/* A row for each thread, bucket, region, class and event. */
int csv_times(FILE *out, const struct report *r)
{
	struct lanes l;
	struct csv c;
	int err = csv_begin(&c, out, r, time_columns, TIME_COLUMNS, 0);

	for (size_t e = 0; e < r->model->nevents && !err; e++) {
		err = lanes_build(r->view, e, &l);
		if (err)
			break;
		for (size_t i = 0; i < l.ncells && !l.unknown; i++)
			time_cell(&c, &l, &l.cells[i]);
		if (!l.unknown)
			time_rest(&c, &l);
		lanes_fini(&l);
	}
	return csv_end(&c, err);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* columns_time.c - what each thread did when. */
#include "config.h"

#include "src/model/model.h"
#include "src/output/columns/flat_tables.h"
#include "src/output/printable.h"
#include "src/tables/lanes.h"
#include "src/view/view.h"

static const struct column time_columns[] = {
	{ "begin_ns", "from the first process's start; empty: not known" },
	{ "end_ns", "likewise" },
	{ "process", "number of the profile, from 0" },
	{ "thread", "number of the thread in its process" },
	{ "region", "the parallel region, as text has it" },
	{ "place", NULL },
	{ "class", "work, wait or overhead" },
	{ "event", "the event" },
	{ "unit", "ns or events" },
	{ "samples", "samples of the event" },
	{ "weight", "what they stand for, in that unit" },
	{ NULL, NULL },
};

static void time_end(const struct cells *c, const struct lanes *l, unsigned class, uint64_t samples,
		     uint64_t weight)
{
	cells_text(c, "class", omp_class_name((enum omp_class) class));
	cells_event(c, l->event);
	cells_number(c, "samples", samples);
	cells_number(c, "weight", weight);
	cells_end(c, COSTS_NONE, NULL);
}

static void time_cell(const struct cells *c, const struct lanes *l, const struct lane_cell *cell)
{
	const struct model_thread *t = &c->report->model->threads[cell->thread];

	cells_number(c, "begin_ns", format_whole(cell->bucket * l->bucket_ns));
	cells_number(c, "end_ns", format_whole((cell->bucket + 1) * l->bucket_ns));
	cells_number(c, "process", t->process);
	cells_number(c, "thread", t->number);
	cells_region(c, cell->region);
	if (cell->region >= REGION_SPECIALS)
		cells_place(c, c->report->view->regions[cell->region].line);
	time_end(c, l, cell->class, cell->samples, cell->weight);
}

static uint64_t time_less(uint64_t all, uint64_t part)
{
	return all > part ? all - part : 0;
}

/* Samples whose time was not kept. */
static void time_rest(const struct cells *c, const struct lanes *l)
{
	for (unsigned class = 0; class < OMP_CLASSES; class ++) {
		const struct cost *all = &l->all[class], *placed = &l->placed[class];
		const uint64_t samples = time_less(all->samples, placed->samples);
		const uint64_t weight = time_less(all->weight, placed->weight);

		if (samples || weight)
			time_end(c, l, class, samples, weight);
	}
}

/* A row for each thread, bucket, region, class and event. */
static void time_rows(const struct cells *c)
{
	struct lanes l;

	for (size_t e = 0; e < c->report->model->nevents; e++) {
		lanes_build(c->report->view, e, &l);
		for (size_t i = 0; i < l.ncells && !l.unknown; i++)
			time_cell(c, &l, &l.cells[i]);
		if (!l.unknown)
			time_rest(c, &l);
		lanes_fini(&l);
	}
}

const struct flat_table columns_time = { time_columns, COSTS_NONE, time_rows };

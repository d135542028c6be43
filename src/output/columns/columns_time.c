/* SPDX-License-Identifier: BSD-3-Clause */
/* columns_time.c - what threads did when, how many worked, and what made others wait. */
#include "config.h"

#include "src/model/model.h"
#include "src/output/columns/flat_tables.h"
#include "src/output/printable.h"
#include "src/tables/blamed.h"
#include "src/tables/lanes.h"
#include "src/tables/parallelism.h"
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

static uint64_t time_less(uint64_t all, uint64_t part)
{
	return all > part ? all - part : 0;
}

/* A row for each thread, bucket, region, class and event. */
static void time_rows(const struct cells *c)
{
	struct lanes l;

	for (size_t e = 0; e < c->report->model->nevents; e++) {
		lanes_build(c->report->view, e, &l);
		for (size_t i = 0; i < l.ncells && !l.unknown; i++) {
			const struct lane_cell *cell = &l.cells[i];
			const struct model_thread *t = &c->report->model->threads[cell->thread];

			cells_number(c, "begin_ns", format_whole(cell->bucket * l.bucket_ns));
			cells_number(c, "end_ns", format_whole((cell->bucket + 1) * l.bucket_ns));
			cells_number(c, "process", t->process);
			cells_number(c, "thread", t->number);
			cells_region(c, cell->region);
			if (cell->region >= REGION_SPECIALS)
				cells_place(c, c->report->view->regions[cell->region].line);
			time_end(c, &l, cell->class, cell->samples, cell->weight);
		}
		if (!l.unknown) {
			/* Samples whose time was not kept. */
			for (unsigned class = 0; class < OMP_CLASSES; class ++) {
				const struct cost *all = &l.all[class], *placed = &l.placed[class];
				const uint64_t samples = time_less(all->samples, placed->samples);
				const uint64_t weight = time_less(all->weight, placed->weight);

				if (samples || weight)
					time_end(c, &l, class, samples, weight);
			}
		}
		lanes_fini(&l);
	}
}

const struct flat_table columns_time = { time_columns, COSTS_NONE, time_rows };

/* ---- how many threads worked ------------------------------------------------ */

static const struct column parallelism_columns[] = {
	{ "threads", "threads of a process that worked, rounded; 0: none" },
	{ "place", NULL },
	{ "called", "what the line called of a library" },
	{ "region", "the parallel region of the line" },
	{ "elapsed_ns", "the line's share of the elapsed time meanwhile" },
	{ "work_ns", "the line's work and overhead, of all threads" },
	{ NULL, NULL },
};

static void parallelism_end(const struct cells *c, uint64_t threads, double elapsed_ns,
			    double work_ns)
{
	cells_number(c, "threads", threads);
	cells_number(c, "elapsed_ns", format_whole(elapsed_ns));
	cells_number(c, "work_ns", format_whole(work_ns));
	cells_end(c, COSTS_NONE, NULL);
}

/* A row for each number of threads, line and region; the rest of the elapsed time has no line. */
static void parallelism_rows(const struct cells *c)
{
	struct parallelism p;

	parallelism_build(c->report->view, &p);
	if (p.unknown)
		p.nlines = 0, p.nobody_ns = 0;
	for (size_t i = 0; i < p.nlines; i++) {
		cells_line(c, p.lines[i].line);
		cells_region(c, p.lines[i].region);
		parallelism_end(c, p.lines[i].threads, p.lines[i].elapsed_ns, p.lines[i].work_ns);
	}
	if (p.nobody_ns > 0)
		parallelism_end(c, 0, p.nobody_ns, 0);
	parallelism_fini(&p);
}

const struct flat_table columns_parallelism = { parallelism_columns, COSTS_NONE, parallelism_rows };

/* ---- what makes threads wait ------------------------------------------------ */

static const struct column blame_columns[] = {
	{ "place", NULL },
	{ "called", "what the line called of a library" },
	{ "region", "the parallel region of the line" },
	{ "wait", "what other threads wait for; work: the line's own work" },
	{ "object", "name of the lock or critical section" },
	{ "event", "the event" },
	{ "unit", "ns or events" },
	{ "weight", "how much they wait, or it works, in that unit" },
	{ NULL, NULL },
};

static void blame_row(const struct cells *c, const struct blamed_row *row, const char *wait,
		      const char *object, uint64_t weight)
{
	cells_line(c, row->line);
	cells_region(c, row->region);
	cells_text(c, "wait", wait);
	cells_text(c, "object", object);
	cells_event(c, c->report->event);
	cells_number(c, "weight", weight);
	cells_end(c, COSTS_NONE, NULL);
}

/* A row for each line, region and kind of wait; and one for the line's own work. */
static void columns_blame_rows(const struct cells *c)
{
	struct blamed b;

	blamed_build(c->report->view, c->report->event, &b);
	for (size_t i = 0; i < b.n; i++) {
		const struct blamed_row *row = &b.rows[i];

		blame_row(c, row, "work", NULL, row->work);
		for (size_t p = 0; p < row->nparts; p++)
			blame_row(c, row, blamed_kind_name((enum blame_kind)row->parts[p].kind),
				  row->parts[p].object, row->parts[p].weight);
	}
	blamed_fini(&b);
}

const struct flat_table columns_blame = { blame_columns, COSTS_NONE, columns_blame_rows };

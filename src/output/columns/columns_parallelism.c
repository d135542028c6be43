/* SPDX-License-Identifier: BSD-3-Clause */
/* columns_parallelism.c - how long how many threads worked, and on what. */
#include "config.h"

#include "src/output/columns/flat_tables.h"
#include "src/output/printable.h"
#include "src/tables/parallelism.h"

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

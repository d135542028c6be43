/* SPDX-License-Identifier: BSD-3-Clause */
/* csv_parallelism.c - how long how many threads worked, and on what. */
#include "config.h"

#include "src/output/csv/csv_parts.h"
#include "src/output/csv/csv_table.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/tables/parallelism.h"
#include "src/tables/region_label.h"
#include "src/view/view.h"

enum {
	PARALLELISM_THREADS,
	PARALLELISM_PLACE,
	PARALLELISM_CALLED = PARALLELISM_PLACE + CSV_PLACES,
	PARALLELISM_REGION,
	PARALLELISM_ELAPSED,
	PARALLELISM_WORK,
	PARALLELISM_COLUMNS
};

static const struct csv_column columns[PARALLELISM_COLUMNS] = {
	[PARALLELISM_THREADS] = { "threads", "threads of a process that worked, rounded; 0: none" },
	[PARALLELISM_CALLED] = { "called", "what the line called of a library" },
	[PARALLELISM_REGION] = { "region", "the parallel region of the line" },
	[PARALLELISM_ELAPSED] = { "elapsed_ns", "the line's share of the elapsed time meanwhile" },
	[PARALLELISM_WORK] = { "work_ns", "the line's work and overhead, of all threads" },
};

static void line_row(struct csv *c, const struct parallelism_line *line)
{
	const struct view *v = c->report->view;
	const uint32_t special = line->region < REGION_SPECIALS ? line->region : REGION_SPECIALS;

	csv_number(c, PARALLELISM_THREADS, line->threads);
	csv_line_key(c, PARALLELISM_PLACE, PARALLELISM_CALLED, v, line->line);
	csv_take(c, PARALLELISM_REGION, region_label(v, special, v->regions[line->region].line));
	csv_number(c, PARALLELISM_ELAPSED, format_whole(line->elapsed_ns));
	csv_number(c, PARALLELISM_WORK, format_whole(line->work_ns));
	csv_row(c);
}

/* A row for each number of threads, line and region; the rest of the elapsed time has no line. */
int csv_parallelism(FILE *out, const struct report *r)
{
	struct parallelism p;
	struct csv c;
	int err = parallelism_build(r->view, &p);

	if (err)
		return err;
	err = csv_begin(&c, out, r, columns, PARALLELISM_COLUMNS, 0);
	for (size_t i = 0; i < p.nlines && !err && !p.unknown; i++)
		line_row(&c, &p.lines[i]);
	if (!err && !p.unknown && p.nobody_ns > 0) {
		csv_number(&c, PARALLELISM_THREADS, 0);
		csv_number(&c, PARALLELISM_ELAPSED, format_whole(p.nobody_ns));
		csv_number(&c, PARALLELISM_WORK, 0);
		csv_row(&c);
	}
	parallelism_fini(&p);
	return csv_end(&c, err);
}

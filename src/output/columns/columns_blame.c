/* SPDX-License-Identifier: BSD-3-Clause */
/* columns_blame.c - which code makes other threads wait. */
#include "config.h"

#include "src/output/columns/flat_tables.h"
#include "src/tables/blamed.h"
#include "src/view/view.h"

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

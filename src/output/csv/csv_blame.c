/* SPDX-License-Identifier: BSD-3-Clause */
/* csv_blame.c - which code makes other threads wait. */
#include "config.h"

#include "src/model/model.h"
#include "src/output/csv/csv_parts.h"
#include "src/output/csv/csv_table.h"
#include "src/output/output.h"
#include "src/tables/blamed.h"
#include "src/tables/region_label.h"
#include "src/tables/regions.h"
#include "src/view/view.h"

enum {
	BLAME_PLACE,
	BLAME_CALLED = BLAME_PLACE + CSV_PLACES,
	BLAME_REGION,
	BLAME_WAIT,
	BLAME_OBJECT,
	BLAME_EVENT,
	BLAME_UNIT,
	BLAME_CAUSES,
	BLAME_COLUMNS
};

static const struct csv_column blame_columns[BLAME_COLUMNS] = {
	[BLAME_CALLED] = { "called", "what the line called of a library" },
	[BLAME_REGION] = { "region", "the parallel region of the line" },
	[BLAME_WAIT] = { "wait", "what other threads wait for; work: the line's own work" },
	[BLAME_OBJECT] = { "object", "name of the lock or critical section" },
	[BLAME_EVENT] = { "event", "the event" },
	[BLAME_UNIT] = { "unit", "ns or events" },
	[BLAME_CAUSES] = { "weight", "how much they wait, or it works, in that unit" },
};

static void blame_row(struct csv *c, const struct blamed_row *row, const char *wait,
		      const char *object, uint64_t weight)
{
	const struct report *r = c->report;
	const struct model_event *e = &r->model->events[r->event];
	const uint32_t special = row->region < REGION_SPECIALS ? row->region : REGION_SPECIALS;

	csv_line_key(c, BLAME_PLACE, BLAME_CALLED, r->view, row->line);
	csv_take(c, BLAME_REGION,
		 region_label(r->view, special, r->view->regions[row->region].line));
	csv_text(c, BLAME_WAIT, wait);
	csv_text(c, BLAME_OBJECT, object);
	csv_text(c, BLAME_EVENT, e->label);
	csv_text(c, BLAME_UNIT, csv_unit(e->unit));
	csv_number(c, BLAME_CAUSES, weight);
	csv_row(c);
}

/* A row for each line, region and kind of wait; and one for the line's own work. */
int csv_blame(FILE *out, const struct report *r)
{
	struct blamed b;
	struct csv c;
	int err = 0;

	blamed_build(r->view, r->event, &b);
	err = csv_begin(&c, out, r, blame_columns, BLAME_COLUMNS, 0);
	for (size_t i = 0; i < b.n && !err; i++) {
		const struct blamed_row *row = &b.rows[i];

		blame_row(&c, row, "work", NULL, row->work);
		for (size_t p = 0; p < row->nparts; p++)
			blame_row(&c, row, blamed_kind_name((enum blame_kind)row->parts[p].kind),
				  row->parts[p].object, row->parts[p].weight);
	}
	blamed_fini(&b);
	return csv_end(&c, err);
}

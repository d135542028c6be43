/* SPDX-License-Identifier: BSD-3-Clause */
/* columns_descriptors.c - the constructs that an instrumentor described in the program. */
#include "config.h"

#include "src/output/columns/flat_tables.h"
#include "src/view/view.h"

static const struct column descriptor_columns[] = {
	{ "name", "the construct; region: what the user marked" },
	{ "sub_name", "of a named critical section, or the user's region" },
	{ "num_sections", "of sections" },
	{ "file", "its source file" },
	{ "begin_line1", "the first line of the directive that begins it" },
	{ "begin_lineN", "the last one" },
	{ "end_line1", "the first line of the directive, or statement, that ends it" },
	{ "end_lineN", "the last one" },
	{ "entries", "how often threads entered it, or created it; 0: it never ran" },
	{ "elapsed_ns", "from entry to exit, or fork to join: the sum over threads" },
	{ "executions", "how often threads executed its body" },
	{ "executing_ns", "in its body: the sum over threads" },
	{ "barriers", "how often threads came to the barrier at its end" },
	{ "barrier_ns", "in that barrier: the sum over threads" },
	{ NULL, NULL },
};

static void line_cells(const struct cells *c, const char *first, const char *last,
		       const uint32_t lines[2])
{
	cells_number_if(c, first, lines[0] != 0, lines[0]);
	cells_number_if(c, last, lines[1] != 0, lines[1]);
}

/* A part that a construct has not is empty. */
static void part_cells(const struct cells *c, const struct view_descriptor *d, enum view_part part,
		       const char *number, const char *elapsed)
{
	const struct view_described *p = &d->part[part];
	const bool known = !c->report->view->filtered && (p->n || !d->part[VIEW_WHOLE].n);

	cells_number_if(c, number, known, p->n);
	cells_number_if(c, elapsed, known && d->elapsed_known, p->elapsed_ns);
}

void descriptor_cells(const struct cells *c, const struct view_descriptor *d)
{
	cells_text(c, "name", d->what.name);
	cells_text(c, "sub_name", d->what.sub_name);
	cells_number(c, "num_sections", d->what.sections);
	cells_text(c, "file", d->what.file);
	line_cells(c, "begin_line1", "begin_lineN", d->what.begin);
	line_cells(c, "end_line1", "end_lineN", d->what.end);
	part_cells(c, d, VIEW_WHOLE, "entries", "elapsed_ns");
	part_cells(c, d, VIEW_BODY, "executions", "executing_ns");
	part_cells(c, d, VIEW_BARRIER, "barriers", "barrier_ns");
}

static void descriptor_rows(const struct cells *c)
{
	const struct view *v = c->report->view;

	for (size_t i = 0; i < v->ndescriptors; i++) {
		descriptor_cells(c, &v->descriptors[i]);
		cells_end(c, COSTS_NONE, NULL);
	}
}

const struct flat_table columns_descriptor = { descriptor_columns, COSTS_NONE, descriptor_rows };

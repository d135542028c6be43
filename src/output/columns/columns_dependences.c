/* SPDX-License-Identifier: BSD-3-Clause */
/* columns_dependences.c - which tasks depend on which, by the places that create them. */
#include "config.h"

#include "src/output/columns/flat_tables.h"
#include "src/tables/tasks.h"
#include "src/view/view.h"

static const struct column dependence_columns[] = {
	{ "place", NULL },
	{ "node", "the path that created the tasks: a node of --by path" },
	{ "kind", "how these name the variable: in, out, inout, mutexinoutset, inoutset" },
	{ "on_function", "of the tasks on which they depend" },
	{ "on_file", "likewise" },
	{ "on_line", "likewise" },
	{ "on_node", "likewise" },
	{ "on_kind", "how those name the variable" },
	{ "dependences", "how many there were: variables and pairs of tasks" },
	{ NULL, NULL },
};

void dependence_cells(const struct cells *c, const struct view_dependence *d)
{
	const struct view *v = c->report->view;
	const struct view_task *on = &v->tasks[d->on];
	const struct line *l = &v->names.lines[on->line];

	cells_number(c, "node", v->tasks[d->task].node);
	cells_text(c, "kind", task_dependence_name(d->kind));
	cells_text(c, "on_function", v->names.functions[l->function].name);
	cells_text(c, "on_file", l->file);
	cells_number_if(c, "on_line", l->line != 0, l->line);
	cells_number(c, "on_node", on->node);
	cells_text(c, "on_kind", task_dependence_name(d->on_kind));
	cells_number(c, "dependences", d->times);
}

static void dependence_rows(const struct cells *c)
{
	const struct view *v = c->report->view;

	for (size_t i = 0; i < v->ndependences && !v->filtered; i++) {
		cells_place(c, v->tasks[v->dependences[i].task].line);
		dependence_cells(c, &v->dependences[i]);
		cells_end(c, COSTS_NONE, NULL);
	}
}

const struct flat_table columns_dependence = { dependence_columns, COSTS_NONE, dependence_rows };

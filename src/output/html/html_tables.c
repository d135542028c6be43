/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * html_tables.c - constructs, tasks and accessed memory: the flat tables (columns/cells.h), a row
 * an object.
 */
#include "config.h"

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/model/model.h"
#include "src/output/columns/cells.h"
#include "src/output/html/html_parts.h"
#include "src/output/json/json_parts.h"
#include "src/output/output.h"
#include "src/tables/tables.h"
#include "src/view/view.h"

enum { PATH_FUNCTIONS = 3 };

struct html_table {
	struct json_stream *stream;
	const struct report *report;
	struct json_object *row;
	struct cost *left; /* of rows that are not shown */
	size_t n;
};

static void table_put(void *to, const char *key, const struct cell *cell)
{
	struct html_table *t = to;
	const struct cells c = json_cells(t->row, t->report);

	if (!strcmp(key, "node") && cell->kind == CELL_NUMBER) {
		const struct view *v = t->report->view;
		uint32_t node = (uint32_t)cell->number;
		/* "step > solve > kernel": the end of the path to a node. */
		char *path = NULL;

		for (size_t i = 0; node && i < PATH_FUNCTIONS;
		     i++, node = v->tree.nodes[node].parent) {
			const char *name = v->names.functions[v->tree.nodes[node].function].name;
			char *longer = path ? alloc_printf("%s > %s", name, path) :
					      alloc_text(name);

			free(path);
			path = longer;
		}

		json_put_text(t->row, "path", path);
		free(path);
	} else {
		c.put(c.to, key, cell);
	}
}

static void table_costs(void *to, enum cells_costs costs, const struct cost *block)
{
	struct html_table *t = to;

	if (costs != COSTS_SELF)
		return;
	if (t->n < HTML_TABLE_ROWS)
		json_add(t->row, "self", json_costs(t->report->view, block));
	else
		cost_add(t->left, block, t->report->model->nevents);
}

static void table_end(void *to)
{
	struct html_table *t = to;

	if (t->n++ < HTML_TABLE_ROWS)
		json_element(t->stream, t->row);
	else
		json_object_put(t->row);
	t->row = json_new_object();
}

void html_left(struct json_stream *s, const struct report *r, const char *member, size_t n,
	       const struct cost *sum)
{
	struct json_object *o = json_new_object();

	json_put_number(o, "n", n);
	json_add(o, "self", json_costs(r->view, sum));
	json_member(s, member, o);
}

static void table_write(struct json_stream *s, const struct report *r, const char *name,
			enum output_by by)
{
	struct html_table t = {
		.stream = s,
		.report = r,
		.row = json_new_object(),
		.left = alloc_zeroed(r->model->nevents * OMP_CLASSES + 1, sizeof(*t.left)),
	};
	const struct cells c = {
		.report = r,
		.to = &t,
		.put = table_put,
		.costs = table_costs,
		.end = table_end,
	};
	char *member = alloc_printf("%s_left", name);

	json_open(s, name);
	flat_table_of(by)->rows(&c);
	json_close(s);
	html_left(s, r, member, t.n > HTML_TABLE_ROWS ? t.n - HTML_TABLE_ROWS : 0, t.left);
	free(member);
	json_object_put(t.row);
	free(t.left);
}

void html_tables(struct json_stream *s, const struct report *r)
{
	table_write(s, r, "constructs", BY_CONSTRUCT);
	table_write(s, r, "tasks", BY_TASK);
	table_write(s, r, "memory", BY_ADDRESS);
	json_counts(s, r, HTML_REGIONS);
}

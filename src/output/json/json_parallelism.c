/* SPDX-License-Identifier: BSD-3-Clause */
/* json_parallelism.c - how long how many threads worked, and on what. */
#include "config.h"

#include <json-c/json.h>

#include "src/output/json/json_parts.h"
#include "src/output/output.h"
#include "src/tables/parallelism.h"

static struct json_object *line_object(const struct report *r, const struct parallelism_line *line)
{
	struct json_object *o = json_new_object();

	json_put_line(o, r->view, line->line);
	json_add(o, "region", json_region_place(r->view, line->region));
	json_add(o, "elapsed_ns", json_amount(line->elapsed_ns));
	json_add(o, "work_ns", json_amount(line->work_ns));
	return o;
}

static struct json_object *rows_array(const struct report *r, const struct parallelism *p)
{
	struct json_object *rows = json_new_array();

	for (size_t i = 0; i < p->nrows; i++) {
		struct json_object *row = json_new_object();
		struct json_object *lines = json_new_array();

		json_put_number(row, "threads", i);
		json_add(row, "elapsed_ns", json_amount(p->rows[i].elapsed_ns));
		for (size_t k = 0; k < p->rows[i].n; k++)
			json_append(lines, line_object(r, &p->lines[p->rows[i].first + k]));
		json_add(row, "lines", lines);
		json_append(rows, row);
	}
	return rows;
}

/* null where it is not known. */
void json_parallelism(struct json_stream *s, const struct report *r)
{
	struct json_object *o = NULL;
	struct parallelism p;

	parallelism_build(r->view, &p);
	if (!p.unknown) {
		o = json_new_object();
		json_put_number(o, "event", p.event);
		json_put_number(o, "processes", p.nprocesses);
		json_add(o, "bucket_ns", json_amount(p.bucket_ns));
		json_add(o, "elapsed_ns", json_amount(p.elapsed_ns));
		json_add(o, "work_ns", json_amount(p.work_ns));
		json_add(o, "untimed_ns", json_amount(p.untimed_ns));
		json_add(o, "nobody_ns", json_amount(p.nobody_ns));
		json_add(o, "rows", rows_array(r, &p));
	}
	json_member(s, "parallelism", o);
	parallelism_fini(&p);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* json_blame.c - which code makes other threads wait. */
#include "config.h"

#include <json-c/json.h>

#include "src/output/json/json_parts.h"
#include "src/output/output.h"
#include "src/tables/blamed.h"
#include "src/view/view.h"

static struct json_object *json_blame_parts(const struct blamed_row *row)
{
	struct json_object *parts = json_new_array();

	for (size_t i = 0; i < row->nparts; i++) {
		struct json_object *o = json_new_object();

		json_put_text(o, "kind", blamed_kind_name((enum blame_kind)row->parts[i].kind));
		json_put_text(o, "object", row->parts[i].object);
		json_put_number(o, "causes", row->parts[i].weight);
		json_append(parts, o);
	}
	return parts;
}

struct json_object *json_region_place(const struct view *v, uint32_t region)
{
	struct json_object *o;

	if (region < REGION_SPECIALS)
		return NULL;
	o = json_new_object();
	json_put_place(o, v, v->regions[region].line);
	return o;
}

static struct json_object *json_blame_row(const struct view *v, const struct blamed_row *row)
{
	struct json_object *o = json_new_object();

	json_put_line(o, v, row->line);
	json_add(o, "region", json_region_place(v, row->region));
	json_put_number(o, "work", row->work);
	json_put_number(o, "causes", row->causes);
	json_add(o, "parts", json_blame_parts(row));
	return o;
}

static struct json_object *json_blame_functions(const struct view *v, const struct blamed *t)
{
	struct json_object *functions = json_new_array();

	for (size_t i = 0; i < t->nfunctions; i++) {
		struct json_object *o = json_new_object();

		json_put_number(o, "function", t->functions[i].function);
		json_put_text(o, "name", v->names.functions[t->functions[i].function].name);
		json_put_number(o, "work", t->functions[i].work);
		json_put_number(o, "causes", t->functions[i].causes);
		json_append(functions, o);
	}
	return functions;
}

static struct json_object *json_blame_waits(const struct blamed *t)
{
	struct json_object *o = json_new_object();

	for (unsigned k = 0; k < BLAME_KINDS; k++) {
		struct json_object *kind = json_new_object();

		json_put_number(kind, "charged", t->charged[k]);
		json_add(kind, "waited", json_number_if(t->waits_known, t->waited[k]));
		json_add(o, blamed_kind_name((enum blame_kind)k), kind);
	}
	return o;
}

/* blame is null where it was not noted. */
void json_blame(struct json_stream *s, const struct report *r)
{
	struct json_object *o = NULL, *rows;
	struct blamed t;

	blamed_build(r->view, r->event, &t);
	if (t.asked) {
		o = json_new_object();
		rows = json_new_array();
		for (size_t i = 0; i < t.n; i++)
			json_append(rows, json_blame_row(r->view, &t.rows[i]));
		json_add(o, "waits", json_blame_waits(&t));
		json_add(o, "rows", rows);
		json_add(o, "functions", json_blame_functions(r->view, &t));
	}
	json_member(s, "blame", o);
	blamed_fini(&t);
}

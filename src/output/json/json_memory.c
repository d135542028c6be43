/* SPDX-License-Identifier: BSD-3-Clause */
/* json_memory.c - accessed memory: by which lines, and from which level of the memory
   hierarchy. */
#include "config.h"

#include <json-c/json.h>
#include <stdlib.h>

#include "src/output/columns/flat_tables.h"
#include "src/output/json/json_parts.h"
#include "src/output/output.h"
#include "src/tables/tables.h"
#include "src/view/view.h"

#include "src/base/alloc.h"

/* The functions of a path, outermost first. */
static struct json_object *json_memory_path(const struct view *v, uint32_t node)
{
	struct json_object *path = json_new_array();
	size_t depth = 0;

	for (uint32_t n = node; n; n = v->tree.nodes[n].parent)
		depth++;
	for (; node; node = v->tree.nodes[node].parent)
		json_object_array_put_idx(path, --depth,
					  json_text(v->names.functions[v->tree.nodes[node].function]
							    .name));
	return path;
}

/* The path that allocated a heap block. */
static struct json_object *json_memory_allocation(const struct view *v, const struct view_memory *m)
{
	struct json_object *o;

	if (m->kind != VIEW_MEMORY_BLOCK)
		return NULL;
	o = json_new_object();
	json_put_place(o, v, m->line);
	json_add(o, "path", json_memory_path(v, m->node));
	json_add(o, "by_runtime", json_new_boolean(m->by_runtime));
	json_put_number(o, "blocks", m->blocks);
	json_put_number(o, "bytes", m->bytes);
	return o;
}

static struct json_object *json_memory_part(const struct report *r, const struct table_row *row,
					    bool line)
{
	struct json_object *o = json_new_object();

	if (line)
		json_put_line(o, r->view, row->key2);
	else
		json_put_text(o, "source", view_source_name((unsigned)row->key2));
	json_add(o, "self", json_costs(r->view, row->self));
	return o;
}

static void json_memory_parts(const struct report *r, struct json_object **objects,
			      enum table_key by, const char *name)
{
	struct table t;

	table_build(r->view, by, &t);
	table_sort(&t, r->event);
	for (size_t i = 0; i < r->view->nmemory; i++)
		if (objects[i])
			json_add(objects[i], name, json_new_array());
	for (size_t i = 0; i < t.n; i++)
		if (objects[t.rows[i].key])
			json_append(json_object_object_get(objects[t.rows[i].key], name),
				    json_memory_part(r, &t.rows[i], by == TABLE_MEMORY_LINE));
	table_fini(&t);
}

/* Only samples with an address. */
void json_memory(struct json_stream *s, const struct report *r)
{
	struct json_object **objects = alloc_zeroed(r->view->nmemory, sizeof(*objects));
	struct table t = { 0 };

	table_build(r->view, TABLE_MEMORY, &t);
	table_sort(&t, r->event);
	for (size_t i = 0; i < t.n; i++)
		if (t.rows[i].key) {
			/* One element for each object of memory, source of data, and line. */
			const struct table_row *row = &t.rows[i];
			const struct view_memory *m = &r->view->memory[row->key];
			struct json_object *o = json_new_object();
			const struct cells c = json_cells(o, r);

			memory_cells(&c, m);
			json_add(o, "allocation", json_memory_allocation(r->view, m));
			json_put_number(o, "accesses_with_cost", m->measured);
			json_put_number(o, "cycles", m->cycles);
			json_add(o, "self", json_costs(r->view, row->self));
			objects[t.rows[i].key] = o;
		}
	json_memory_parts(r, objects, TABLE_MEMORY_SOURCE, "sources");
	json_memory_parts(r, objects, TABLE_MEMORY_LINE, "lines");
	json_open(s, "memory");
	for (size_t i = 0; i < t.n; i++)
		if (t.rows[i].key)
			json_element(s, objects[t.rows[i].key]);
	json_close(s);
	table_fini(&t);
	free(objects);
}

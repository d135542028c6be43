/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/output/json/json_runs.h"

#include <json-c/json.h>
#include <math.h>

#include "src/diff/side.h"
#include "src/output/json/json_parts.h"

void json_put_real(struct json_object *o, const char *key, double value)
{
	json_add(o, key, isfinite(value) ? json_new_double(value) : NULL);
}

struct json_object *json_run(const struct side_run *r, bool whole)
{
	struct json_object *o = json_new_object();

	json_put_text(o, "profile", r->path);
	json_put_number(o, "profiles", r->profiles);
	json_add(o, "elapsed_ns", json_number_if(r->elapsed_ns != 0, r->elapsed_ns));
	if (!whole)
		return o;
	json_put_number(o, "threads", r->threads);
	json_put_text(o, "arguments", r->arguments);
	json_put_text(o, "host", *r->host ? r->host : NULL);
	return o;
}

void json_put_item(struct json_object *o, const struct side_item *item)
{
	const char *file = side_item_file(item);

	json_put_text(o, "name", item->name);
	json_put_text(o, "function", *item->function ? item->function : NULL);
	json_put_text(o, "file", *file ? file : NULL);
	json_add(o, "line", json_number_if(item->place && !item->ordinal, (uint64_t)item->place));
}

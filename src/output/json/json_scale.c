/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json_scale.c - writes how a program scales, as described by doc/scale.schema.json.
 */
#include "config.h"

#include <json-c/json.h>
#include <math.h>

#include "src/diff/runs.h"
#include "src/diff/scaling.h"
#include "src/diff/side.h"
#include "src/output/json/json_parts.h"
#include "src/output/printable.h"
#include "src/output/runs_formats.h"

enum { JSON_SCALE_VERSION = 1 };

/* A time with one number of threads. */
static struct json_object *json_time_at(const struct scaling *s, const struct scaling_row *row,
					size_t i)
{
	struct json_object *o = json_new_object();
	const double speedup = scaling_speedup(s, row, i);

	json_put_number(o, "threads", s->threads[i]);
	json_put_real(o, "mean_ns", row->mean_ns[i] > 0 ? row->mean_ns[i] : NAN);
	json_put_real(o, "deviation_ns", row->mean_ns[i] > 0 ? row->deviation_ns[i] : NAN);
	json_put_real(o, "speedup", speedup > 0 ? speedup : NAN);
	json_put_real(o, "efficiency", speedup > 0 ? scaling_efficiency(s, row, i) : NAN);
	return o;
}

static struct json_object *json_scale_row(const struct scaling *s, const struct scaling_row *row)
{
	const struct side_item *item = row->item;
	struct json_object *o = json_new_object(), *times = json_new_array();

	if (item)
		json_put_item(o, item);
	const struct scaling_amdahl a = scaling_amdahl(s, row);

	json_put_real(o, "serial_part", a.known ? a.serial : NAN);
	json_put_real(o, "speedup_limit", a.known ? a.limit : NAN);
	json_add(o, "stops_at", json_number_if(row->stops != 0, s->threads[row->stops]));
	for (size_t i = 0; i < s->n; i++)
		json_append(times, json_time_at(s, row, i));
	json_add(o, "times", times);
	return o;
}

/* null where it is not known. */
static struct json_object *json_growth(const struct scaling *s)
{
	const struct growth *g = &s->growth;
	struct json_object *rows;

	if (s->growth_unknown)
		return NULL;
	rows = json_new_array();
	for (size_t i = 0; i < g->n; i++) {
		struct json_object *o = json_new_object();

		json_put_text(o, "kind", g->rows[i].item->by == DIFF_LINE ? "line" : "region");
		json_put_item(o, g->rows[i].item);
		json_put_real(o, "work_least", g->rows[i].before);
		json_put_real(o, "work_most", g->rows[i].after);
		json_put_real(o, "factor", g->rows[i].factor > 0 ? g->rows[i].factor : NAN);
		json_put_real(o, "share", g->rows[i].share);
		json_append(rows, o);
	}
	return rows;
}

static void scale_put(FILE *out, const struct scaling *s, bool page)
{
	struct json_stream stream = { .out = out, .visible = page };
	const char *program = s->sides[0].nruns ? s->sides[0].runs[0].program : "";

	json_begin(&stream, "omphwc-scale", JSON_SCALE_VERSION);
	json_member(&stream, "application", json_text(*program ? program : NULL));
	json_member(&stream, "scaling", json_text(s->how.weak ? "weak" : "strong"));
	json_member(&stream, "cpus", json_number_if(s->how.cpus != 0, s->how.cpus));
	json_open(&stream, "sides");
	for (size_t i = 0; i < s->n; i++) {
		const struct side *side = &s->sides[i];
		struct json_object *o = json_new_object(), *runs = json_new_array();
		const uint32_t had = side_threads(side);

		json_put_number(o, "threads", s->threads[i]);
		json_add(o, "beyond_cpus", json_new_boolean(scaling_is_beyond(s, i)));
		json_add(o, "threads_had", json_number_if(had != 0, had));
		for (size_t run = 0; run < side->nruns; run++)
			json_append(runs, json_run(&side->runs[run], false));
		json_add(o, "runs", runs);
		json_element(&stream, o);
	}
	json_close(&stream);
	json_member(&stream, "run", json_scale_row(s, &s->total));
	json_member(&stream, "event", json_text(s->event->label));
	json_member(&stream, "unit", json_text(format_unit(s->event->unit)));
	json_member(&stream, "grows", json_growth(s));
	json_open(&stream, "regions");
	for (size_t i = 0; i < s->nregions; i++)
		json_element(&stream, json_scale_row(s, &s->regions[i]));
	fputs("]\n}\n", out);
}

void scale_json_write(FILE *out, const struct scaling *s)
{
	scale_put(out, s, false);
}

void scale_page_json_write(FILE *out, const void *scaling)
{
	scale_put(out, scaling, true);
}

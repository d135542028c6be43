/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json_history.c - writes a history as described by doc/history.schema.json.
 */
#include "config.h"

#include <json-c/json.h>
#include <math.h>

#include "src/diff/history.h"
#include "src/diff/points.h"
#include "src/output/json/json_parts.h"
#include "src/output/printable.h"
#include "src/output/runs_formats.h"

enum { JSON_HISTORY_VERSION = 1 };

/* ---- points ------------------------------------------------------------ */

static struct json_object *json_differs(unsigned differs)
{
	static const char *const names[] = { "arguments", "host", "threads" };
	struct json_object *all = json_new_array();

	for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (differs & 1u << i)
			json_append(all, json_text(names[i]));
	return all;
}

static struct json_object *json_point(const struct history *h, size_t i)
{
	const struct point *p = &h->points[i];
	const uint32_t threads = side_threads(&p->side);
	struct json_object *o = json_new_object(), *runs = json_new_array();

	json_put_text(o, "label", p->label);
	json_add(o, "start_ns", json_number_if(p->start_ns != 0, p->start_ns));
	json_add(o, "threads", json_number_if(threads != 0, threads));
	json_add(o, "differs", json_differs(h->differs[i]));
	for (size_t run = 0; run < p->side.nruns; run++)
		json_append(runs, json_run(&p->side.runs[run], true));
	json_add(o, "runs", runs);
	return o;
}

/* ---- series ------------------------------------------------------------ */

static struct json_object *json_history_value(const struct history_series *s, double value)
{
	if (isnan(value))
		return NULL;
	return s->share ? json_ratio(value) : json_amount(value);
}

static struct json_object *json_values(const struct history *h, const struct history_series *s,
				       const double *values)
{
	struct json_object *all = json_new_array();

	for (size_t i = 0; i < h->n; i++)
		json_append(all, json_history_value(s, values[i]));
	return all;
}

static struct json_object *json_changes(const struct history *h, const struct history_series *s)
{
	struct json_object *all = json_new_array();

	for (size_t i = 0; i < s->nchanges; i++) {
		const struct history_change *c = &s->changes[i];
		struct json_object *o = json_new_object();

		json_put_number(o, "point", c->at);
		json_put_text(o, "label", h->points[c->at].label);
		json_add(o, "before", json_history_value(s, c->before));
		json_add(o, "after", json_history_value(s, c->after));
		json_put_real(o, "change_percent", history_percent(s, c->before, c->after));
		json_add(o, "worse", json_new_boolean(c->worse));
		json_append(all, o);
	}
	return all;
}

static struct json_object *json_series(const struct history_report *r,
				       const struct history_series *s)
{
	static const char *const measures[] = {
		[HISTORY_ELAPSED] = "elapsed",	     [HISTORY_TOTAL] = "total",
		[HISTORY_EFFICIENCY] = "efficiency", [HISTORY_LOST] = "lost",
		[HISTORY_REGION] = "region",
	};
	struct json_object *o = json_new_object();

	json_put_text(o, "measure", measures[s->measure]);
	json_put_text(o, "unit",
		      s->share ? "share" :
		      s->time  ? "ns" :
				 format_unit(r->points->event.unit));
	json_add(o, "from_fork_to_join", s->item ? json_new_boolean(s->time) : NULL);
	json_put_text(o, "loss", s->measure == HISTORY_LOST ? loss_key(s->loss) : NULL);
	if (s->item)
		json_put_item(o, s->item);
	else
		json_put_text(o, "name",
			      s->measure == HISTORY_LOST       ? loss_name(s->loss) :
			      s->measure == HISTORY_EFFICIENCY ? "parallel efficiency" :
			      s->time			       ? "elapsed" :
								 r->points->event.label);
	json_add(o, "values", json_values(r->history, s, s->mean));
	json_add(o, "deviations", json_values(r->history, s, s->deviation));
	json_add(o, "changes", json_changes(r->history, s));
	return o;
}

/* ---- the newest point -------------------------------------------------- */

static struct json_object *json_latest(const struct history *h)
{
	const struct history_latest *l = &h->latest;
	struct json_object *o = json_new_object();

	json_put_text(o, "label", h->points[h->n - 1].label);
	json_put_text(o, "unknown", l->unknown);
	json_put_real(o, "before", l->before);
	json_put_real(o, "after", l->after);
	json_put_real(o, "change_percent", history_percent(&h->series[0], l->before, l->after));
	json_put_number(o, "points_before", l->points);
	json_put_real(o, "noise", l->noise);
	json_add(o, "within_noise",
		 isnan(l->noise) ? NULL : json_new_boolean(history_within_noise(h)));
	return o;
}

void history_json_write(FILE *out, const void *report)
{
	const struct history_report *r = report;
	const struct history *h = r->history;
	const struct side *newest = &h->points[h->n - 1].side;
	struct json_stream s = { .out = out, .visible = r->page };

	json_begin(&s, "omphwc-history", JSON_HISTORY_VERSION);
	json_member(&s, "application",
		    json_text(*newest->runs[0].program ? newest->runs[0].program : NULL));
	json_member(&s, "event", json_text(r->points->event.label));
	json_member(&s, "unit", json_text(format_unit(r->points->event.unit)));
	json_member(&s, "chance", json_ratio(HISTORY_CHANCE));
	json_member(&s, "needed", json_number_if(h->needed != 0, h->needed));
	json_member(&s, "latest", json_latest(h));
	json_member(&s, "earlier", json_number(r->points->nearlier));
	json_open(&s, "left_out");
	for (size_t i = 0; i < r->points->nleft; i++)
		json_element(&s, json_why(r->points->left[i].path, r->points->left[i].why));
	json_close(&s);
	json_open(&s, "points");
	for (size_t i = 0; i < h->n; i++)
		json_element(&s, json_point(h, i));
	json_close(&s);
	json_member(&s, "regions_left", json_number(h->nregions_left));
	json_open(&s, "series");
	for (size_t i = 0; i < h->nseries; i++)
		json_element(&s, json_series(r, &h->series[i]));
	fputs("]\n}\n", out);
}

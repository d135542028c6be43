/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json_diff.c - writes a comparison as described by doc/diff.schema.json.
 *
 * Costs are means over the runs, so they need not be integers; unknown values are null.
 */
#include "config.h"

#include <json-c/json.h>
#include <math.h>

#include "src/diff/diff.h"
#include "src/diff/history.h"
#include "src/diff/points.h"
#include "src/output/json/json_parts.h"
#include "src/output/printable.h"
#include "src/output/runs_formats.h"

enum { JSON_DIFF_VERSION = 1, PAGE_ROWS = 100 };

static const char *const labels[SIDES] = { "before", "after" };
static const char *const table_names[DIFF_BYS] = {
	[DIFF_RUN] = "run",
	[DIFF_CLASS] = "classes",
	[DIFF_REGION] = "regions",
	[DIFF_CONSTRUCT] = "constructs",
	[DIFF_FUNCTION] = "functions",
	[DIFF_LINE] = "lines",
	[DIFF_PATH] = "paths",
};

static void json_diff_put_if(struct json_object *o, const char *key, const char *s)
{
	json_put_text(o, key, *s ? s : NULL);
}

static struct json_object *json_diff_value(const struct diff *d, const struct diff_value *v)
{
	const struct side_item *i = v->item;
	struct json_object *o;

	if (!i)
		return NULL;
	o = json_new_object();
	json_diff_put_if(o, "title", i->title);
	json_diff_put_if(o, "file", side_item_file(i));
	json_add(o, "line", json_number_if(i->place && !i->ordinal, (uint64_t)i->place));
	json_put_number(o, "samples", v->samples);
	json_put_real(o, "mean", v->all.mean);
	json_put_real(o, "deviation", v->all.deviation);
	for (unsigned c = 0; c < OMP_CLASSES; c++)
		if (omp_has_class(d->classes, c))
			json_put_real(o, omp_class_name((enum omp_class)c), v->class[c]);
	return o;
}

static size_t rows_shown(const struct diff_report *r, int by)
{
	const size_t n = r->diff->by[by].n;

	return r->page && n > PAGE_ROWS ? PAGE_ROWS : n;
}

/* How many rows a page has not. */
static struct json_object *json_diff_left(const struct diff_report *r)
{
	struct json_object *o = json_new_object();

	for (int by = 0; by < DIFF_BYS; by++)
		json_put_number(o, table_names[by], r->diff->by[by].n - rows_shown(r, by));
	return o;
}

static struct json_object *json_efficiency(const struct side *s)
{
	struct json_object *o, *lost;

	if (isnan(side_efficiency(s)))
		return NULL;
	o = json_new_object();
	lost = json_new_object();
	json_put_real(o, "parallel", side_efficiency(s));
	for (unsigned i = 0; i < LOSSES; i++)
		json_put_real(lost, loss_key((enum loss)i), side_lost(s, (enum loss)i));
	json_add(o, "lost", lost);
	return o;
}

static struct json_object *json_verdict(const struct diff *d, const char *event)
{
	const struct diff_judged j = diff_judge(d);
	struct json_object *o = json_new_object();

	json_put_text(o, "measure", j.elapsed ? "elapsed" : event);
	json_put_real(o, "change_percent", j.percent);
	json_add(o, "within_noise",
		 isnan(j.row->noise) ? NULL : json_new_boolean(diff_within_noise(j.row)));
	return o;
}

static struct json_object *json_diff_side(const struct diff_report *r, int side)
{
	const struct side *s = r->diff->side[side];
	struct json_object *o = json_new_object(), *runs = json_new_array();
	struct json_object *troubles = json_new_array();

	json_put_text(o, "path", r->path[side]);
	json_add(o, "threads", json_number_if(r->diff->threads[side] != 0, r->diff->threads[side]));
	for (size_t i = 0; i < s->nruns; i++)
		json_append(runs, json_run(&s->runs[i], true));
	json_add(o, "runs", runs);
	json_add(o, "efficiency", json_efficiency(s));
	for (size_t i = 0; i < s->ntroubles; i++)
		json_append(troubles, json_why(s->troubles[i].path, s->troubles[i].why));
	json_add(o, "without_names", troubles);
	return o;
}

static struct json_object *json_elapsed(const struct diff_row *row)
{
	struct json_object *o = json_new_object();
	const bool known = row->side[BEFORE].all.mean > 0 && row->side[AFTER].all.mean > 0;

	for (int side = 0; side < SIDES; side++) {
		const struct noise_mean *m = &row->side[side].all;
		struct json_object *value = json_new_object();

		json_put_real(value, "mean", known ? m->mean : NAN);
		json_put_real(value, "deviation", known ? m->deviation : NAN);
		json_add(o, labels[side], value);
	}
	json_put_real(o, "change", known ? row->change : NAN);
	json_put_real(o, "noise", row->noise);
	return o;
}

void diff_json_write(FILE *out, const void *report)
{
	const struct diff_report *r = report;
	const struct diff *d = r->diff;
	struct json_stream s = { .out = out, .visible = r->page };

	json_begin(&s, "omphwc-diff", JSON_DIFF_VERSION);
	json_member(&s, "event", json_text(r->event));
	json_member(&s, "unit", json_text(format_unit(r->unit)));
	json_member(&s, "scaling",
		    json_text(!d->scaled	      ? NULL :
			      d->scaling == DIFF_WEAK ? "weak" :
							"strong"));
	for (int side = 0; side < SIDES; side++)
		json_member(&s, labels[side], json_diff_side(r, side));
	json_member(&s, "verdict", json_verdict(d, r->event));
	json_member(&s, "elapsed_ns", json_elapsed(&d->elapsed));
	if (r->page)
		json_member(&s, "left", json_diff_left(r));
	for (int by = 0; by < DIFF_BYS; by++) {
		/* Leaves the array open: the last member has no comma. */
		const double total = d->by[DIFF_RUN].rows[0].side[AFTER].all.mean;

		json_open(&s, table_names[by]);
		for (size_t i = 0; i < rows_shown(r, by); i++) {
			const struct diff_row *row = &d->by[by].rows[i];
			const struct side_item *item = diff_item(row);
			struct json_object *o = json_new_object();

			json_put_text(o, "name", item->name);
			json_diff_put_if(o, "function", item->function);
			json_diff_put_if(o, "kind", item->by == DIFF_PATH ? "" : item->kind);
			for (int side = 0; side < SIDES; side++)
				json_add(o, labels[side], json_diff_value(d, &row->side[side]));
			json_put_real(o, "change", row->change);
			json_put_real(o, "change_percent",
				      100 * row->change / row->side[BEFORE].all.mean);
			json_put_real(o, "noise", row->noise);
			json_add(o, "within_noise", json_new_boolean(diff_within_noise(row)));
			json_put_real(o, "loss", d->scaled ? row->loss : NAN);
			json_put_real(o, "loss_percent", d->scaled ? 100 * row->loss / total : NAN);
			json_element(&s, o);
		}
		fputs(by + 1 < DIFF_BYS ? "],\n" : "]\n", out);
	}
	fputs("}\n", out);
}

/* ---- a history of runs ------------------------------------------------- */

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
	for (size_t i = 0; i < h->n; i++) {
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
		json_element(&s, o);
	}
	json_close(&s);
	json_member(&s, "regions_left", json_number(h->nregions_left));
	json_open(&s, "series");
	for (size_t i = 0; i < h->nseries; i++)
		json_element(&s, json_series(r, &h->series[i]));
	fputs("]\n}\n", out);
}

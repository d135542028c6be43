/* SPDX-License-Identifier: BSD-3-Clause */
/* json_counts.c - exact counts: the section "counts". */
#include "config.h"

#include <json-c/json.h>

#include "src/model/model.h"
#include "src/output/columns/flat_tables.h"
#include "src/output/json/json_parts.h"
#include "src/output/output.h"
#include "src/tables/counted.h"
#include "src/view/view.h"

struct json_counts {
	const struct report *report;
	const struct counts *counts;
	const struct counts_ratio *ratios;
	size_t nratios;
};

static void put_count(const struct json_counts *j, struct json_object *o, const struct count *c)
{
	const struct cells cells = json_cells(o, j->report);

	count_cells(&cells, c);
	count_time_cell(&cells, c);
}

static struct json_object *json_ratios(const struct json_counts *j,
				       struct count (*of)(const struct count *cells, size_t event),
				       const struct count *cells)
{
	struct json_object *all = json_new_array();

	for (size_t i = 0; i < j->nratios; i++) {
		const struct counts_ratio *r = &j->ratios[i];
		const struct count over = of(cells, r->over), under = of(cells, r->under);
		struct json_object *o;
		double value;

		if (!counts_ratio_of(r, &over, &under, &value))
			continue;
		o = json_new_object();
		json_put_text(o, "name", r->name);
		json_put_number(o, "over", j->counts->events[r->over]);
		json_put_number(o, "under", j->counts->events[r->under]);
		json_add(o, "value", json_new_double(value));
		json_append(all, o);
	}
	return all;
}

/* One element for each counted event with a known value, with its parts. */
static struct json_object *json_events_of(const struct json_counts *j, const struct count *cells)
{
	struct json_object *all = json_new_array();

	for (size_t e = 0; e < j->counts->nevents; e++) {
		const struct count sum = counts_all(cells, e);
		struct json_object *o = json_new_object();
		struct json_object *parts = json_new_array();

		json_put_number(o, "event", j->counts->events[e]);
		put_count(j, o, &sum);
		for (unsigned p = 0; p < PROF_PARTS; p++) {
			const struct count *c = &cells[e * PROF_PARTS + p];
			struct json_object *part;

			if (count_state(c) == COUNT_NONE)
				continue;
			part = json_new_object();
			json_put_text(part, "part", counts_part_name((enum prof_part)p));
			put_count(j, part, c);
			json_append(parts, part);
		}
		json_add(o, "parts", parts);
		json_append(all, o);
	}
	return all;
}

static struct json_object *json_region(const struct json_counts *j, const struct counts_region *r,
				       bool whole)
{
	const bool special = r->special != COUNTS_SPECIALS;
	struct json_object *o = json_new_object(), *threads;

	json_put_text(o, "kind", counts_region_kind(r->special));
	json_put_place(o, j->report->view, r->line);
	json_add(o, "events", json_events_of(j, r->cells));
	json_add(o, "ratios", json_ratios(j, special ? counts_all : counts_work, r->cells));

	struct json_object *all = json_new_array();

	for (size_t e = 0; e < j->counts->nevents; e++) {
		const double uneven = r->special == COUNTS_SPECIALS ? counts_imbalance(r, e) : 0;

		json_append(all, uneven > 0 ? json_ratio(uneven) : NULL);
	}
	json_add(o, "imbalance", all);
	if (!whole)
		return o;
	threads = json_new_array();
	for (size_t i = 0; i < r->nthreads; i++) {
		struct json_object *t = json_new_object();

		json_put_number(t, "thread", r->threads[i].thread);
		json_add(t, "events", json_events_of(j, r->threads[i].cells));
		json_add(t, "ratios",
			 json_ratios(j, special ? counts_all : counts_work, r->threads[i].cells));
		json_append(threads, t);
	}
	json_add(o, "threads", threads);
	return o;
}

static struct count total_of(const struct count *total, size_t event)
{
	return total[event];
}

void json_counts(struct json_stream *s, const struct report *r, size_t most)
{
	struct counts_ratio ratios[COUNTS_RATIOS_MAX];
	struct counts counts;
	struct json_counts j = { .report = r, .counts = &counts, .ratios = ratios };

	counts_build(r->view, &counts);
	j.nratios = counts_ratios(r->model, counts.events, counts.nevents, ratios);

	struct json_object *all = json_new_array();

	for (size_t e = 0; e < j.counts->nevents; e++) {
		struct json_object *o = json_new_object();
		const struct cells cells = json_cells(o, j.report);

		json_put_number(o, "event", j.counts->events[e]);
		count_cells(&cells, &j.counts->total[e]);
		json_add(o, "whole", json_new_boolean(j.counts->ended[e]));
		json_append(all, o);
	}
	json_member(s, "counts_total", all);
	json_member(s, "counts_ratios", json_ratios(&j, total_of, counts.total));
	json_open(s, "counts");
	for (size_t i = 0; i < counts.n && i < most; i++)
		json_element(s, json_region(&j, &counts.regions[i], most == SIZE_MAX));
	json_close(s);
	counts_fini(&counts);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* json_filter.c - what a report's filters left, and what they do not concern. */
#include "config.h"

#include <json-c/json.h>

#include "src/filter/filter.h"
#include "src/output/json/json_parts.h"
#include "src/output/output.h"
#include "src/tables/tables.h"

/* Members that are of the whole run in every report. */
static const char *const unfiltered[] = {
	"samples",	"processes",	 "events.counted", "threads.lost",	"threads.events",
	"counts_total", "counts_ratios", "counts",	   "memory.allocation",
};

static struct json_object *json_filter_options(const struct filter_options *options)
{
	struct json_object *all = json_new_array();

	for (unsigned k = 0; k < FILTER_OPTIONS; k++) {
		struct json_object *o;

		if (!options->value[k])
			continue;
		o = json_new_object();
		json_put_text(o, "option", filter_option_name((enum filter_kind)k));
		json_put_text(o, "value", options->value[k]);
		json_append(all, o);
	}
	return all;
}

static struct json_object *json_filter_events(const struct filtered *f)
{
	struct json_object *all = json_new_array();

	for (size_t e = 0; e < f->nevents; e++) {
		struct json_object *o = json_new_object();

		json_add(o, "all", json_sum(f->all[e].samples, f->all[e].weight));
		json_add(o, "left", json_sum(f->left[e].samples, f->left[e].weight));
		json_append(all, o);
	}
	return all;
}

struct json_object *json_filter(const struct report *r)
{
	const struct filtered *f = r->filtered;
	struct json_object *o, *hidden, *whole;

	if (!f)
		return NULL;
	o = json_new_object();
	hidden = json_new_array();
	whole = json_new_array();
	for (size_t i = 0; i < f->nhidden; i++)
		json_append(hidden, json_text(f->hidden[i]));
	for (size_t i = 0;
	     filter_selects(f->options) && i < sizeof(unfiltered) / sizeof(*unfiltered); i++)
		json_append(whole, json_text(unfiltered[i]));
	json_add(o, "options", json_filter_options(f->options));
	json_put_number(o, "samples_all", filtered_all(f));
	json_put_number(o, "samples_left", filtered_left(f));
	json_add(o, "events", json_filter_events(f));
	json_add(o, "hidden_modules", hidden);
	json_add(o, "unfiltered", whole);
	return o;
}

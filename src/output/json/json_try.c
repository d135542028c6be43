/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json_try.c - writes what settings gain, as described by doc/try.schema.json.
 */
#include "config.h"

#include <json-c/json.h>

#include "src/diff/tried.h"
#include "src/output/json/json_parts.h"
#include "src/output/runs_formats.h"

enum { JSON_TRY_VERSION = 1 };

static struct json_object *json_runs(const struct tried_side *s)
{
	struct json_object *o = json_new_object(), *runs = json_new_array();

	for (size_t i = 0; i < s->nruns; i++)
		json_append(runs, json_number(s->ns[i]));
	json_add(o, "median_ns", s->nruns ? json_amount(s->median_ns) : NULL);
	json_add(o, "runs_ns", runs);
	return o;
}

void try_json_write(FILE *out, const struct tried *t)
{
	const struct tried_side *best = tried_best(t);
	struct json_stream stream = { .out = out };

	json_begin(&stream, "omphwc-try", JSON_TRY_VERSION);
	json_member(&stream, "profiles", json_text(t->folder));
	json_member(&stream, "confidence", json_ratio(1 - TRIED_CHANCE));
	json_member(&stream, "rounds", json_number(t->rounds));
	json_member(&stream, "left_out", json_number(t->left_out));
	json_member(&stream, "interrupted",
		    json_number_if(t->interrupted != 0, (uint64_t)t->interrupted));
	json_member(&stream, "unknown", json_text(t->unknown));
	json_member(&stream, "as_it_is", json_runs(&t->sides[0]));
	json_member(&stream, "best", json_text(best ? best->settings : NULL));
	json_open(&stream, "remedies");
	for (size_t i = 1; i < t->n; i++) {
		const struct tried_side *s = &t->sides[i];
		struct json_object *o = json_runs(s);
		const bool any = s->nruns != 0 && t->sides[0].nruns != 0;

		json_put_text(o, "settings", s->settings);
		json_put_text(o, "finding", s->key);
		json_put_text(o, "against", s->finding);
		json_put_text(o, "refused", s->refused[0] ? s->refused : NULL);
		json_add(o, "gain", any ? json_ratio(s->gain.gain) : NULL);
		json_add(o, "gain_least", any && s->known ? json_ratio(s->gain.least) : NULL);
		json_add(o, "gain_most", any && s->known ? json_ratio(s->gain.most) : NULL);
		json_element(&stream, o);
	}
	fputs("]\n}\n", out);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* json_findings.c - the largest losses, and what helps. */
#include "config.h"

#include <json-c/json.h>

#include "src/output/finding_words.h"
#include "src/output/json/json_parts.h"
#include "src/output/output.h"
#include "src/tables/findings.h"
#include "src/view/view.h"

static struct json_object *json_finding_region(const struct view *v, const struct finding *f)
{
	struct json_object *o;

	if (f->special != REGION_SPECIALS)
		return NULL;
	o = json_new_object();
	json_put_place(o, v, f->line);
	return o;
}

static struct json_object *json_finding_construct(const struct view *v, const struct finding *f)
{
	const struct view_construct *c = &v->constructs[f->construct];
	struct json_object *o;

	if (c->kind < CONSTRUCT_SPECIALS)
		return NULL;
	o = json_new_object();
	json_put_text(o, "kind", construct_name((enum construct_kind)c->kind));
	json_put_text(o, "name", c->object);
	json_put_place(o, v, c->line);
	return o;
}

static struct json_object *json_finding_gain(double ns)
{
	return ns > 0 ? json_amount(ns) : NULL;
}

static struct json_object *json_finding(const struct view *v, const struct finding *f,
					const struct finding_words *w)
{
	struct json_object *o = json_new_object();

	json_put_text(o, "rule", finding_key(f->rule));
	json_add(o, "condition", json_new_boolean(finding_is_condition(f->rule)));
	json_add(o, "gain_ns", json_finding_gain(f->gain_ns));
	json_add(o, "asleep_ns", json_amount(f->asleep_ns));
	json_add(o, "own_ns", json_amount(f->own_ns));
	json_add(o, "region", json_finding_region(v, f));
	json_add(o, "construct", json_finding_construct(v, f));
	json_add(o, "thread", json_number_if(f->thread != UINT32_MAX, f->thread));
	json_put_text(o, "what", w->what);
	json_put_text(o, "why", w->why);
	json_put_text(o, "helps", w->helps);
	return o;
}

void json_findings(struct json_stream *s, const struct report *r)
{
	struct finding_words w;

	json_open(s, "findings");
	for (size_t i = 0; r->findings && i < r->findings->n; i++) {
		finding_words(r->view, &r->findings->all[i], &w);
		json_element(s, json_finding(r->view, &r->findings->all[i], &w));
		finding_words_fini(&w);
	}
	json_close(s);
}

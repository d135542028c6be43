/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include <json-c/json.h>

#include "src/model/construct_kind.h"
#include "src/model/model.h"
#include "src/output/columns/flat_tables.h"
#include "src/output/json/json_parts.h"
#include "src/output/output.h"
#include "src/tables/construct_time.h"
#include "src/tables/constructs.h"
#include "src/tables/losses.h"
#include "src/tables/regions.h"
#include "src/tables/tables.h"
#include "src/tables/tasks.h"
#include "src/view/view.h"

enum { LEADING_LINES = 5 }; /* number of lines shown for a region's slowest thread */

/* ---- regions --------------------------------------------------------- */

static struct json_object *json_regions_spread(const struct report *r,
					       const struct spread_thread *threads, size_t n)
{
	struct json_object *all = json_new_array();

	for (size_t i = 0; i < n; i++) {
		struct json_object *o = json_new_object();

		json_put_number(o, "thread", threads[i].thread);
		json_add(o, "self", json_costs(r->view, threads[i].self));
		json_append(all, o);
	}
	return all;
}

static struct json_object *json_region_contexts(const struct report *r, const struct region_row *g)
{
	struct json_object *all = json_new_array();

	for (size_t i = 0; i < g->ncontexts && g->special == REGION_SPECIALS; i++) {
		const struct view_region *c = &r->view->regions[g->contexts[i]];
		struct json_object *o = json_new_object();
		const struct cells cells = json_cells(o, r);

		json_put_number(o, "node", c->node);
		entries_cells(&cells, c->counts.entries, c->counts.elapsed_ns,
			      !c->counts.elapsed_unknown);
		team_cells(&cells, c->counts.team_least, c->counts.team_most, c->counts.team_sum);
		json_append(all, o);
	}
	return all;
}

/* The number of samples that an imbalance is based on. */
static void json_put_few(struct json_object *o, const struct spread_work *w)
{
	json_put_number(o, "samples", w->samples);
	json_add(o, "few_samples", json_new_boolean(w->samples < SPREAD_FEW));
}

/* One element for each event; null if there was no work. */
static struct json_object *json_imbalance(const struct report *r, const struct region_row *g)
{
	struct json_object *all = json_new_array();

	for (size_t e = 0; e < r->model->nevents; e++) {
		struct json_object *o = NULL;
		uint32_t slowest;
		double imbalance = region_imbalance(g, e, &slowest);
		const struct spread_work w =
			spread_work(g->threads, g->nthreads, g->counts.team_most, e);

		if (imbalance > 0 && g->special == REGION_SPECIALS) {
			o = json_new_object();
			json_add(o, "max_over_mean", json_ratio(imbalance));
			json_put_number(o, "slowest_thread", slowest);
			json_put_few(o, &w);
		}
		json_append(all, o);
	}
	return all;
}

/* The lines at which the slowest thread (by the sorting event) worked most. */
static struct json_object *json_slowest_lines(const struct report *r, const struct region_row *g)
{
	struct json_object *all = json_new_array();
	struct table t;
	uint32_t slowest;

	if (g->special != REGION_SPECIALS || region_imbalance(g, r->event, &slowest) <= 0)
		return all;
	region_lines(r->view, g, slowest, r->event, &t);
	for (size_t i = 0; i < t.n && i < LEADING_LINES; i++) {
		struct json_object *o = json_new_object();

		json_put_line(o, r->view, t.rows[i].key);
		json_put_number(o, "weight", cost_sum(t.rows[i].self, r->event).weight);
		json_append(all, o);
	}
	table_fini(&t);
	return all;
}

/* The innermost path with at least half of the slowest thread's work. */
static struct json_object *json_slowest_path(const struct report *r, const struct region_row *g)
{
	struct json_object *o;
	uint32_t slowest, node;
	uint64_t weight;

	if (g->special != REGION_SPECIALS || region_imbalance(g, r->event, &slowest) <= 0)
		return NULL;
	region_hot_node(r->view, g, slowest, r->event, &node, &weight);
	if (!node)
		return NULL;
	o = json_new_object();
	json_put_number(o, "node", node);
	json_put_number(o, "weight", weight);
	json_put_number(o, "others_wait", region_others_wait(g, slowest, r->event));
	return o;
}

/* The cost by the size of the team. */
static struct json_object *json_region_teams(const struct report *r, const struct region_row *g)
{
	struct json_object *all = json_new_array();
	struct table t;

	if (g->special != REGION_SPECIALS)
		return all;
	region_teams(r->view, g, &t);
	for (size_t i = 0; i < t.n; i++) {
		struct json_object *o = json_new_object();
		const uint64_t threads = t.rows[i].key;
		const bool stale = threads == PROF_TEAM_STALE;

		json_add(o, "threads",
			 json_number_if(threads != PROF_TEAM_UNKNOWN && !stale, threads));
		json_add(o, "stale", json_new_boolean(stale));
		json_add(o, "self", json_costs(r->view, t.rows[i].self));
		json_append(all, o);
	}
	table_fini(&t);
	return all;
}

struct json_object *json_sampled_region(const struct report *r, const struct region_row *g,
					bool whole)
{
	struct json_object *o = json_new_object();
	const struct cells c = json_cells(o, r);

	json_put_text(o, "kind", region_kind(g->special));
	json_put_place(o, r->view, g->line);
	region_cells(&c, g);
	json_add(o, "imbalance", json_imbalance(r, g));
	if (whole) {
		json_add(o, "slowest_path", json_slowest_path(r, g));
		json_add(o, "slowest_lines", json_slowest_lines(r, g));
	}
	json_add(o, "self", json_costs(r->view, g->self));
	if (whole) {
		json_add(o, "threads", json_regions_spread(r, g->threads, g->nthreads));
		json_add(o, "contexts", json_region_contexts(r, g));
		json_add(o, "teams", json_region_teams(r, g));
	}
	json_add(o, "time", json_region_time(r, g));
	return o;
}

void json_regions(struct json_stream *s, const struct report *r)
{
	struct regions regions;
	const bool timed = r->losses && !r->losses->unknown;

	regions_build(r->view, r->event, timed, &regions);
	json_open(s, "regions");
	for (size_t i = 0; i < regions.n; i++)
		json_element(s, json_sampled_region(r, &regions.all[i], true));
	json_close(s);
	regions_fini(&regions);
}

/* ---- tasks ----------------------------------------------------------- */

/* The region or task that contains the creating code. */
static struct json_object *json_creator(const struct view *v, const struct view_task *t)
{
	struct json_object *o;

	if (!t->creator && t->region < REGION_SPECIALS)
		return NULL;
	o = json_new_object();
	json_put_text(o, "kind",
		      construct_name(t->creator ? v->tasks[t->creator].kind :
						  v->regions[t->region].kind));
	json_put_place(o, v, t->creator ? v->tasks[t->creator].line : v->regions[t->region].line);
	return o;
}

static struct json_object *json_task(const struct report *r, const struct task_site *s)
{
	const struct view_task *t = s->what;
	struct json_object *o = json_new_object(), *waits = json_new_object();
	const struct cells c = json_cells(o, r);

	json_put_text(o, "kind", construct_name(t->kind));
	json_put_place(o, r->view, t->line);
	json_put_number(o, "node", t->node);
	json_add(o, "creator", json_creator(r->view, t));
	task_cells(&c, t);
	json_add(o, "self", json_costs(r->view, s->self));
	for (unsigned w = 0; w < TASK_WAITS; w++) {
		struct json_object *one = json_new_object();

		json_put_number(one, "sharing", s->waits[w].sharing);
		json_add(one, "self", json_costs(r->view, s->waits[w].self));
		json_add(waits, task_wait_name((enum task_wait)w), one);
	}
	json_add(o, "waits", waits);
	return o;
}

void json_tasks(struct json_stream *s, const struct report *r)
{
	struct tasks tasks;

	tasks_build(r->view, r->event, &tasks);
	json_open(s, "tasks");
	for (size_t i = 0; i < tasks.n; i++)
		json_element(s, json_task(r, &tasks.all[i]));
	json_close(s);
	tasks_fini(&tasks);
}

/* ---- constructs ------------------------------------------------------ */

/* One element for each event; null if there was no work. */
static struct json_object *json_construct_work(const struct report *r,
					       const struct construct_row *c)
{
	struct json_object *all = json_new_array();

	for (size_t e = 0; e < r->model->nevents; e++) {
		const struct spread_work w = construct_work(c, e);
		struct json_object *o = w.mean > 0 ? json_new_object() : NULL;

		if (o) {
			json_put_number(o, "least", w.least);
			json_add(o, "mean", json_amount(w.mean));
			json_put_number(o, "most", w.most);
			json_add(o, "max_over_mean", json_ratio((double)w.most / w.mean));
			json_put_number(o, "threads", w.nthreads);
			json_put_few(o, &w);
		}
		json_append(all, o);
	}
	return all;
}

/* The number of iterations or sections. */
static struct json_object *json_construct_count(const struct view_construct *w)
{
	struct json_object *o;

	if (!w->count_least)
		return NULL;
	o = json_new_object();
	json_put_number(o, "least", w->count_least);
	json_put_number(o, "most", w->count_most);
	json_add(o, "sum", json_number_if(w->count_sum != 0, w->count_sum));
	return o;
}

static struct json_object *json_entrants(const struct report *r, const struct view_construct *w)
{
	struct json_object *all = json_new_array();

	for (uint32_t i = 0; i < w->nentrants; i++) {
		const struct view_entrant *e = &r->view->entrants[w->entrants + i];
		struct json_object *o = json_new_object();
		const struct cells c = json_cells(o, r);

		json_put_number(o, "thread", e->thread);
		entries_cells(&c, e->entries, e->elapsed_ns, w->elapsed_known);
		cells_number_if(&c, "chunks", w->chunks != 0, e->chunks);
		json_append(all, o);
	}
	return all;
}

void json_constructs(struct json_stream *s, const struct report *r)
{
	struct constructs constructs;
	struct construct_times times;

	constructs_build(r->view, r->event, &constructs);
	construct_times_build(r->view, r->losses, &times);
	json_open(s, "constructs");
	for (size_t i = 0; i < constructs.n; i++) {
		const struct construct_row *c = &constructs.all[i];
		const struct view_construct *w = c->what;
		struct json_object *o = json_new_object();
		const struct cells cells = json_cells(o, r);

		json_put_text(o, "kind", construct_said(w));
		json_put_text(o, "name", w->object);
		json_put_place(o, r->view, w->line);
		construct_lines_cells(&cells, w);
		json_add(o, "count", json_construct_count(w));
		construct_entries_cells(&cells, w);
		construct_chunks_cells(&cells, w);
		json_add(o, "time", json_construct_time(r, &times, w));
		json_add(o, "entrants", json_entrants(r, w));
		json_add(o, "work", json_construct_work(r, c));
		json_add(o, "self", json_costs(r->view, c->self));
		json_add(o, "threads", json_regions_spread(r, c->threads, c->nthreads));
		json_element(s, o);
	}
	json_close(s);
	construct_times_fini(&times);
	constructs_fini(&constructs);
}

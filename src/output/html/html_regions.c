/* SPDX-License-Identifier: BSD-3-Clause */
/* html_regions.c - regions with their threads, waits and lines. */
#include "config.h"

#include <json-c/json.h>
#include <stdlib.h>

#include "src/model/leaf.h"
#include "src/model/model.h"
#include "src/output/html/html_parts.h"
#include "src/output/json/json_parts.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/tables/losses.h"
#include "src/tables/ranks.h"
#include "src/tables/regions.h"
#include "src/tables/tables.h"
#include "src/view/view.h"

#include "src/base/alloc.h"
#include "src/base/map.h"

/* ---- rows of threads ------------------------------------------------- */

size_t html_row_threads(const struct report *r)
{
	return (r->model->nthreads + HTML_ROWS - 1) / HTML_ROWS;
}

void html_rows(struct json_stream *s, const struct report *r)
{
	const size_t each = html_row_threads(r);

	json_member(s, "row_threads", json_number(each));
	json_open(s, "rows");
	for (size_t i = 0; i < r->model->nthreads; i += each) {
		char *name = thread_text(r->model, (uint32_t)i);

		json_element(s, json_text(name));
		free(name);
	}
	json_close(s);
}

/* ---- a region -------------------------------------------------------- */

static bool wait_key(const struct view *v, const struct view_record *r, void *arg,
		     struct table_key_pair *key)
{
	(void)v;
	(void)arg;
	key->a = (uint64_t)r->leaf << 32 | r->line;
	key->b = (uintptr_t)r->object;
	return r->class != OMP_WORK;
}

static bool line_key(const struct view *v, const struct view_record *r, void *arg,
		     struct table_key_pair *key)
{
	(void)v;
	(void)arg;
	key->a = table_line_key(v, r);
	return true;
}

static struct json_object *region_wait(const struct report *r, const struct table_row *row)
{
	const enum omp_leaf leaf = (enum omp_leaf)(row->key >> 32);
	struct json_object *o = json_new_object();

	json_put_text(o, "state", leaf_label(leaf));
	json_put_place(o, r->view, (uint32_t)row->key);
	json_put_text(o, "object", (const char *)(uintptr_t)row->key2);
	json_add(o, "self", json_costs(r->view, row->self));
	return o;
}

/* The region's largest rows of a table by that key. */
static struct json_object *
region_parts(const struct report *r, const struct region_row *g, table_key_of key,
	     struct json_object *(*part)(const struct report *, const struct table_row *))
{
	struct json_object *all = json_new_array();
	struct table t;

	table_build_among(r->view, &g->records, key, NULL, &t);
	table_sort(&t, r->event);
	for (size_t i = 0; i < t.n && i < HTML_REGION_PARTS; i++)
		json_append(all, part(r, &t.rows[i]));
	table_fini(&t);
	return all;
}

/* What the thread with the most work does mostly, and how long others wait for it; of several
   ranks, those of its rank. */
static struct json_object *region_slowest(const struct report *r, const struct ranks *ranks,
					  const struct region_row *g)
{
	const struct view *v = r->view;
	struct json_object *o, *lines = json_new_array();
	struct region_row part;
	struct table t;
	uint32_t slowest;

	if (ranks->n && ranks_worst(ranks, g, &part))
		g = &part;
	if (g->special != REGION_SPECIALS || region_imbalance(g, r->event, &slowest) <= 0) {
		json_object_put(lines);
		return NULL;
	}
	region_lines(v, g, slowest, r->event, &t);
	o = json_new_object();
	json_put_number(o, "thread", slowest);
	json_add(o, "imbalance", json_ratio(region_imbalance(g, r->event, &slowest)));
	json_put_number(o, "others_wait", region_others_wait(g, slowest, r->event));
	for (size_t i = 0; i < t.n && i < HTML_REGION_PARTS; i++) {
		struct json_object *one = json_new_object();

		json_put_line(one, v, t.rows[i].key);
		json_put_number(one, "weight", cost_sum(t.rows[i].self, r->event).weight);
		json_append(lines, one);
	}
	json_add(o, "lines", lines);
	table_fini(&t);
	return o;
}

/* shown: the short names of other regions (printable.h). */
static struct json_object *html_region(const struct report *r, const struct ranks *ranks,
				       const struct region_row *g, struct map *shown)
{
	struct json_object *o = json_sampled_region(r, g, false);
	char *name = region_label(r->view, g->special, g->line);
	char *brief = format_fitting(name, HTML_NAME_COLUMNS, shown);

	json_put_text(o, "name", name);
	json_put_text(o, "short", brief);
	free(brief);
	free(name);
	/* The costs of the region's rows, as html_cells() has them. */
	const size_t nevents = r->model->nevents, block = nevents * OMP_CLASSES;
	const size_t each = html_row_threads(r);
	struct json_object *cells = html_cells(nevents);
	struct cost *sum = alloc_zeroed(block + 1, sizeof(*sum));

	for (size_t i = 0; i < g->nthreads; i++) {
		const uint64_t row = g->threads[i].thread / each;

		cost_add(sum, g->threads[i].self, nevents);
		if (i + 1 < g->nthreads && g->threads[i + 1].thread / each == row)
			continue;
		html_cells_add(cells, nevents, r->view->classes, row, sum);
		for (size_t c = 0; c < block; c++)
			sum[c] = (struct cost){ 0 };
	}
	free(sum);
	json_add(o, "rows", cells);
	json_add(o, "waits", region_parts(r, g, wait_key, region_wait));
	json_add(o, "lines", region_parts(r, g, line_key, json_line_cost));
	json_add(o, "slowest", region_slowest(r, ranks, g));
	if (ranks->n)
		json_add(o, "ranks", json_region_ranks(r, ranks, g));
	return o;
}

/* ---- all ------------------------------------------------------------- */

void html_regions(struct json_stream *s, const struct report *r)
{
	struct ranks ranks;
	struct regions regions = { 0 };
	const bool timed = r->losses && !r->losses->unknown;
	struct map shown = { 0 };

	ranks_build(r->view, r->event, &ranks);
	regions_build(r->view, r->event, timed, &regions);
	json_open(s, "regions");
	for (size_t i = 0; i < regions.n && i < HTML_REGIONS; i++)
		json_element(s, html_region(r, &ranks, &regions.all[i], &shown));
	json_close(s);
	if (ranks.n)
		json_member(s, "ranks", json_run_ranks(r, &ranks, &regions));
	/* The regions that are not shown: their number and cost. */
	const size_t nevents = r->model->nevents;
	struct cost *sum = alloc_zeroed(nevents * OMP_CLASSES + 1, sizeof(*sum));

	for (size_t i = HTML_REGIONS; i < regions.n; i++)
		cost_add(sum, regions.all[i].self, nevents);
	html_left(s, r, "regions_left", regions.n > HTML_REGIONS ? regions.n - HTML_REGIONS : 0,
		  sum);
	free(sum);
	map_free(&shown);
	regions_fini(&regions);
	ranks_fini(&ranks);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * html_timeline.c - what each thread did when, and the regions' longest entries.
 *
 * Rows are those of html_rows(); buckets of time are joined to columns, so that the number of
 * cells is bounded.
 */
#include "config.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/base/map.h"
#include "src/model/model.h"
#include "src/output/html/html_parts.h"
#include "src/output/json/json_parts.h"
#include "src/output/output.h"
#include "src/tables/instances.h"
#include "src/tables/lanes.h"
#include "src/tables/regions.h"
#include "src/view/view.h"

#include "src/base/alloc.h"

enum { COLUMNS_LEAST = 60, COLUMNS_MOST = 400, SAMPLES_EACH = 8 };

/* The cells of one event; a cell's key is row * columns + column. */
struct grid {
	unsigned classes;     /* the view's */
	size_t each;	      /* threads a row */
	size_t rows, columns; /* columns join so many buckets */
	size_t buckets;
	uint64_t *weight;     /* by cell and class */
	struct map by_region; /* (cell, region of the view): index of part */
	uint64_t *part;	      /* the weight of a cell's region */
	uint32_t *region;     /* by cell: the region with the most weight, + 1; 0: none */
	uint64_t *most;
};

/* The buckets that a column joins: so many that there are no more columns than can be seen,
   and that a row has some samples in each. */
static size_t grid_buckets(const struct lanes *l, size_t rows)
{
	size_t columns = COLUMNS_MOST;
	uint64_t samples = 0;

	for (size_t i = 0; i < l->ncells; i++)
		samples += l->cells[i].samples;
	if (samples / SAMPLES_EACH / rows < columns)
		columns = (size_t)(samples / SAMPLES_EACH / rows);
	if (columns < COLUMNS_LEAST)
		columns = COLUMNS_LEAST;
	if (columns > HTML_CELLS / rows)
		columns = HTML_CELLS / rows;
	return (l->nbuckets + columns - 1) / columns;
}

static size_t grid_rows(const struct report *r)
{
	const size_t each = html_row_threads(r);

	return each ? (r->model->nthreads + each - 1) / each : 1;
}

/* ---- writing --------------------------------------------------------- */

/* Row, column, class and weight of each cell. */
static void grid_write_cells(FILE *out, const struct grid *g)
{
	bool first = true;

	fputs("{\"cells\":[", out);
	for (size_t i = 0; i < g->rows * g->columns; i++)
		for (unsigned c = 0; c < OMP_CLASSES; c++) {
			const uint64_t weight = g->weight[i * OMP_CLASSES + c];

			if (!weight)
				continue;
			fprintf(out, "%s%zu,%zu,%u,%" PRIu64, first ? "" : ",", i / g->columns,
				i % g->columns, omp_class_index(g->classes, c), weight);
			first = false;
		}
	fputs("],\n", out);
}

/* Row, column and region of each cell: the region's index in names, which has all that are
   met in any event. */
static void grid_write_regions(FILE *out, const struct grid *g, struct map *names)
{
	bool first = true;
	uint32_t at;

	fputs("\"regions\":[", out);
	for (size_t i = 0; i < g->rows * g->columns; i++) {
		if (!g->region[i])
			continue;
		map_add(names, g->region[i] - 1, 0, (uint32_t)names->count, &at);
		fprintf(out, "%s%zu,%zu,%" PRIu32, first ? "" : ",", i / g->columns, i % g->columns,
			at);
		first = false;
	}
	fputs("]}", out);
}

static void timeline_event(struct json_stream *s, const struct report *r, size_t event,
			   size_t buckets, struct map *names)
{
	struct grid g = { 0 };
	struct lanes l;

	lanes_build(r->view, event, &l);
	if (l.unknown) {
		fputs("null", s->out);
	} else {
		g = (struct grid){
			.classes = r->view->classes,
			.each = html_row_threads(r),
			.rows = grid_rows(r),
			.buckets = buckets,
			.columns = (l.nbuckets + buckets - 1) / buckets,
		};
		g.weight = alloc_zeroed(g.rows * g.columns * OMP_CLASSES + 1, sizeof(*g.weight));
		g.part = alloc_zeroed(l.ncells + 1, sizeof(*g.part));
		g.region = alloc_zeroed(g.rows * g.columns + 1, sizeof(*g.region));
		g.most = alloc_zeroed(g.rows * g.columns + 1, sizeof(*g.most));
		for (size_t i = 0; i < l.ncells; i++) {
			const struct lane_cell *c = &l.cells[i];
			const size_t column = c->bucket / g.buckets,
				     cell = c->thread / g.each * g.columns + column;
			uint32_t at;

			g.weight[cell * OMP_CLASSES + c->class] += c->weight;
			map_add(&g.by_region, cell, c->region, (uint32_t)g.by_region.count, &at);
			g.part[at] += c->weight;
			if (g.part[at] > g.most[cell]) {
				g.most[cell] = g.part[at];
				g.region[cell] = c->region + 1;
			}
		}
		grid_write_cells(s->out, &g);
		grid_write_regions(s->out, &g, names);
	}
	free(g.weight);
	free(g.part);
	free(g.region);
	free(g.most);
	map_free(&g.by_region);
	lanes_fini(&l);
}

static struct json_object *timeline_name(const struct view *v, uint32_t region)
{
	char *name = region_label_of(v, region);
	struct json_object *o = json_text(name);

	free(name);
	return o;
}

static struct json_object *timeline_instance(const struct view *v, const struct instance *i)
{
	struct json_object *o = json_new_object();

	json_add(o, "name", timeline_name(v, i->region));
	json_put_place(o, v, v->regions[i->region].line);
	json_put_number(o, "longest_ns", i->ns);
	json_add(o, "begin_ns", json_new_double(i->begin_ns));
	json_add(o, "number", json_number_if(i->number != 0, i->number));
	json_add(o, "entries", json_number_if(i->entries != 0, i->entries));
	json_put_number(o, "whole_ns", i->whole_ns);
	return o;
}

void html_timeline(struct json_stream *s, const struct report *r)
{
	struct instance *instances;
	struct lanes l;
	size_t n;

	instances_build(r->view, &instances, &n);
	lanes_build(r->view, r->event, &l);
	if (l.unknown && !n) {
		json_member(s, "timeline", NULL);
	} else {
		const size_t buckets = l.nbuckets ? grid_buckets(&l, grid_rows(r)) : 1;

		fputs("\"timeline\":{\n", s->out);
		json_member(s, "columns", json_number((l.nbuckets + buckets - 1) / buckets));
		json_member(s, "column_ns", json_new_double(l.bucket_ns * (double)buckets));
		json_member(s, "end_ns", json_new_double(l.end_ns));
		json_member(s, "unknown", json_text(l.unknown));
		/* Columns are the same for each event. */
		struct map names = { 0 };

		fputs("\"events\":[", s->out);
		for (size_t e = 0; e < r->model->nevents; e++) {
			fputs(e ? ",\n" : "\n", s->out);
			timeline_event(s, r, e, buckets, &names);
		}
		fputs("],\n", s->out);
		json_open(s, "names");
		for (size_t i = 0; i < names.count; i++)
			json_element(s, timeline_name(r->view, (uint32_t)names.entries[i].a));
		json_close(s);
		map_free(&names);
		json_open(s, "longest");
		for (size_t i = 0; i < n && i < HTML_REGION_PARTS; i++)
			json_element(s, timeline_instance(r->view, &instances[i]));
		json_close(s);
		fputs("\"end\":true},\n", s->out);
	}
	lanes_fini(&l);
	free(instances);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* json_timeline.c - what threads did when, how many worked, and what made others wait. */
#include "config.h"

#include <json-c/json.h>
#include <stdlib.h>

#include "src/base/alloc.h"
#include "src/model/model.h"
#include "src/output/json/json_parts.h"
#include "src/output/output.h"
#include "src/tables/blamed.h"
#include "src/tables/instances.h"
#include "src/tables/lanes.h"
#include "src/tables/parallelism.h"
#include "src/tables/regions.h"
#include "src/view/view.h"

/* A region, or what is outside of regions. */
static void timeline_put_region(struct json_object *o, const struct view *v, uint32_t region)
{
	char *name = region_label_of(v, region);

	json_put_text(o, "name", name);
	json_put_place(o, v, region >= REGION_SPECIALS ? v->regions[region].line : 0);
	free(name);
}

/* ---- lanes ------------------------------------------------------------- */

/* By thread, region and class; within these by bucket. */
static int lane_order(const void *a, const void *b)
{
	const struct lane_cell *const *x = a, *const *y = b;

	if ((*x)->thread != (*y)->thread)
		return (*x)->thread < (*y)->thread ? -1 : 1;
	if ((*x)->region != (*y)->region)
		return (*x)->region < (*y)->region ? -1 : 1;
	if ((*x)->class != (*y)->class)
		return (*x)->class - (*y)->class;
	return (*x)->bucket < (*y)->bucket ? -1 : 1;
}

static void add_number(struct json_object *array, uint64_t n)
{
	json_append(array, json_number(n));
}

/* One lane: n cells, which differ by bucket only. */
static struct json_object *lane_object(const struct view *v, size_t event,
				       struct lane_cell *const *cells, size_t n)
{
	struct json_object *o = json_new_object();
	struct json_object *region = json_new_object();
	struct json_object *bucket = json_new_array();
	struct json_object *weight = json_new_array();
	struct json_object *samples = json_new_array();

	timeline_put_region(region, v, cells[0]->region);
	json_put_number(o, "event", event);
	json_put_number(o, "thread", cells[0]->thread);
	json_add(o, "region", region);
	json_put_text(o, "class", omp_class_name((enum omp_class)cells[0]->class));
	for (size_t i = 0; i < n; i++) {
		add_number(bucket, cells[i]->bucket);
		add_number(weight, cells[i]->weight);
		add_number(samples, cells[i]->samples);
	}
	json_add(o, "buckets", bucket);
	json_add(o, "weights", weight);
	json_add(o, "samples", samples);
	return o;
}

static void lanes_write(struct json_stream *s, const struct report *r, const struct lanes *l)
{
	struct lane_cell **sorted = alloc_zeroed(l->ncells + 1, sizeof(*sorted));

	for (size_t i = 0; i < l->ncells; i++)
		sorted[i] = &l->cells[i];
	if (l->ncells)
		qsort(sorted, l->ncells, sizeof(*sorted), lane_order);
	for (size_t i = 0, n; i < l->ncells; i += n) {
		const struct lane_cell *c = sorted[i];

		for (n = 1; i + n < l->ncells; n++)
			if (sorted[i + n]->thread != c->thread ||
			    sorted[i + n]->region != c->region || sorted[i + n]->class != c->class)
				break;
		json_element(s, lane_object(r->view, l->event, sorted + i, n));
	}
	free(sorted);
}

/* Each event has its own lanes, in the same buckets. */
static void json_lanes(struct json_stream *s, const struct report *r)
{
	struct lanes l;

	json_open(s, "lanes");
	for (size_t e = 0; e < r->model->nevents; e++) {
		lanes_build(r->view, e, &l);
		if (!l.unknown)
			lanes_write(s, r, &l);
		lanes_fini(&l);
	}
	json_close(s);
}

/* ---- longest entries --------------------------------------------------- */

static struct json_object *instance_object(const struct view *v, const struct instance *i)
{
	struct json_object *o = json_new_object();

	json_put_place(o, v, v->regions[i->region].line);
	json_put_number(o, "process", i->process);
	json_put_number(o, "longest_ns", i->ns);
	json_add(o, "begin_ns", json_new_double(i->begin_ns));
	json_add(o, "number", json_number_if(i->number != 0, i->number));
	json_add(o, "threads", json_number_if(i->team != 0, i->team));
	return o;
}

void json_timeline(struct json_stream *s, const struct report *r)
{
	struct instance *instances;
	struct lanes l;
	size_t n;

	instances_build(r->view, &instances, &n);
	lanes_build(r->view, r->event, &l);
	if (l.unknown && !n) {
		json_member(s, "timeline", NULL);
	} else {
		fputs("\"timeline\":{\n", s->out);
		json_lanes(s, r);
		json_open(s, "longest_entries");
		for (size_t i = 0; i < n; i++)
			json_element(s, instance_object(r->view, &instances[i]));
		json_close(s);

		/* The last members, which no comma follows. */
		struct json_object *unknown = json_text(l.unknown);

		fprintf(s->out,
			"\"unknown\":%s,\"buckets\":%zu,\"bucket_ns\":%.1f,\"end_ns\":%.1f},\n",
			json_object_to_json_string(unknown), l.nbuckets, l.bucket_ns, l.end_ns);
		json_object_put(unknown);
	}
	lanes_fini(&l);
	free(instances);
}

/* ---- how many threads worked ------------------------------------------------ */

/* The place of a region of the view; NULL: it is none. */
static struct json_object *json_region_place(const struct view *v, uint32_t region)
{
	struct json_object *o;

	if (region < REGION_SPECIALS)
		return NULL;
	o = json_new_object();
	json_put_place(o, v, v->regions[region].line);
	return o;
}

static struct json_object *rows_array(const struct report *r, const struct parallelism *p)
{
	struct json_object *rows = json_new_array();

	for (size_t i = 0; i < p->nrows; i++) {
		struct json_object *row = json_new_object();
		struct json_object *lines = json_new_array();

		json_put_number(row, "threads", i);
		json_add(row, "elapsed_ns", json_amount(p->rows[i].elapsed_ns));
		for (size_t k = 0; k < p->rows[i].n; k++) {
			const struct parallelism_line *line = &p->lines[p->rows[i].first + k];
			struct json_object *o = json_new_object();

			json_put_line(o, r->view, line->line);
			json_add(o, "region", json_region_place(r->view, line->region));
			json_add(o, "elapsed_ns", json_amount(line->elapsed_ns));
			json_add(o, "work_ns", json_amount(line->work_ns));
			json_append(lines, o);
		}
		json_add(row, "lines", lines);
		json_append(rows, row);
	}
	return rows;
}

/* null where it is not known. */
void json_parallelism(struct json_stream *s, const struct report *r)
{
	struct json_object *o = NULL;
	struct parallelism p;

	parallelism_build(r->view, &p);
	if (!p.unknown) {
		o = json_new_object();
		json_put_number(o, "event", p.event);
		json_put_number(o, "processes", p.nprocesses);
		json_add(o, "bucket_ns", json_amount(p.bucket_ns));
		json_add(o, "elapsed_ns", json_amount(p.elapsed_ns));
		json_add(o, "work_ns", json_amount(p.work_ns));
		json_add(o, "untimed_ns", json_amount(p.untimed_ns));
		json_add(o, "nobody_ns", json_amount(p.nobody_ns));
		json_add(o, "rows", rows_array(r, &p));
	}
	json_member(s, "parallelism", o);
	parallelism_fini(&p);
}

/* ---- what makes threads wait ------------------------------------------------ */

static struct json_object *json_blame_parts(const struct blamed_row *row)
{
	struct json_object *parts = json_new_array();

	for (size_t i = 0; i < row->nparts; i++) {
		struct json_object *o = json_new_object();

		json_put_text(o, "kind", blamed_kind_name((enum blame_kind)row->parts[i].kind));
		json_put_text(o, "object", row->parts[i].object);
		json_put_number(o, "causes", row->parts[i].weight);
		json_append(parts, o);
	}
	return parts;
}

static struct json_object *json_blame_row(const struct view *v, const struct blamed_row *row)
{
	struct json_object *o = json_new_object();

	json_put_line(o, v, row->line);
	json_add(o, "region", json_region_place(v, row->region));
	json_put_number(o, "work", row->work);
	json_put_number(o, "causes", row->causes);
	json_add(o, "parts", json_blame_parts(row));
	return o;
}

static struct json_object *json_blame_functions(const struct view *v, const struct blamed *t)
{
	struct json_object *functions = json_new_array();

	for (size_t i = 0; i < t->nfunctions; i++) {
		struct json_object *o = json_new_object();

		json_put_number(o, "function", t->functions[i].function);
		json_put_text(o, "name", v->names.functions[t->functions[i].function].name);
		json_put_number(o, "work", t->functions[i].work);
		json_put_number(o, "causes", t->functions[i].causes);
		json_append(functions, o);
	}
	return functions;
}

static struct json_object *json_blame_waits(const struct blamed *t)
{
	struct json_object *o = json_new_object();

	for (unsigned k = 0; k < BLAME_KINDS; k++) {
		struct json_object *kind = json_new_object();

		json_put_number(kind, "charged", t->charged[k]);
		json_add(kind, "waited", json_number_if(t->waits_known, t->waited[k]));
		json_add(o, blamed_kind_name((enum blame_kind)k), kind);
	}
	return o;
}

/* blame is null where it was not noted. */
void json_blame(struct json_stream *s, const struct report *r)
{
	struct json_object *o = NULL, *rows;
	struct blamed t;

	blamed_build(r->view, r->event, &t);
	if (t.asked) {
		o = json_new_object();
		rows = json_new_array();
		for (size_t i = 0; i < t.n; i++)
			json_append(rows, json_blame_row(r->view, &t.rows[i]));
		json_add(o, "waits", json_blame_waits(&t));
		json_add(o, "rows", rows);
		json_add(o, "functions", json_blame_functions(r->view, &t));
	}
	json_member(s, "blame", o);
	blamed_fini(&t);
}

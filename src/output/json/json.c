/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json.c - writes the whole view as described by doc/report.schema.json.
 *
 * Large arrays are streamed, one element per line.  Numbers are integers and never rounded;
 * unknown values are null.
 */
#include "config.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <stdlib.h>

#include "src/model/model.h"
#include "src/output/columns/flat_tables.h"
#include "src/output/formats.h"
#include "src/output/json/json_parts.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/tables/losses.h"
#include "src/tables/tables.h"
#include "src/view/view.h"

enum { JSON_VERSION = 1 };

/* ---- events ---------------------------------------------------------- */

static struct json_object *json_event(const struct view *v, size_t event, const struct cost *total)
{
	const struct model *m = v->model;
	const struct model_event *e = &m->events[event];
	struct json_object *o = json_new_object(), *all;
	struct prof_value sum;
	size_t known = model_counted(m, event, &sum);

	json_put_text(o, "label", e->label);
	json_put_text(o, "requested", e->requested);
	json_add(o, "substituted", json_new_boolean(e->flags & PROF_EVENT_SUBSTITUTED));
	json_put_text(o, "unit", format_unit(e->unit));
	json_add(o, "wall", json_new_boolean(e->flags & PROF_EVENT_WALL));
	json_add(o, "user_only", json_new_boolean(e->flags & PROF_EVENT_USER_ONLY));
	json_add(o, "sampled", json_new_boolean(!(e->flags & PROF_EVENT_COUNT_ONLY)));
	json_add(o, "period", json_number_if(e->period != 0, e->period));
	json_add(o, "frequency_hz", json_number_if(e->freq_hz != 0, e->freq_hz));
	json_add(o, "counted", json_counted(&sum, known));
	all = json_costs(v, total);
	json_add(o, "total", json_object_get(json_object_array_get_idx(all, event)));
	json_object_put(all);
	if (v->mpi_threads)
		json_add(o, "mpi_threads",
			 json_sum(v->mpi_threads[event].samples, v->mpi_threads[event].weight));
	return o;
}

void json_events(struct json_stream *s, const struct report *r)
{
	struct table t;

	table_build(r->view, TABLE_STATE, &t);
	json_open(s, "events");
	for (size_t e = 0; e < r->model->nevents; e++)
		json_element(s, json_event(r->view, e, t.total));
	json_close(s);
	table_fini(&t);
}

/* ---- functions, lines, states ---------------------------------------- */

static const char *json_function_kind(const struct function *f)
{
	static const char *const outlined[] = {
		[SYM_NOT_OUTLINED] = "function",
		[SYM_OUTLINED_REGION] = "outlined region",
		[SYM_OUTLINED_TASK] = "outlined task",
		[SYM_OUTLINED_HELPER] = "helper",
	};

	return f->kind == FUNCTION_ARTIFICIAL ? "artificial" :
	       f->kind == FUNCTION_UNKNOWN    ? "unknown" :
						outlined[f->outlined];
}

static struct json_object *json_function(const struct report *r, const struct table_row *row)
{
	const struct function *f = &r->view->names.functions[row->key];
	struct json_object *o = json_new_object();
	const struct cells c = json_cells(o, r);

	json_put_number(o, "id", row->key);
	json_put_text(o, "name", f->name);
	json_put_text(o, "kind", json_function_kind(f));
	json_put_text(o, "linkage", f->linkage);
	cells_definition(&c, f);
	json_add(o, "library", json_new_boolean(f->library));
	json_add(o, "self", json_costs(r->view, row->self));
	json_add(o, "inclusive", json_costs(r->view, row->inclusive));
	return o;
}

/* A module, or a file of the source. */
static struct json_object *json_name(const struct report *r, const struct table_row *row)
{
	struct json_object *o = json_new_object();

	json_put_text(o, "name", (const char *)(uintptr_t)row->key);
	json_put_text(o, "kind", table_name_kind((enum table_name_kind)row->key2));
	json_add(o, "self", json_costs(r->view, row->self));
	return o;
}

/* One element for each row. */
static void
json_table(struct json_stream *s, const struct report *r, enum table_key by, const char *member,
	   struct json_object *(*element)(const struct report *, const struct table_row *))
{
	struct table t;

	table_build(r->view, by, &t);
	if (by == TABLE_FUNCTION)
		table_add_inclusive(r->view, by, &t);
	table_sort(&t, r->event);
	json_open(s, member);
	for (size_t i = 0; i < t.n; i++)
		json_element(s, element(r, &t.rows[i]));
	json_close(s);
	table_fini(&t);
}

static void json_functions(struct json_stream *s, const struct report *r)
{
	json_table(s, r, TABLE_FUNCTION, "functions", json_function);
}

static void json_modules(struct json_stream *s, const struct report *r)
{
	json_table(s, r, TABLE_MODULE, "modules", json_name);
}

static void json_files(struct json_stream *s, const struct report *r)
{
	json_table(s, r, TABLE_FILE, "files", json_name);
}

static void json_lines(struct json_stream *s, const struct report *r)
{
	json_table(s, r, TABLE_LINE, "lines", json_line_cost);
}

/* Of a state and line; the state's cost is the sum over its lines. */
static struct json_object *json_state(const struct report *r, const struct table_row *row)
{
	const enum omp_leaf leaf = (enum omp_leaf)(row->key >> 32);
	struct json_object *o = json_new_object();

	json_put_text(o, "state", leaf_label(leaf));
	json_put_text(o, "artificial", leaf_function(leaf));
	json_put_place(o, r->view, (uint32_t)row->key);
	json_put_text(o, "object", (const char *)(uintptr_t)row->key2);
	json_add(o, "self", json_costs(r->view, row->self));
	return o;
}

static struct json_object *json_phase(const struct report *r, const struct table_row *row)
{
	struct json_object *o = json_new_object();
	const struct cells c = json_cells(o, r);

	phase_cells(&c, (uint32_t)row->key);
	json_add(o, "self", json_costs(r->view, row->self));
	return o;
}

static void json_phases(struct json_stream *s, const struct report *r)
{
	json_table(s, r, TABLE_PHASE, "phases", json_phase);
}

static void json_states(struct json_stream *s, const struct report *r)
{
	json_table(s, r, TABLE_STATE_LINE, "states", json_state);
}

/* ---- devices ---------------------------------------------------------- */

static void json_devices(struct json_stream *s, const struct report *r)
{
	const struct view *v = r->view;

	json_open(s, "devices");
	for (size_t i = 0; i < v->ndevice_ops && !v->filtered; i++) {
		const struct view_device_op *d = &v->device_ops[i];
		struct json_object *o = json_new_object();
		const struct cells c = json_cells(o, r);

		json_put_text(o, "construct",
			      construct_name(
				      (enum construct_kind)v->constructs[d->construct].kind));
		json_put_place(o, v, v->constructs[d->construct].line);
		device_cells(&c, d);
		json_element(s, o);
	}
	json_close(s);
}

/* ---- the tree -------------------------------------------------------- */

/* Prints the same as json_costs(), but fast enough for a million nodes. */
static void json_tree_costs(FILE *out, const struct view *v, const struct cost *block)
{
	for (size_t e = 0; e < v->model->nevents; e++) {
		const struct cost sum = cost_sum(block, e);

		fprintf(out, "%s{\"samples\":%" PRIu64 ",\"weight\":%" PRIu64, e ? "," : "",
			sum.samples, sum.weight);
		for (unsigned c = 0; c < OMP_CLASSES; c++)
			if (omp_has_class(v->classes, c))
				fprintf(out, ",\"%s\":%" PRIu64, omp_class_name((enum omp_class)c),
					cost_at(block, e, (enum omp_class)c)->weight);
		putc('}', out);
	}
}

/* Nodes without samples of their own have no member self. */
static void json_tree(struct json_stream *s, const struct report *r)
{
	const struct tree *tree = &r->view->tree;
	const size_t nevents = r->model->nevents, block = nevents * OMP_CLASSES;
	struct cost *self, *inclusive;

	tree_costs(r->view, &self, &inclusive);
	fputs("\"tree\":[", s->out);
	for (size_t i = 1; i < tree->n; i++) {
		fprintf(s->out, "%s\n{\"id\":%zu,\"parent\":%u,\"function\":%u", i > 1 ? "," : "",
			i, tree->nodes[i].parent, tree->nodes[i].function);
		if (!cost_is_zero(&self[i * block], nevents)) {
			fputs(",\"self\":[", s->out);
			json_tree_costs(s->out, r->view, &self[i * block]);
			putc(']', s->out);
		}
		putc('}', s->out);
	}
	fputs("]\n", s->out);
	free(self);
	free(inclusive);
}

/* ---- the whole ------------------------------------------------------- */

void json_troubles(struct json_stream *s, const struct report *r)
{
	json_open(s, "without_names");
	for (size_t i = 0; i < r->ntroubles; i++) {
		struct json_object *o = json_new_object();

		json_put_text(o, "path", r->troubles[i].path);
		json_put_text(o, "why", r->troubles[i].why);
		json_element(s, o);
	}
	json_close(s);
}

static void json_all_threads(struct json_stream *s, const struct report *r)
{
	json_threads(s, r, SIZE_MAX);
}

static void json_all_cpus(struct json_stream *s, const struct report *r)
{
	json_cpus(s, r, SIZE_MAX);
}

static void json_all_counts(struct json_stream *s, const struct report *r)
{
	json_counts(s, r, SIZE_MAX);
}

int json_write(FILE *out, const struct report *r)
{
	static void (*const sections[])(struct json_stream *, const struct report *) = {
		json_events,	json_all_threads, json_all_cpus,    json_all_counts, json_regions,
		json_ranks,	json_tasks,	  json_constructs,  json_modules,    json_files,
		json_functions, json_lines,	  json_phases,	    json_states,     json_memory,
		json_blame,	json_timeline,	  json_parallelism, json_devices,    json_tree,
	};
	struct json_stream s = { .out = out };

	json_begin(&s, "omphwc-report", JSON_VERSION);
	json_member(&s, "view", json_text(view_name(r->view->kind)));
	json_member(&s, "event", json_number(r->event));
	json_member(&s, "filter", json_filter(r));
	json_member(&s, "samples", json_samples(r->model));
	json_member(&s, "time_unknown",
		    r->losses && r->losses->unknown ? json_text(r->losses->unknown) : NULL);
	json_member(&s, "time", json_time(r));
	json_member(&s, "job", json_job(r));
	json_findings(&s, r);
	json_processes(&s, r, SIZE_MAX);
	json_troubles(&s, r);
	for (size_t i = 0; i < sizeof(sections) / sizeof(*sections); i++)
		sections[i](&s, r);
	fputs("}\n", out);
	return 0;
}

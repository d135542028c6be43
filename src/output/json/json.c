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

#include "src/filter/filter.h"
#include "src/model/model.h"
#include "src/output/columns/flat_tables.h"
#include "src/output/finding_words.h"
#include "src/output/formats.h"
#include "src/output/json/json_parts.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/tables/findings.h"
#include "src/tables/losses.h"
#include "src/tables/tables.h"
#include "src/tables/tasks.h"
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

/* One element for each row. */
static void json_tables(struct json_stream *s, const struct report *r)
{
	static const struct {
		const char *member;
		enum table_key by;
		struct json_object *(*element)(const struct report *, const struct table_row *);
	} tables[] = {
		{ "modules", TABLE_MODULE, json_name },
		{ "files", TABLE_FILE, json_name },
		{ "functions", TABLE_FUNCTION, json_function },
		{ "lines", TABLE_LINE, json_line_cost },
		{ "phases", TABLE_PHASE, json_phase },
		{ "states", TABLE_STATE_LINE, json_state },
	};
	struct table t;

	for (size_t k = 0; k < sizeof(tables) / sizeof(*tables); k++) {
		table_build(r->view, tables[k].by, &t);
		if (tables[k].by == TABLE_FUNCTION)
			table_add_inclusive(r->view, TABLE_FUNCTION, &t);
		table_sort(&t, r->event);
		json_open(s, tables[k].member);
		for (size_t i = 0; i < t.n; i++)
			json_element(s, tables[k].element(r, &t.rows[i]));
		json_close(s);
		table_fini(&t);
	}
}

/* ---- descriptors ------------------------------------------------------------ */

static void json_descriptors(struct json_stream *s, const struct report *r)
{
	json_open(s, "descriptors");
	for (size_t i = 0; i < r->view->ndescriptors; i++) {
		struct json_object *o = json_new_object();
		const struct cells c = json_cells(o, r);

		descriptor_cells(&c, &r->view->descriptors[i]);
		json_element(s, o);
	}
	json_close(s);
}

/* ---- filters ---------------------------------------------------------------- */

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

/* ---- findings --------------------------------------------------------------- */

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

void json_findings(struct json_stream *s, const struct report *r)
{
	struct finding_words w;

	json_open(s, "findings");
	for (size_t i = 0; r->findings && i < r->findings->n; i++) {
		finding_words(r->view, &r->findings->all[i], &w);

		const struct finding *f = &r->findings->all[i];
		struct json_object *o = json_new_object();

		json_put_text(o, "rule", finding_key(f->rule));
		json_add(o, "condition", json_new_boolean(finding_is_condition(f->rule)));
		json_add(o, "gain_ns", f->gain_ns > 0 ? json_amount(f->gain_ns) : NULL);
		json_add(o, "asleep_ns", json_amount(f->asleep_ns));
		json_add(o, "own_ns", json_amount(f->own_ns));
		json_add(o, "region", json_finding_region(r->view, f));
		json_add(o, "construct", json_finding_construct(r->view, f));
		json_add(o, "thread", json_number_if(f->thread != UINT32_MAX, f->thread));
		json_put_text(o, "what", w.what);
		json_put_text(o, "why", w.why);
		json_put_text(o, "helps", w.helps);
		json_element(s, o);
		finding_words_fini(&w);
	}
	json_close(s);
}

/* ---- dependences ------------------------------------------------------ */

/* Null where nothing is known of paths. */
static struct json_object *json_task_graph(const struct view *v)
{
	struct json_object *o = NULL;

	if (v->path_ns && !v->filtered) {
		o = json_new_object();
		json_put_number(o, "tasks_ns", v->tasks_ns);
		json_put_number(o, "longest_path_ns", v->path_ns);
		json_add(o, "average_parallelism", json_ratio(task_parallelism(v)));
	}
	return o;
}

static void json_dependences(struct json_stream *s, const struct report *r)
{
	const struct view *v = r->view;

	json_member(s, "task_graph", json_task_graph(v));
	json_open(s, "dependences");
	for (size_t i = 0; i < v->ndependences && !v->filtered; i++) {
		struct json_object *o = json_new_object();
		const struct cells c = json_cells(o, r);

		json_put_place(o, v, v->tasks[v->dependences[i].task].line);
		dependence_cells(&c, &v->dependences[i]);
		json_element(s, o);
	}
	json_close(s);
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
	for (size_t i = 0; i < r->ntroubles; i++)
		json_element(s, json_why(r->troubles[i].path, r->troubles[i].why));
	json_close(s);
}

int json_write(FILE *out, const struct report *r)
{
	static void (*const sections[])(struct json_stream *, const struct report *) = {
		json_regions,	  json_ranks,	    json_tasks,	   json_constructs,  json_tables,
		json_memory,	  json_blame,	    json_timeline, json_parallelism, json_devices,
		json_dependences, json_descriptors, json_tree,
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
	json_events(&s, r);
	json_threads(&s, r, SIZE_MAX);
	json_cpus(&s, r, SIZE_MAX);
	json_counts(&s, r, SIZE_MAX);
	for (size_t i = 0; i < sizeof(sections) / sizeof(*sections); i++)
		sections[i](&s, r);
	fputs("}\n", out);
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trace_lanes.c - the timeline as Perfetto (ui.perfetto.dev) and Chromium's about:tracing open it.
 *
 * The Trace Event Format, as JSON: each thread is a track of slices, one for neighbouring
 * buckets in which the same region has most; each event and thread has a counter track with
 * the weight in every bucket, by class; and each process has a track of its regions' longest
 * entries; and, of a run with --trace, each thread one of its last events.  The sums of a class
 * over the slices' arguments, and over the counters, are those of the profile but for samples
 * whose time is not known.  Times are in microseconds.
 */
#include "config.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "src/model/model.h"
#include "src/output/formats.h"
#include "src/output/json/json_parts.h"
#include "src/output/output.h"
#include "src/output/thread_name.h"
#include "src/output/trace/trace_parts.h"
#include "src/tables/instances.h"
#include "src/tables/lanes.h"
#include "src/tables/regions.h"
#include "src/view/view.h"

#include "src/base/alloc.h"

/* ---- parts ------------------------------------------------------------- */

void trace_begin(struct trace_output *t, const char *phase, uint32_t process, uint32_t thread)
{
	fprintf(t->out, "%s{\"ph\":\"%s\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32,
		t->any ? ",\n" : "", phase, process + 1, thread + 1);
	t->any = true;
}

/* `,"key":"value"`; invalid UTF-8 is replaced. */
void trace_text(const struct trace_output *t, const char *key, const char *value)
{
	struct json_stream s = { .out = t->out };

	fprintf(t->out, ",\"%s\":", key);
	json_print(&s, json_text(value));
}

void trace_time(const struct trace_output *t, const char *key, double ns)
{
	fprintf(t->out, ",\"%s\":%.3f", key, ns / 1000);
}

void trace_meta(struct trace_output *t, const char *name, uint32_t process, uint32_t thread,
		const char *value)
{
	trace_begin(t, "M", process, thread);
	fprintf(t->out, ",\"name\":\"%s\",\"args\":{\"omphwc\":1", name);
	trace_text(t, "name", value);
	fputs("}}", t->out);
}

static void trace_classes(const struct trace_output *t, const uint64_t weight[OMP_CLASSES])
{
	for (unsigned c = 0; c < OMP_CLASSES; c++)
		if (omp_has_class(t->report->view->classes, c))
			fprintf(t->out, "%s\"%s\":%" PRIu64, c ? "," : "",
				omp_class_name((enum omp_class)c), weight[c]);
}

/* ---- names ------------------------------------------------------------- */

static void trace_names(struct trace_output *t)
{
	const struct model *m = t->report->model;

	for (uint32_t i = 0; i < m->nprocesses; i++) {
		const char *argv = prof_text(m->processes[i].file, PROF_INFO_ARGV);

		trace_meta(t, "process_name", i, 0, argv ? argv : "process");
	}
	for (uint32_t i = 0; i < m->nthreads; i++) {
		char *name = thread_text(m, i);

		trace_meta(t, "thread_name", m->threads[i].process, m->threads[i].number, name);
		free(name);
	}
}

char *trace_region(const struct trace_output *t, uint32_t region)
{
	return region_label_of(t->report->view, region);
}

/* ---- slices ------------------------------------------------------------ */

/* A thread's cells of one bucket or several. */
struct slice {
	uint32_t thread, first, end, region;
	uint64_t weight[OMP_CLASSES];
};

/* The cells of one bucket; returns the number of the next cell. */
static size_t slice_read(const struct lanes *l, size_t i, struct slice *s)
{
	const struct lane_cell *c = &l->cells[i];
	uint64_t most = 0, here = 0;

	*s = (struct slice){ c->thread, c->bucket, c->bucket + 1, c->region, { 0 } };
	for (; i < l->ncells && l->cells[i].thread == s->thread && l->cells[i].bucket == s->first;
	     i++) {
		here = l->cells[i].region == c->region ? here : 0;
		c = &l->cells[i];
		here += c->weight;
		s->weight[c->class] += c->weight;
		if (here > most) {
			most = here;
			s->region = c->region;
		}
	}
	return i;
}

static bool slice_goes_on(const struct slice *a, const struct slice *b)
{
	return a->thread == b->thread && a->end == b->first && a->region == b->region;
}

/* On the track of its thread. */
static void slice_begin(struct trace_output *t, const char *phase, const struct slice *s,
			const char *name)
{
	const struct model_thread *thread = &t->report->model->threads[s->thread];

	trace_begin(t, phase, thread->process, thread->number);
	trace_text(t, "name", name);
}

static void slice_write(struct trace_output *t, const struct lanes *l, const struct slice *s)
{
	char *name = trace_region(t, s->region);

	slice_begin(t, "X", s, name);
	free(name);
	fputs(",\"cat\":\"region\"", t->out);
	trace_time(t, "ts", s->first * l->bucket_ns);
	trace_time(t, "dur", (s->end - s->first) * l->bucket_ns);
	fputs(",\"args\":{", t->out);
	trace_classes(t, s->weight);
	fputs("}}", t->out);
}

static void trace_slices(struct trace_output *t, const struct lanes *l)
{
	struct slice now, next;
	bool any = false;

	for (size_t i = 0; i < l->ncells;) {
		i = slice_read(l, i, &next);
		if (any && slice_goes_on(&now, &next)) {
			now.end = next.end;
			for (unsigned c = 0; c < OMP_CLASSES; c++)
				now.weight[c] += next.weight[c];
			continue;
		}
		if (any)
			slice_write(t, l, &now);
		now = next;
		any = true;
	}
	if (any)
		slice_write(t, l, &now);
}

/* ---- counters ---------------------------------------------------------- */

static void counter_write(struct trace_output *t, const char *name, const struct lanes *l,
			  const struct slice *s)
{
	slice_begin(t, "C", s, name);
	trace_time(t, "ts", s->first * l->bucket_ns);
	fputs(",\"args\":{", t->out);
	trace_classes(t, s->weight);
	fputs("}}", t->out);
}

/* A counter keeps its value until the next one: it ends where the next bucket has none. */
static void counters_of_thread(struct trace_output *t, const struct lanes *l, const char *name,
			       size_t *i)
{
	struct slice now, none = { 0 };
	uint32_t end = UINT32_MAX;

	none.thread = l->cells[*i].thread;
	while (*i < l->ncells && l->cells[*i].thread == none.thread) {
		*i = slice_read(l, *i, &now);
		none.first = end;
		if (end != UINT32_MAX && end != now.first)
			counter_write(t, name, l, &none);
		counter_write(t, name, l, &now);
		end = now.end;
	}
	none.first = end;
	counter_write(t, name, l, &none);
}

static void trace_counters(struct trace_output *t, const struct lanes *l)
{
	const char *label = t->report->model->events[l->event].label;

	for (size_t i = 0; i < l->ncells;) {
		char *thread = thread_text(t->report->model, l->cells[i].thread);
		char *name = alloc_printf("%s, %s", label, thread);

		counters_of_thread(t, l, name, &i);
		free(thread);
		free(name);
	}
}

static void trace_events(struct trace_output *t)
{
	const struct report *r = t->report;

	for (size_t e = 0; e < r->model->nevents; e++) {
		struct lanes l;

		lanes_build(r->view, e, &l);
		if (e == r->event)
			trace_slices(t, &l);
		trace_counters(t, &l);
		lanes_fini(&l);
	}
}

/* ---- longest entries --------------------------------------------------- */

static void instance_write(struct trace_output *t, const struct instance *i)
{
	char *name = trace_region(t, i->region);

	trace_begin(t, "X", i->process, LONGEST_TRACK);
	trace_text(t, "name", name);
	free(name);
	fputs(",\"cat\":\"longest entry\"", t->out);
	trace_time(t, "ts", i->begin_ns);
	trace_time(t, "dur", (double)i->ns);
	fprintf(t->out, ",\"args\":{\"number\":%" PRIu64 ",\"entries\":%" PRIu64 "}}", i->number,
		i->entries);
}

static void trace_instances(struct trace_output *t)
{
	struct instance *all;
	size_t n;

	instances_build(t->report->view, &all, &n);
	for (uint32_t p = 0; p < t->report->model->nprocesses && n; p++)
		trace_meta(t, "thread_name", p, LONGEST_TRACK, "longest entry of each region");
	for (size_t i = 0; i < n; i++)
		instance_write(t, &all[i]);
	free(all);
}

int trace_write(FILE *out, const struct report *r)
{
	struct trace_output t = { .out = out, .report = r };

	fputs("{\"displayTimeUnit\":\"ms\",\"otherData\":{\"omphwc\":1", out);
	trace_text(&t, "event", r->model->nevents ? r->model->events[r->event].label : "");
	fputs("},\"traceEvents\":[\n", out);
	trace_names(&t);
	trace_events(&t);
	trace_instances(&t);
	trace_rings(&t);
	fputs("\n]}\n", out);
	return 0;
}

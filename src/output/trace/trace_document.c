/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trace.c - the timeline as Perfetto (ui.perfetto.dev) and Chromium's about:tracing open it.
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

#include "src/base/alloc.h"
#include "src/model/model.h"
#include "src/output/formats.h"
#include "src/output/json/json_parts.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/tables/constructs.h"
#include "src/tables/instances.h"
#include "src/tables/lanes.h"
#include "src/tables/regions.h"
#include "src/view/label.h"
#include "src/view/view.h"

/* Tracks of a process behind those of its threads: their events, and its longest entries. */
enum { EVENTS_TRACK = 500000000, LONGEST_TRACK = 1000000000 };

struct trace_output {
	FILE *out;
	const struct report *report;
	bool any; /* an event has been written */
};

/* ---- parts ------------------------------------------------------------- */

/* `{"ph":…,"pid":…,"tid":…`; the caller writes the rest. */
static void trace_begin(struct trace_output *t, const char *phase, uint32_t process,
			uint32_t thread)
{
	fprintf(t->out, "%s{\"ph\":\"%s\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32,
		t->any ? ",\n" : "", phase, process + 1, thread + 1);
	t->any = true;
}

/* `,"key":"value"`; invalid UTF-8 is replaced. */
static void trace_text(const struct trace_output *t, const char *key, const char *value)
{
	struct json_stream s = { .out = t->out };

	fprintf(t->out, ",\"%s\":", key);
	json_print(&s, json_text(value));
}

/* `,"key":microseconds` */
static void trace_time(const struct trace_output *t, const char *key, double ns)
{
	fprintf(t->out, ",\"%s\":%.3f", key, ns / 1000);
}

/* The name of a process or thread. */
static void trace_meta(struct trace_output *t, const char *name, uint32_t process, uint32_t thread,
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

/* "solve:12 (app.c)"; malloc'ed. */
static char *trace_region(const struct trace_output *t, uint32_t region)
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

static void trace_events(struct trace_output *t)
{
	const struct report *r = t->report;

	for (size_t e = 0; e < r->model->nevents; e++) {
		struct lanes l;

		lanes_build(r->view, e, &l);
		if (e == r->event)
			trace_slices(t, &l);

		const char *label = t->report->model->events[l.event].label;

		for (size_t i = 0; i < l.ncells;) {
			char *thread = thread_text(t->report->model, l.cells[i].thread);
			char *name = alloc_printf("%s, %s", label, thread);

			counters_of_thread(t, &l, name, &i);
			free(thread);
			free(name);
		}
		lanes_fini(&l);
	}
}

/* ---- the threads' last events ---------------------------------------- */

/* A runtime misses some ends, and the ring has lost old begins: so a begin waits on a stack until
   its end comes, an end takes what is above its begin with it, and one without a begin is ignored.
   What has not ended is shown up to the process's end. */

enum { DEPTH = 256 };

/* Kinds of slices, as bits. */
enum { FORKED = 1, IMPLICIT = 2, TASK = 4, WAIT = 8, MUTEX = 16, WORKSHARE = 32 };

struct open_slice {
	uint8_t kind;
	uint8_t state;
	uint32_t context;
	double ns;
};

struct ring {
	struct trace_output *t;
	uint32_t process; /* of the model */
	uint32_t track;
	double offset_ns, ns_per_tick;
	uint64_t ticks_start;
	double last_ns;
	struct open_slice open[DEPTH];
	uint32_t n;
	uint32_t deeper; /* begins for which there was no room */
};

/* ---- slices ------------------------------------------------------------ */

static const char *kind_name(uint8_t kind)
{
	switch (kind) {
	case FORKED: return "region";
	case IMPLICIT: return "implicit task";
	case TASK: return "task";
	case WAIT: return "wait";
	case WORKSHARE: return "construct";
	}
	return "mutex";
}

static const char *wait_name(uint8_t state)
{
	static const char *const names[PROF_STATES] = {
		[PROF_STATE_BARRIER] = "barrier",
		[PROF_STATE_TASKWAIT] = "taskwait",
		[PROF_STATE_TASKGROUP] = "taskgroup",
		[PROF_STATE_LOCK] = "wait for a lock",
		[PROF_STATE_CRITICAL] = "wait for a critical section",
		[PROF_STATE_ATOMIC] = "wait for an atomic",
		[PROF_STATE_ORDERED] = "wait for ordered",
	};

	return state < PROF_STATES && names[state] ? names[state] : "wait for a mutex";
}

static char *slice_name(const struct ring *r, const struct open_slice *s)
{
	const struct view *v = r->t->report->view;
	const enum view_context kind = s->kind == WORKSHARE ? VIEW_CONTEXT_CONSTRUCT :
				       s->kind == TASK	    ? VIEW_CONTEXT_TASK :
							      VIEW_CONTEXT_REGION;
	const uint32_t number = view_of_context(v, r->process, s->context, kind);

	if (s->kind & (WAIT | MUTEX))
		return alloc_text(wait_name(s->state));
	if (s->kind == WORKSHARE)
		return number == UINT32_MAX ? alloc_text("(a construct)") :
					      construct_label(v, &v->constructs[number]);
	if (number == UINT32_MAX)
		return alloc_text(s->kind == TASK ? "(a task)" : "(a region)");
	return s->kind == TASK ? label_line(&v->names, v->tasks[number].line) :
				 trace_region(r->t, number);
}

static void slice_close(struct ring *r, double ns, bool ended)
{
	const struct open_slice *s = &r->open[--r->n];
	char *name = slice_name(r, s);

	trace_begin(r->t, "X", r->process, r->track);
	trace_text(r->t, "name", name);
	free(name);
	fprintf(r->t->out, ",\"cat\":\"%s\"", kind_name(s->kind));
	trace_time(r->t, "ts", s->ns);
	trace_time(r->t, "dur", ns > s->ns ? ns - s->ns : 0);
	fprintf(r->t->out, ",\"args\":{\"ended\":%s}}", ended ? "true" : "false");
}

static void slice_open(struct ring *r, uint8_t kind, const struct prof_rtraced *e, double ns)
{
	if (r->n < DEPTH)
		r->open[r->n++] = (struct open_slice){ kind, e->state, e->context, ns };
	else
		r->deeper++;
}

/* Closes the innermost slice of these kinds, and what is above it, but not beyond one of
   `within`. */
static void slices_end(struct ring *r, unsigned kinds, unsigned within, double ns)
{
	uint32_t i = r->n;

	if (r->deeper) {
		r->deeper--;
		return;
	}
	while (i > 0 && !(r->open[i - 1].kind & (kinds | within)))
		i--;
	if (i == 0 || !(r->open[i - 1].kind & kinds))
		return;
	while (r->n >= i)
		slice_close(r, ns, r->n == i);
}

/* ---- events ------------------------------------------------------------ */

/* The thread goes on with a task, or with its implicit one. */
static void resume(struct ring *r, const struct prof_rtraced *e, double ns)
{
	uint32_t i;

	slices_end(r, TASK, IMPLICIT | FORKED, ns);
	i = r->n;
	while (i > 0 && !(r->open[i - 1].kind & (TASK | IMPLICIT | FORKED)))
		i--;
	if (e->context != PROF_NONE &&
	    (i == 0 || r->open[i - 1].kind != TASK || r->open[i - 1].context != e->context))
		slice_open(r, TASK, e, ns);
}

/* libgomp waits at a construct's end in the call that ends it: the wait is behind the construct. */
static void construct_end(struct ring *r, double ns)
{
	const struct open_slice wait = r->n ? r->open[r->n - 1] : (struct open_slice){ 0 };

	if (wait.kind != WAIT || r->deeper) {
		slices_end(r, WORKSHARE, TASK | IMPLICIT | FORKED, ns);
		return;
	}
	r->n--;
	slices_end(r, WORKSHARE, TASK | IMPLICIT | FORKED, wait.ns);
	r->open[r->n++] = wait;
}

static void event_add(struct ring *r, const struct prof_rtraced *e, double ns)
{
	switch ((enum prof_trace_kind)e->kind) {
	case PROF_TRACE_FORK: slice_open(r, FORKED, e, ns); return;
	case PROF_TRACE_JOIN: slices_end(r, FORKED, 0, ns); return;
	case PROF_TRACE_ENTER: slice_open(r, IMPLICIT, e, ns); return;
	case PROF_TRACE_LEAVE: slices_end(r, IMPLICIT, FORKED, ns); return;
	case PROF_TRACE_TASK: slice_open(r, TASK, e, ns); return;
	case PROF_TRACE_RESUME: resume(r, e, ns); return;
	case PROF_TRACE_WAIT: slice_open(r, WAIT, e, ns); return;
	case PROF_TRACE_WAITED: slices_end(r, WAIT, TASK | IMPLICIT | FORKED, ns); return;
	case PROF_TRACE_ACQUIRE: slice_open(r, MUTEX, e, ns); return;
	case PROF_TRACE_ACQUIRED: slices_end(r, MUTEX, WAIT | TASK | IMPLICIT | FORKED, ns); return;
	case PROF_TRACE_CONSTRUCT: slice_open(r, WORKSHARE, e, ns); return;
	case PROF_TRACE_CONSTRUCT_END: construct_end(r, ns); return;
	case PROF_TRACE_KINDS: break;
	}
}

/* Clocks of two CPUs may differ a little: times do not go back. */
static double event_ns(struct ring *r, uint64_t ticks)
{
	const double since = (double)(int64_t)(ticks - r->ticks_start);
	const double ns = r->offset_ns + since * r->ns_per_tick;

	if (ns > r->last_ns)
		r->last_ns = ns;
	return r->last_ns;
}

static void ring_write(struct ring *r, const struct prof_rtrace *from)
{
	const struct model_process *p = &r->t->report->model->processes[r->process];
	const double end = r->offset_ns + (double)model_elapsed_ns(p);

	if (from->lost) {
		trace_begin(r->t, "i", r->process, r->track);
		fprintf(r->t->out,
			",\"name\":\"%" PRIu64 " older events were overwritten\",\"s\":\"t\"",
			from->lost);
		trace_time(r->t, "ts", from->n ? event_ns(r, from->events[0].ticks) : 0);
		fputs(",\"args\":{}}", r->t->out);
	}
	for (size_t i = 0; i < from->n; i++)
		event_add(r, &from->events[i], event_ns(r, from->events[i].ticks));
	while (r->n)
		slice_close(r, end > r->last_ns ? end : r->last_ns, false);
}

static void ring_of(struct trace_output *t, uint32_t process, const struct prof_rtrace *from)
{
	const struct model_process *p = &t->report->model->processes[process];
	struct ring *r = alloc_zeroed(1, sizeof(*r));

	*r = (struct ring){
		.t = t,
		.process = process,
		.track = EVENTS_TRACK + from->thread,
		.offset_ns = lanes_offset_ns(t->report->view, process),
		.ns_per_tick = lanes_ns_per_tick(t->report->view, process),
		.ticks_start = p->file->header.ticks_start,
	};
	if (r->ns_per_tick > 0) {
		const uint32_t thread = p->first_thread + from->thread;
		char *name = thread_text(t->report->model, thread),
		     *events = alloc_printf("%s: events", name);

		trace_meta(r->t, "thread_name", r->process, r->track, events);
		free(events);
		free(name);
		ring_write(r, from);
	}
	free(r);
}

/* Writes the events of all threads' rings. */
static void trace_rings(struct trace_output *t)
{
	const struct model *m = t->report->model;

	for (uint32_t p = 0; p < m->nprocesses; p++) {
		for (size_t i = 0; i < m->processes[p].file->ntraces; i++)
			ring_of(t, p, &m->processes[p].file->traces[i]);
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

int trace_write(FILE *out, const struct report *r)
{
	struct trace_output t = { .out = out, .report = r };
	struct instance *all;
	size_t n;

	fputs("{\"displayTimeUnit\":\"ms\",\"otherData\":{\"omphwc\":1", out);
	trace_text(&t, "event", r->model->nevents ? r->model->events[r->event].label : "");
	fputs("},\"traceEvents\":[\n", out);

	const struct model *m = t.report->model;

	for (uint32_t i = 0; i < m->nprocesses; i++) {
		const char *argv = prof_text(m->processes[i].file, PROF_INFO_ARGV);

		trace_meta(&t, "process_name", i, 0, argv ? argv : "process");
	}
	for (uint32_t i = 0; i < m->nthreads; i++) {
		char *name = thread_text(m, i);

		trace_meta(&t, "thread_name", m->threads[i].process, m->threads[i].number, name);
		free(name);
	}
	trace_events(&t);
	instances_build(t.report->view, &all, &n);
	for (uint32_t p = 0; p < t.report->model->nprocesses && n; p++)
		trace_meta(&t, "thread_name", p, LONGEST_TRACK, "longest entry of each region");
	for (size_t i = 0; i < n; i++)
		instance_write(&t, &all[i]);
	free(all);
	trace_rings(&t);
	fputs("\n]}\n", out);
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trace_events.c - the threads' last events as slices.
 *
 * A runtime misses some ends, and the ring has lost old begins: so a begin waits on a stack
 * until its end comes, an end takes what is above its begin with it, and one without a begin is
 * ignored.  What has not ended is shown up to the process's end.
 */
#include "config.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "src/model/model.h"
#include "src/output/output.h"
#include "src/output/thread_name.h"
#include "src/output/trace/trace_parts.h"
#include "src/tables/constructs.h"
#include "src/tables/lanes.h"
#include "src/view/label.h"
#include "src/view/view.h"

#include "src/base/alloc.h"

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

void trace_rings(struct trace_output *t)
{
	const struct model *m = t->report->model;

	for (uint32_t p = 0; p < m->nprocesses; p++) {
		for (size_t i = 0; i < m->processes[p].file->ntraces; i++)
			ring_of(t, p, &m->processes[p].file->traces[i]);
	}
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* time_event.c - clocks, and cycles with their mean rate. */
#include "config.h"

#include "src/tables/time_event.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "src/base/alloc.h"
#include "src/model/model.h"

/* The part of the threads' time that may pass without a counter. */
#define UNSEEN_MOST 0.005

static bool counts_cycles(const struct model_event *e)
{
	static const char *const names[] = { "cycles", "cpu-cycles", "ref-cycles", "cpu_clk_",
					     "cpu_cycles" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strncasecmp(e->label, names[i], strlen(names[i])))
			return true;
	return false;
}

bool time_event_is(const struct model_event *e)
{
	return e->unit == PROF_UNIT_NS || counts_cycles(e);
}

int time_event(const struct model *m)
{
	int cycles = -1;

	for (size_t i = 0; i < m->nevents; i++) {
		if (!model_is_sampled(m, i))
			continue;
		if (m->events[i].unit == PROF_UNIT_NS)
			return (int)i;
		if (cycles < 0 && counts_cycles(&m->events[i]))
			cycles = (int)i;
	}
	return cycles;
}

/* The thread's final value of the event, or zeros; and whether it was not counted in full. */
static struct prof_value thread_value(const struct model *m, size_t thread, size_t event,
				      bool *missing)
{
	const struct model_process *p = &m->processes[m->threads[thread].process];
	const struct prof_thread *t = m->threads[thread].t;
	const struct prof_value *known = model_thread_value(m, thread, event);

	*missing = false;
	for (unsigned e = 0; e < p->file->header.nevents; e++) {
		if (p->event[e] != event)
			continue;
		*missing = t->values_known >> (e + PROF_VALUES_MISSING) & 1;
	}
	return known ? *known : (struct prof_value){ 0 };
}

/* Samples are of the time in which the event had a hardware counter. They stand for all of the
   time in which it was enabled. */
static double rate(const struct prof_value *v, double otherwise)
{
	return v->value && v->enabled_ns ? (double)v->enabled_ns / (double)v->value : otherwise;
}

double *time_event_scales(const struct model *m, size_t event)
{
	double *scales = alloc_zeroed(m->nthreads + 1, sizeof(*scales));
	const bool is_time = m->events[event].unit == PROF_UNIT_NS;
	struct prof_value all;

	model_counted(m, event, &all);
	for (size_t i = 0; i < m->nthreads; i++) {
		bool missing;
		const struct prof_value v = thread_value(m, i, event, &missing);

		scales[i] = is_time ? 1 : rate(&v, rate(&all, 0));
	}
	return scales;
}

static double lived_ns(const struct model *m, size_t thread)
{
	const struct prof_thread *t = m->threads[thread].t;
	struct prof_reading last;
	uint64_t end;

	model_last_reading(&m->processes[m->threads[thread].process], &last);
	end = t->end_ns ? t->end_ns : last.monotonic_ns;
	return end > t->start_ns ? (double)(end - t->start_ns) : 0;
}

/* Of the thread's time, what the event cannot show: all of it where its counter could not be
   opened or was taken away, and what passed while no hardware counter was free at any time. */
static double unseen_ns(const struct model *m, size_t thread, size_t event)
{
	bool missing;
	const struct prof_value v = thread_value(m, thread, event, &missing);

	if (missing)
		return lived_ns(m, thread);
	return v.value || v.running_ns ? 0 : (double)v.enabled_ns;
}

bool time_event_sees_all(const struct model *m, size_t event)
{
	double unseen = 0, all = 0;

	for (size_t i = 0; i < m->nthreads; i++) {
		const uint32_t kind = m->threads[i].t->kind;

		if (kind != PROF_THREAD_INITIAL && kind != PROF_THREAD_WORKER)
			continue;
		unseen += unseen_ns(m, i, event);
		all += lived_ns(m, i);
	}
	return unseen <= UNSEEN_MOST * all;
}

/* time_event.c - clocks, and cycles with their mean rate. */
#include "config.h"

#include "src/tables/time_event.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "src/model/model.h"

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
		if (m->events[i].flags & PROF_EVENT_COUNT_ONLY)
			continue;
		if (m->events[i].unit == PROF_UNIT_NS)
			return (int)i;
		if (cycles < 0 && counts_cycles(&m->events[i]))
			cycles = (int)i;
	}
	return cycles;
}

/* The thread's final value of the event, or zeros. */
static struct prof_value thread_value(const struct model *m, size_t thread, size_t event)
{
	const struct model_process *p = &m->processes[m->threads[thread].process];
	const struct prof_thread *t = m->threads[thread].t;

	for (unsigned e = 0; e < p->file->header.nevents; e++)
		if (p->event[e] == event && t->values_known >> e & 1)
			return t->values[e];
	return (struct prof_value){ 0 };
}

static double rate(const struct prof_value *v, double otherwise)
{
	return v->value && v->running_ns ? (double)v->running_ns / (double)v->value : otherwise;
}

double *time_event_scales(const struct model *m, size_t event)
{
	double *scales = calloc(m->nthreads + 1, sizeof(*scales));
	const bool is_time = m->events[event].unit == PROF_UNIT_NS;
	struct prof_value all;

	model_counted(m, event, &all);
	for (size_t i = 0; scales && i < m->nthreads; i++) {
		const struct prof_value v = thread_value(m, i, event);

		scales[i] = is_time ? 1 : rate(&v, rate(&all, 0));
	}
	return scales;
}

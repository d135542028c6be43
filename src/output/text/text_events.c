/* SPDX-License-Identifier: BSD-3-Clause */
/* text_events.c - what was sampled of each event, beside what was counted. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/filter/filter.h"
#include "src/model/model.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/output/text/text.h"
#include "src/tables/surroundings.h"
#include "src/tables/tables.h"
#include "src/tables/thread_spread.h"
#include "src/tables/unsampled.h"
#include "src/view/view.h"

/* Parts of threads' time that differ by less are not mentioned. */
#define UNEVEN 0.05

enum {
	WHOLE = 1000,
	WORTH_SAYING = 50,     /* a deviation is mentioned from one part in so many */
	MANY_SWITCHES = 50000, /* a second: at some microseconds each they are a large part of it */
};

#define NS_PER_S 1e9

/* Reports overflows that should have given samples and did not: while a signal is pending,
   further ones are merged with it. */
static void text_undelivered(const struct text *t, size_t event, const struct cost *samples)
{
	const struct model_event *e = &t->report->model->events[event];
	struct prof_value sum;

	/* A clock's value includes time in the kernel. */
	if (!e->period || e->unit == PROF_UNIT_NS ||
	    model_counted(t->report->model, event, &sum) < t->report->model->nthreads ||
	    sum.value / WORTH_SAYING < e->period * t->report->model->nthreads ||
	    samples->weight >= sum.value - sum.value / WORTH_SAYING)
		return;
	fprintf(t->out,
		"  %s %% of it gave no sample: its signals were blocked, or came too "
		"fast\n",
		format_percent(sum.value - samples->weight, sum.value).s);
}

/* With n samples a share of one half has a standard error of 0.5 / sqrt(n). */
static void text_shares(const struct text *t, size_t event, const struct cost *sum)
{
	const uint64_t samples = model_evidence(t->report->model, event, sum->samples, sum->weight);
	unsigned off = 1;

	if (!samples || samples >= SPREAD_FEW)
		return;
	while (off * off * samples < 50 * 50)
		off++;
	fprintf(t->out, "  few samples: a 50 %% share has a standard error of %u points\n", off);
}

struct cost text_event_all(const struct text *t, size_t event)
{
	const struct view_sum *own = t->report->view->mpi_threads;
	struct cost all = t->report->filtered ? t->report->filtered->all[event] :
						cost_sum(t->total, event);

	if (own)
		cost_plus(&all, &(struct cost){ .samples = own[event].samples,
						.weight = own[event].weight });
	return all;
}

const char *text_refused_why(const struct model_event *e, const char *note)
{
	const size_t n = strlen(e->requested);

	if (!(e->flags & PROF_EVENT_SUBSTITUTED) || strncmp(note, "no ", 3) != 0 ||
	    strncmp(note + 3, e->requested, n) != 0 || strncmp(note + 3 + n, ": ", 2) != 0)
		return NULL;
	return note + 3 + n + 2;
}

/* Why the event was not counted that was asked for, as a note says it; or NULL. */
static const char *text_refused_note(const struct text *t, const struct model_event *e)
{
	const struct model *m = t->report->model;
	const char *note;

	for (size_t p = 0; p < m->nprocesses; p++)
		for (size_t at = 0;
		     (note = prof_text_next(m->processes[p].file, PROF_INFO_NOTE, &at));)
			if (text_refused_why(e, note))
				return text_refused_why(e, note);
	return NULL;
}

bool text_one_sampled(const struct text *t)
{
	const struct model *m = t->report->model;
	size_t n = 0;

	for (size_t e = 0; e < m->nevents; e++)
		n += model_is_sampled(m, e);
	return n == 1;
}

/* "CPU time of user code" for a clock; other events have their names. A clock's samples can be of
   user code alone, its count can't: that goes on in the kernel. */
static void text_plain_name(const struct text *t, const struct model_event *e)
{
	if (e->flags & PROF_EVENT_WALL)
		fputs("elapsed time of each thread", t->out);
	else if (e->unit == PROF_UNIT_NS)
		fputs(!(e->flags & PROF_EVENT_USER_ONLY) ? "CPU time" :
		      e->flags & PROF_EVENT_COUNT_ONLY	 ? "CPU time, also in the kernel," :
							   "CPU time of user code",
		      t->out);
	else
		format_text(t->out, e->label, 0);
}

/* Where the counter was not the event's all of the time, or not of all threads. */
static void text_partly_counted(const struct text *t, size_t event)
{
	struct prof_value sum;
	const size_t known = model_counted(t->report->model, event, &sum);

	if (known && known < t->report->model->nthreads)
		fprintf(t->out, "; counted in %zu of %zu threads", known,
			t->report->model->nthreads);
	if (known && !sum.running_ns && sum.enabled_ns)
		fputs("; no counter was free for it at any time", t->out);
	else if (known && sum.running_ns < sum.enabled_ns - sum.enabled_ns / WORTH_SAYING) {
		double least, most;

		fprintf(t->out, "; it had a counter for %s %% of the time",
			format_percent(sum.running_ns, sum.enabled_ns).s);

		/* Work is what was counted, so it is not that of all of a thread's time. */
		model_counted_spread(t->report->model, event, &least, &most);
		if (most - least > UNEVEN)
			fprintf(t->out,
				", by thread for %s to %s %%: threads' work does not compare",
				format_percent(format_whole(least * WHOLE), WHOLE).s,
				format_percent(format_whole(most * WHOLE), WHOLE).s);
	}
}

/* "  83.67 ms (2.2 %) in the kernel": a part of what was counted that is in no row. */
static bool text_missing(const struct text *t, size_t event, double part, double counted,
			 const char *what)
{
	if (part * WORTH_SAYING <= counted)
		return false;
	fprintf(t->out, "  not shown: %s (%s %%) %s",
		format_real(part, t->report->model->events[event].unit).s,
		format_percent(format_whole(part), format_whole(counted)).s, what);
	return true;
}

/* The kernel starts and stops the clock's timer whenever a thread gets or loses a CPU. */
static void text_switches(const struct text *t, size_t event)
{
	const struct model *m = t->report->model;
	uint64_t switches = 0, cpu_ns = 0;

	if (m->events[event].unit != PROF_UNIT_NS || m->events[event].flags & PROF_EVENT_WALL)
		return;
	for (size_t i = 0; i < m->ntrees; i++) {
		struct surroundings_usage u;

		surroundings_usage(m->trees[i].file, &u);
		if (!u.known)
			continue;
		switches += u.voluntary + u.involuntary;
		cpu_ns += u.user_ns + u.system_ns;
	}
	if (cpu_ns == 0 || (double)switches / (double)cpu_ns * NS_PER_S < MANY_SWITCHES)
		return;
	fprintf(t->out,
		"  %s context switches, %s for each second of CPU time: the clock's timer makes "
		"each one longer; `-e wall' has none of that\n",
		format_real(switches, PROF_UNIT_EVENTS).s,
		format_real((double)switches / (double)cpu_ns * NS_PER_S, PROF_UNIT_EVENTS).s);
}

/* What lies between the samples and what was counted. */
static void text_between(const struct text *t, size_t event, const struct cost *samples)
{
	const struct model_event *e = &t->report->model->events[event];
	const struct unsampled u = unsampled_of(t->report->model, event, samples);
	char *plain;

	if (text_missing(t, event, u.kernel, u.counted, "in the kernel")) {
		plain = alloc_text_part(e->requested, strcspn(e->requested, ":"));
		fputs("; -e ", t->out);
		format_text(t->out, plain, 0);
		fputs(":uk shows it\n", t->out);
		free(plain);
	}
	if (text_missing(t, event, u.lost, u.counted, "of lost samples"))
		putc('\n', t->out);
	/* The first and last part of each thread, while the kernel looks for the period. */
	if (!e->period && text_missing(t, event, u.rest, u.counted,
				       "without a sample, while the period was found"))
		putc('\n', t->out);
}

/* ": 1,234 samples", or ": 1,234 of 5,678 samples" of a filtered report. */
static void text_samples(const struct text *t, size_t event)
{
	const struct filtered *filtered = t->report->filtered;
	const struct cost sum = cost_sum(t->total, event), all = text_event_all(t, event);
	const struct model_event *e = &t->report->model->events[event];

	if (e->freq_hz)
		fprintf(t->out, ", sampled at %u Hz", e->freq_hz);
	else if (e->period)
		fprintf(t->out, ", sampled every %s",
			e->unit == PROF_UNIT_NS ? format_amount(e->period, e->unit).s :
						  format_count(e->period).s);
	fprintf(t->out, ": %s", format_count(sum.samples).s);
	if (filtered && filter_selects(filtered->options))
		fprintf(t->out, " of %s", format_count(all.samples).s);
	fprintf(t->out, " sample%s", all.samples == 1 ? "" : "s");
}

/* An event that is only counted has a row in a table: it is named if it stands in for another. */
static void text_event(const struct text *t, size_t event)
{
	const struct model_event *e = &t->report->model->events[event];
	const bool sampled = !(e->flags & PROF_EVENT_COUNT_ONLY);
	const struct cost sum = cost_sum(t->total, event), all = text_event_all(t, event);

	if (!sampled && !(e->flags & PROF_EVENT_SUBSTITUTED))
		return;
	text_plain_name(t, e);
	if (sampled)
		text_samples(t, event);
	else
		fputs(" is counted", t->out);
	if (e->flags & PROF_EVENT_SUBSTITUTED) {
		const char *why = text_refused_note(t, e);

		fputs("; no ", t->out);
		format_text(t->out, e->requested, 0);
		fputs(": ", t->out);
		format_text(t->out, why ? why : "it can't be counted here", 0);
	}
	if (sampled)
		text_partly_counted(t, event);
	if (sampled && text_one_sampled(t))
		text_lost(t, "; lost: ");
	putc('\n', t->out);
	/* What was counted is to be compared with all samples. */
	if (!sampled || !all.samples)
		return;
	if (!t->detail || t->detail->notes)
		text_between(t, event, &all);
	if (sampled)
		text_switches(t, event);
	text_shares(t, event, &sum);
	/* Threads that live for less than a period, mostly. */
	const struct model *m = t->report->model;
	const struct unsampled u = unsampled_of(m, event, &all);

	if (m->events[event].period && u.brief_counted * WORTH_SAYING > u.counted)
		fprintf(t->out,
			"  %s thread%s counted %s and %s no sample: shorter than a period, and "
			"others' samples stand for %s\n",
			format_count(u.brief).s, u.brief == 1 ? "" : "s",
			format_real(u.brief_counted, m->events[event].unit).s,
			u.brief == 1 ? "has" : "have", u.brief == 1 ? "it" : "them");
	text_undelivered(t, event, &all);
}

void text_events(const struct text *t)
{
	for (size_t e = 0; e < t->report->model->nevents; e++)
		text_event(t, e);
}

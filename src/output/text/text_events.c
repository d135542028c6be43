/* text_events.c - what was sampled of each event, beside what was counted. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "src/filter/filter.h"
#include "src/model/model.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/output/text/text.h"
#include "src/tables/tables.h"
#include "src/tables/thread_spread.h"
#include "src/tables/unsampled.h"
#include "src/view/view.h"

enum {
	WORTH_SAYING = 50, /* a deviation is mentioned from one part in so many */
};

/* Says that other events used the hardware counter for part of the time. */
static void text_scaled(const struct text *t, size_t event, const struct prof_value *v)
{
	const double scaled = (double)v->value * (double)v->enabled_ns / (double)v->running_ns;
	char buf[FORMAT_BYTES], share[FORMAT_BYTES];

	fprintf(t->out, ", for %s %% of the time: %s scaled",
		format_percent(share, v->running_ns, v->enabled_ns),
		format_amount(buf, format_whole(scaled), t->report->model->events[event].unit));
}

/* Reports overflows that should have given samples and did not: while a signal is pending,
   further ones are merged with it. */
static void text_undelivered(const struct text *t, size_t event, const struct cost *samples)
{
	const struct model_event *e = &t->report->model->events[event];
	struct prof_value sum;
	char buf[FORMAT_BYTES];

	/* A clock's value includes time in the kernel. */
	if (!e->period || e->unit == PROF_UNIT_NS ||
	    model_counted(t->report->model, event, &sum) < t->report->model->nthreads ||
	    sum.value / WORTH_SAYING < e->period * t->report->model->nthreads ||
	    samples->weight >= sum.value - sum.value / WORTH_SAYING)
		return;
	fprintf(t->out,
		"  %s %% of it gave no sample: its signals were blocked, or came too "
		"fast\n",
		format_percent(buf, sum.value - samples->weight, sum.value));
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
	fprintf(t->out,
		"  so few samples: a share of 50 %% is %u %% off by chance (standard error)\n",
		off);
}

/* "104.5 ms (2.9 % of what was counted) in the kernel": a part of what was counted, where it is
   worth a word. */
static bool text_part(const struct text *t, size_t event, double part, double counted,
		      const char *where)
{
	char buf[FORMAT_BYTES], share[FORMAT_BYTES];

	if (part * WORTH_SAYING <= counted)
		return false;
	fprintf(t->out, "; %s (%s %% of what was counted) %s",
		format_amount(buf, format_whole(part), t->report->model->events[event].unit),
		format_percent(share, format_whole(part), format_whole(counted)), where);
	return true;
}

/* What lies between the samples and what was counted. */
static void text_between(const struct text *t, size_t event, const struct cost *samples)
{
	const struct model_event *e = &t->report->model->events[event];
	const struct unsampled u = unsampled_of(t->report->model, event, samples);
	char buf[FORMAT_BYTES];

	text_part(t, event, u.lost, u.counted, "are of lost samples");
	if (text_part(t, event, u.kernel, u.counted, "in the kernel, in no row"))
		fputs(" (:uk behind the event samples both)", t->out);
	/* The first and last part of each thread, while the kernel looks for the period. */
	if (!e->period)
		text_part(t, event, u.rest, u.counted, "without a sample");
	else if (!u.kernel && fabs(u.rest - u.lost) * WORTH_SAYING > u.counted &&
		 !unsampled_is_more(&u, fabs(u.rest - u.lost)))
		fprintf(t->out, " (+- %s by chance)",
			format_amount(buf, format_whole(u.chance), e->unit));
}

/* Threads that live for less than a period, mostly. */
static void text_brief(const struct text *t, size_t event, const struct cost *samples)
{
	const struct model *m = t->report->model;
	const struct unsampled u = unsampled_of(m, event, samples);
	char buf[FORMAT_BYTES], count[FORMAT_BYTES];

	if (!m->events[event].period || u.brief_counted * WORTH_SAYING <= u.counted)
		return;
	fprintf(t->out,
		"  %s thread%s counted %s and %s no sample: shorter than a period, and others' "
		"samples stand for %s\n",
		format_count(count, u.brief), u.brief == 1 ? "" : "s",
		format_amount(buf, format_whole(u.brief_counted), m->events[event].unit),
		u.brief == 1 ? "has" : "have", u.brief == 1 ? "it" : "them");
}

static void text_event_counted(const struct text *t, size_t event)
{
	const struct model *m = t->report->model;
	struct prof_value sum;
	size_t known = model_counted(m, event, &sum);
	char buf[FORMAT_BYTES];

	if (!known)
		return;
	fprintf(t->out, "; %s counted", format_amount(buf, sum.value, m->events[event].unit));
	if (known < m->nthreads)
		fprintf(t->out, " in %zu of %zu threads", known, m->nthreads);
	if (!sum.running_ns && sum.enabled_ns)
		fputs(": no counter was free for it at any time", t->out);
	else if (sum.running_ns < sum.enabled_ns - sum.enabled_ns / WORTH_SAYING)
		text_scaled(t, event, &sum);
}

/* The cost of an event before filters. */
static struct cost text_event_all(const struct text *t, size_t event)
{
	return t->report->filtered ? t->report->filtered->all[event] : cost_sum(t->total, event);
}

/* "1,234 samples for 1.2 s", or "1,234 of 5,678 samples for 1.2 of 5.6 s". */
static void text_event_samples(const struct text *t, size_t event, const struct cost *sum)
{
	const struct cost all = text_event_all(t, event);
	const uint32_t unit = t->report->model->events[event].unit;
	const bool part = t->report->filtered && filter_selects(t->report->filtered->options);
	char buf[FORMAT_BYTES];

	fprintf(t->out, "  %s", format_count(buf, sum->samples));
	if (part)
		fprintf(t->out, " of %s", format_count(buf, all.samples));
	fprintf(t->out, " sample%s for %s", (part ? all.samples : sum->samples) == 1 ? "" : "s",
		format_amount(buf, sum->weight, unit));
	if (part)
		fprintf(t->out, " of %s", format_amount(buf, all.weight, unit));
}

static void text_rate(const struct text *t, const struct model_event *e)
{
	char buf[FORMAT_BYTES];

	if (e->freq_hz)
		fprintf(t->out, " at %u Hz", e->freq_hz);
	else if (e->period)
		fprintf(t->out, " each %s",
			e->unit == PROF_UNIT_NS ? format_amount(buf, e->period, e->unit) :
						  format_count(buf, e->period));
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

	for (size_t p = 0; p < m->nprocesses; p++)
		for (size_t i = 0; i < m->processes[p].file->ntexts; i++) {
			const struct prof_text *x = &m->processes[p].file->texts[i];
			const char *why = x->kind == PROF_INFO_NOTE ? text_refused_why(e, x->text) :
								      NULL;

			if (why)
				return why;
		}
	return NULL;
}

static void text_stand_in(const struct text *t, const struct model_event *e, const char *before)
{
	const char *why = text_refused_note(t, e);

	fputs(before, t->out);
	format_text(t->out, e->requested, 0);
	fputs(": ", t->out);
	format_text(t->out, why ? why : "it can't be counted here", 0);
}

bool text_one_sampled(const struct text *t)
{
	const struct model *m = t->report->model;
	size_t n = 0;

	for (size_t e = 0; e < m->nevents; e++)
		n += !(m->events[e].flags & PROF_EVENT_COUNT_ONLY);
	return n == 1;
}

/* Events that are only counted have a table of their own: here they are named if they stand in
   for others. */
void text_event(const struct text *t, size_t event)
{
	const struct model_event *e = &t->report->model->events[event];
	const bool sampled = !(e->flags & PROF_EVENT_COUNT_ONLY);
	struct cost sum = cost_sum(t->total, event);

	if (!sampled && !(e->flags & PROF_EVENT_SUBSTITUTED))
		return;
	format_text(t->out, e->label, 0);
	if (sampled)
		text_rate(t, e);
	if (e->flags & PROF_EVENT_SUBSTITUTED)
		text_stand_in(t, e, " in place of ");
	putc('\n', t->out);
	if (!sampled)
		return;
	text_event_samples(t, event, &sum);
	text_event_counted(t, event);
	/* What was counted is to be compared with all samples. */
	const struct cost all = text_event_all(t, event);
	text_between(t, event, &all);
	if (text_one_sampled(t))
		text_lost(t, "; lost: ");
	putc('\n', t->out);
	text_shares(t, event, &sum);
	text_brief(t, event, &all);
	text_undelivered(t, event, &all);
}

/* ---- in fewer words ------------------------------------------------------------------------- */

/* "CPU time of user code" for a clock; other events have their names. */
static void text_plain_name(const struct text *t, const struct model_event *e)
{
	if (e->flags & PROF_EVENT_WALL)
		fputs("elapsed time of each thread", t->out);
	else if (e->unit == PROF_UNIT_NS)
		fputs(e->flags & PROF_EVENT_USER_ONLY ? "CPU time of user code" : "CPU time",
		      t->out);
	else
		format_text(t->out, e->label, 0);
}

/* Where the counter was not the event's all of the time, or not of all threads. */
static void text_partly_counted(const struct text *t, size_t event)
{
	struct prof_value sum;
	const size_t known = model_counted(t->report->model, event, &sum);
	char buf[FORMAT_BYTES];

	if (known && known < t->report->model->nthreads)
		fprintf(t->out, "; counted in %zu of %zu threads", known,
			t->report->model->nthreads);
	if (known && !sum.running_ns && sum.enabled_ns)
		fputs("; no counter was free for it at any time", t->out);
	else if (known && sum.running_ns < sum.enabled_ns - sum.enabled_ns / WORTH_SAYING)
		fprintf(t->out, "; it had a counter for %s %% of the time",
			format_percent(buf, sum.running_ns, sum.enabled_ns));
}

/* What threads ran in the kernel, where only user code is sampled. */
static void text_kernel(const struct text *t, size_t event, const struct cost *samples)
{
	const struct model_event *e = &t->report->model->events[event];
	const struct unsampled u = unsampled_of(t->report->model, event, samples);
	const size_t plain = strcspn(e->requested, ":");
	char buf[FORMAT_BYTES], share[FORMAT_BYTES];

	if (u.kernel * WORTH_SAYING <= u.counted)
		return;
	fprintf(t->out, "  %s more (%s %%) in the kernel are not shown: -e %.*s:uk shows them\n",
		format_amount(buf, format_whole(u.kernel), e->unit),
		format_percent(share, format_whole(u.kernel), format_whole(u.counted)), (int)plain,
		e->requested);
}

void text_event_short(const struct text *t, size_t event)
{
	const struct model_event *e = &t->report->model->events[event];
	const struct cost sum = cost_sum(t->total, event), all = text_event_all(t, event);
	char buf[FORMAT_BYTES];

	text_plain_name(t, e);
	if (e->freq_hz)
		fprintf(t->out, ", sampled at %u Hz", e->freq_hz);
	else if (e->period)
		fprintf(t->out, ", sampled every %s",
			e->unit == PROF_UNIT_NS ? format_amount(buf, e->period, e->unit) :
						  format_count(buf, e->period));
	fprintf(t->out, ": %s sample%s", format_count(buf, sum.samples),
		sum.samples == 1 ? "" : "s");
	if (e->flags & PROF_EVENT_SUBSTITUTED)
		text_stand_in(t, e, "; no ");
	text_partly_counted(t, event);
	if (text_one_sampled(t))
		text_lost(t, "; lost: ");
	putc('\n', t->out);
	if (!t->detail || t->detail->notes)
		text_kernel(t, event, &all);
	text_shares(t, event, &sum);
	if (sum.samples)
		text_brief(t, event, &all);
	text_undelivered(t, event, &all);
}

void text_measured(const struct text *t)
{
	const struct model *m = t->report->model;

	for (size_t e = 0; e < m->nevents; e++)
		if (!(m->events[e].flags & PROF_EVENT_COUNT_ONLY))
			text_event_short(t, e);
}

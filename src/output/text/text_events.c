/* text_events.c - what was sampled of each event, beside what was counted. */
#include "config.h"

#include "src/filter/filter.h"
#include "src/model/model.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/output/text/text.h"
#include "src/tables/tables.h"
#include "src/tables/thread_spread.h"

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
static void text_shares(const struct text *t, const struct cost *sum)
{
	unsigned off = 1;

	if (!sum->samples || sum->samples >= SPREAD_FEW)
		return;
	while (off * off * sum->samples < 50 * 50)
		off++;
	fprintf(t->out,
		"  so few samples: a share of 50 %% is %u %% off by chance (standard error)\n",
		off);
}

/* Clocks count the thread's time in the kernel, too, although only user code is sampled.  So
   the difference to the samples is time in the kernel, or lost samples. */
static void text_in_kernel(const struct text *t, size_t event, const struct cost *samples)
{
	const struct model *m = t->report->model;
	const struct model_event *e = &m->events[event];
	struct prof_value sum;
	char buf[FORMAT_BYTES], share[FORMAT_BYTES];

	if (e->unit != PROF_UNIT_NS || !(e->flags & PROF_EVENT_USER_ONLY) ||
	    model_counted(m, event, &sum) < m->nthreads || sum.value <= samples->weight ||
	    sum.value - samples->weight <= sum.value / WORTH_SAYING)
		return;
	fprintf(t->out,
		"  %s (%s %% of what was counted) passed in the kernel%s: in no row, as only "
		"user code is sampled; :uk behind the event samples both\n",
		format_amount(buf, sum.value - samples->weight, e->unit),
		format_percent(share, sum.value - samples->weight, sum.value),
		m->tally.kept < m->tally.taken ? " or is of lost samples" : "");
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

	fprintf(t->out, ": %s", format_count(buf, sum->samples));
	if (part)
		fprintf(t->out, " of %s", format_count(buf, all.samples));
	fprintf(t->out, " samples for %s", format_amount(buf, sum->weight, unit));
	if (part)
		fprintf(t->out, " of %s", format_amount(buf, all.weight, unit));
}

void text_event(const struct text *t, size_t event)
{
	const struct model_event *e = &t->report->model->events[event];
	struct cost sum = cost_sum(t->total, event);
	char buf[FORMAT_BYTES];

	/* Events that are only counted have a table of their own. */
	if (!(e->flags & PROF_EVENT_COUNT_ONLY)) {
		format_text(t->out, e->label, 0);
		if (e->freq_hz)
			fprintf(t->out, " at %u Hz", e->freq_hz);
		else if (e->period)
			fprintf(t->out, " each %s",
				e->unit == PROF_UNIT_NS ? format_amount(buf, e->period, e->unit) :
							  format_count(buf, e->period));
		text_event_samples(t, event, &sum);
		text_event_counted(t, event);
		putc('\n', t->out);
		text_shares(t, &sum);
		/* What was counted is to be compared with all samples. */
		sum = text_event_all(t, event);
		text_in_kernel(t, event, &sum);
		text_undelivered(t, event, &sum);
	}
	if (e->flags & PROF_EVENT_SUBSTITUTED) {
		fputs("  ", t->out);
		format_text(t->out, e->requested, 0);
		fputs(" was asked for and can't be counted here: all numbers are ", t->out);
		format_text(t->out, e->label, 0);
		fputs("'s\n", t->out);
	}
}

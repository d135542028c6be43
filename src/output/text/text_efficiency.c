/* SPDX-License-Identifier: BSD-3-Clause */
/* text_efficiency.c - what the threads' time went into, and what a region would gain. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/model/model.h"
#include "src/output/finding_words.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/output/text/text.h"
#include "src/tables/findings.h"
#include "src/tables/losses.h"
#include "src/tables/regions.h"
#include "src/tables/tables.h"
#include "src/tables/thread_spread.h"
#include "src/tables/unsampled.h"
#include "src/view/view.h"

enum { LOSS_NAME_WIDTH = 15, SHARE_WIDTH = 7, GAINS_MAX = 4 };

#define WORTH_SHOWING 0.0005 /* of the run: less is 0.0 % */
#define WORTH_A_LINE 0.01    /* of the run: a region's gain */

/* Time in which a thread ran, but in the kernel, where no sample is taken. */
static double text_efficiency_in_kernel(const struct text *t)
{
	const size_t event = t->report->losses->event;
	const struct cost kept = text_event_all(t, event);

	return unsampled_of(t->report->model, event, &kept).kernel;
}

/* The largest of what is left in by, above least; LOSSES: nothing. */
static enum loss largest(double by[LOSSES], double least)
{
	enum loss found = LOSSES;

	for (unsigned i = 0; i < LOSSES; i++)
		if (by[i] > least && (found == LOSSES || by[i] > by[found]))
			found = (enum loss)i;
	return found;
}

/* The largest first; what a screen has no room for is one line. */
static void text_losses_by_cause(const struct text *t)
{
	const struct losses *l = t->report->losses;
	const double least = l->run.all * WORTH_SHOWING;
	size_t room = t->detail ? t->detail->losses : LOSSES;
	double by[LOSSES], rest = 0;
	enum loss cause;
	size_t n = 0;

	memcpy(by, l->run.lost, sizeof(by));
	for (unsigned i = 0; i < LOSSES; i++)
		n += by[i] > least;
	if (n > room)
		room--;
	while (room-- > 0 && (cause = largest(by, least)) != LOSSES) {
		const double part = l->run.lost[cause] / l->run.all;
		const double kernel = cause == LOSS_NOT_RUNNING ? text_efficiency_in_kernel(t) : 0;

		fprintf(t->out, "%*.1f %%  %-*s ", SHARE_WIDTH, 100 * part, LOSS_NAME_WIDTH,
			loss_name(cause));
		if (kernel > 0)
			fprintf(t->out, "%s in the kernel; else asleep or without a CPU\n",
				format_ns(kernel).s);
		else
			fprintf(t->out, "%s\n", loss_meaning(cause));
		by[cause] = 0;
	}
	while ((cause = largest(by, least)) != LOSSES) {
		rest += by[cause];
		by[cause] = 0;
	}
	if (rest > 0)
		fprintf(t->out, "%*.1f %%  smaller ones\n", SHARE_WIDTH, 100 * rest / l->run.all);
}

/* Samples may see more than there was: "~" marks what no share can be. */
static void text_efficiency_put_efficiency(const struct text *t, const char *name,
					   double efficiency)
{
	fprintf(t->out, "%s %s%.1f %%", name, efficiency > 1 ? "~" : "",
		100 * (efficiency > 1 ? 1 : efficiency));
}

/* The losses in MPI apart from those in OpenMP; and what of the former even ranks would not
   have. */
static void text_mpi_efficiency(const struct text *t)
{
	const struct losses *l = t->report->losses;
	const struct mpi_factors f = losses_mpi_factors(l, t->report->view);

	if (!l->mpi)
		return;
	fprintf(t->out, "  MPI %.1f %% efficient", 100 * losses_mpi_efficiency(l));
	if (l->nprocesses > 1)
		fprintf(t->out, " (balance of ranks %.1f %%, communication %.1f %%)",
			100 * f.balance, 100 * f.communication);
	text_efficiency_put_efficiency(t, ", OpenMP",
				       losses_serial_efficiency(l) + losses_region_efficiency(l) -
					       1);
	putc('\n', t->out);
}

void text_efficiency(const struct text *t)
{
	const struct losses *l = t->report->losses;

	if (l && (!l->nprocesses || (!l->unknown && !l->parallel)))
		return;
	if (l && l->unknown)
		fprintf(t->out, "parallel efficiency: not known: %s\n", l->unknown);
	if (!l || l->unknown || l->run.all <= 0)
		return;
	const double efficiency = losses_efficiency(l);

	text_efficiency_put_efficiency(t, "parallel efficiency", efficiency);
	fprintf(t->out, "%s: %s instead of %s if %u thread%s only worked",
		l->cut_short ? " until the last sample" : "",
		format_ns(l->elapsed_ns * (efficiency > 1 ? 1 : efficiency)).s,
		format_ns(l->elapsed_ns).s, l->threads, l->threads == 1 ? "" : "s");
	if (l->nprocesses > 1) {
		fprintf(t->out, " (%zu processes", l->nprocesses);
		if (l->processes_most == 1)
			fputs(", one after another", t->out);
		else if (l->processes_most < l->nprocesses)
			fprintf(t->out, ", at most %u at a time", l->processes_most);
		putc(')', t->out);
	}
	if (l->helpers_ns > 0)
		fprintf(t->out, " and %s of helper threads' work", format_ns(l->helpers_ns).s);
	putc('\n', t->out);
	text_losses_by_cause(t);
	if (!t->detail) {
		text_efficiency_put_efficiency(t, "  serial code", losses_serial_efficiency(l));
		text_efficiency_put_efficiency(t, ", regions", losses_region_efficiency(l));
		fputs(" efficient\n", t->out);
	}
	text_mpi_efficiency(t);
}

void text_split(const struct text *t, const struct time_split *s)
{
	/* Where samples saw more than there was, shares are of what they saw. */
	const bool beyond = s->lost[LOSS_NOT_RUNNING] < 0;
	const double all = s->all - (beyond ? s->lost[LOSS_NOT_RUNNING] : 0);
	double by[LOSSES];
	enum loss cause;

	memcpy(by, s->lost, sizeof(by));
	fprintf(t->out, "its threads' %s: work %s%.1f %%", format_ns(s->all).s, beyond ? "~" : "",
		100 * s->work / all);
	for (cause = largest(by, all * WORTH_SHOWING); cause != LOSSES;
	     cause = largest(by, all * WORTH_SHOWING)) {
		fprintf(t->out, ", %s %s%.1f %%", loss_name(cause), beyond ? "~" : "",
			100 * by[cause] / all);
		by[cause] = 0;
	}
	putc('\n', t->out);
}

bool text_gains(const struct text *t, const struct region_row *r)
{
	const struct losses *l = t->report->losses;

	return l && !l->unknown && l->parallel &&
	       losses_gain(l, r, NULL) >= WORTH_A_LINE * l->elapsed_ns;
}

void text_region_gain(const struct text *t, const struct region_row *r)
{
	const struct losses *l = t->report->losses;
	double by[LOSSES], gain;
	enum loss cause;

	if (!text_gains(t, r))
		return;
	gain = losses_gain(l, r, by);
	fprintf(t->out,
		"%*sthe run takes %s less (%.1f %%) if all threads work here:", TEXT_BENEATH, "",
		format_ns(gain).s, 100 * gain / l->elapsed_ns);
	for (int i = 0; i < GAINS_MAX; i++) {
		cause = largest(by, gain / 100);
		if (cause == LOSSES)
			break;
		fprintf(t->out, "%s %s %s", i ? "," : "", loss_name(cause), format_ns(by[cause]).s);
		by[cause] = 0;
	}
	putc('\n', t->out);
}

void text_region_gain_cell(const struct text *t, const struct region_row *r, int columns)
{
	const struct losses *l = t->report->losses;
	const double gain = losses_gain(l, r, NULL) / l->elapsed_ns;
	const struct cost sum = cost_sum(r->self, l->event);
	const bool few = model_evidence(t->report->model, l->event, sum.samples, sum.weight) <
			 SPREAD_FEW;

	if (losses_is_outside(r->special) || r->special == REGION_UNKNOWN)
		fprintf(t->out, "%*s", columns, "-");
	else if (gain >= WORTH_SHOWING && few)
		text_few(t, columns, 1, 100 * gain);
	else
		fprintf(t->out, "%*.1f", columns, gain < WORTH_SHOWING ? 0.0 : 100 * gain);
}

/* ---- findings ---------------------------------------------------------- */

/* The others are in the page, in JSON and in report --by finding. */
enum { SHOWN = 3 };

/* Where it is: its construct, region, call, or what others wait for. */
static uint32_t text_finding_line(const struct view *v, const struct finding *f)
{
	const struct view_construct *c = &v->constructs[f->construct];

	if (c->kind >= CONSTRUCT_SPECIALS && c->line)
		return c->line;
	if (f->special == REGION_SPECIALS)
		return f->line;
	return f->call_line ? f->call_line : (uint32_t)f->work_line;
}

/* The n-th of those that are shown. */
static void text_finding(const struct text *t, const struct finding *f, const char *before,
			 size_t n)
{
	struct finding_words w;
	char *what = NULL;
	size_t size;
	FILE *out = alloc_stream(&what, &size);
	struct text some = *t;

	finding_words(t->report->view, f, &w);
	some.out = out;
	text_row_line(t, text_finding_line(t->report->view, f));
	fputs(before, out);

	const double elapsed = some.report->losses->elapsed_ns;

	if (f->gain_ns > 0)
		fprintf(some.out, "%s (%.1f %%): ", format_ns(f->gain_ns).s,
			100 * f->gain_ns / elapsed);
	fputs(w.what, out);
	alloc_stream_end(out);
	format_name(t->out, what, t->detail && t->detail->short_lines ? t->report->columns : 0);
	putc('\n', t->out);
	free(what);
	if (!t->detail || n < t->detail->whys)
		fprintf(t->out, "     why:   %s\n", w.why);
	if (!t->detail || n < t->detail->helps)
		fprintf(t->out, "     helps: %s\n", w.helps);
	finding_words_fini(&w);
}

void text_findings(const struct text *t)
{
	const struct findings *all = t->report->findings;
	const bool asked = t->report->by == BY_FINDING;
	const size_t most = t->detail ? t->detail->findings : SHOWN;
	size_t conditions = 0, shown;

	if (asked && (!all || !all->n))
		fputs("\nnothing was found that would make the run shorter\n", t->out);
	if (!all || !all->n)
		return;
	while (conditions < all->n && finding_is_condition(all->all[conditions].rule))
		conditions++;
	if (t->detail)
		putc('\n', t->out);
	else if (conditions)
		fputs("\ncondition of the run, which holds for all that is below\n", t->out);
	for (size_t i = 0; i < conditions; i++)
		text_finding(t, &all->all[i], "  !  ", i);
	if (conditions < all->n && most)
		fprintf(t->out, "%sfindings, with the estimated time saved\n",
			t->detail && (!conditions || t->detail->tight) ? "" : "\n");
	shown = asked || all->n < conditions + most ? all->n : conditions + most;
	for (size_t i = conditions; i < shown; i++) {
		char number[16];

		snprintf(number, sizeof(number), "%3zu. ", i + 1 - conditions);
		text_finding(t, &all->all[i], number, i - conditions);
	}
	if (all->n > shown)
		fprintf(t->out, "  %s%zu%s: ompcount report --by finding\n",
			most ? "and " : "findings (", all->n - shown, most ? " more" : ")");
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include <stdlib.h>

#include "src/model/model.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/output/text/text.h"
#include "src/tables/counted.h"
#include "src/view/label.h"
#include "src/view/view.h"

enum {
	TOTAL_WIDTH = 22,
	VALUE_WIDTH = 17,
	RATIO_WIDTH = 10,
	UNEVEN_WIDTH = 7,
	EVENTS_ACROSS = 4, /* events in one table; more need further tables */
	RATIOS_ACROSS = 3,
	SUMMARY_EVENTS = 4,
	NAME_BYTES = 64,
};

struct table_of {
	const struct text *t;
	const struct counts *counts;
	const struct counts_ratio *ratios;
	size_t nratios;
	size_t first, end; /* range of events */
};

static const struct model_event *text_counts_event_of(const struct table_of *b, size_t e)
{
	return &b->t->report->model->events[b->counts->events[e]];
}

/* ---- the whole process ----------------------------------------------- */

static void total_line(const struct table_of *b, size_t e)
{
	const struct count *c = &b->counts->total[e];
	const struct model_event *event = text_counts_event_of(b, e);
	FILE *out = b->t->out;

	switch (count_state(c)) {
	case COUNT_NONE:
	case COUNT_NEVER: fprintf(out, "%*s  ", TOTAL_WIDTH, "not counted"); break;
	default: fprintf(out, "%*s  ", TOTAL_WIDTH, format_count(format_whole(count_scaled(c))).s);
	}
	format_text(out, event->label, 0);
	if (event->unit == PROF_UNIT_NS)
		fputs(" ns", out);
	if (count_state(c) == COUNT_SCALED)
		fprintf(out, ", scaled: it had a counter for %s %% of the time, and counted %s",
			format_percent(c->running_ns, c->enabled_ns).s, format_count(c->value).s);
	else if (count_state(c) == COUNT_NEVER)
		fputs(": no counter was free for it at any time", out);
	else if (count_state(c) == COUNT_NONE)
		fputs(": nothing ran that could have counted it", out);
	if (!b->counts->ended[e])
		fputs(", up to the last reading of threads that were killed", out);
	putc('\n', out);
}

/* The share of the threads' time that was not read separately. */
static double unread_share(const struct counts *counts, size_t event)
{
	uint64_t all = 0, mixed = 0;

	for (size_t i = 0; i < counts->n; i++) {
		const struct counts_region *r = &counts->regions[i];
		const struct count sum = counts_all(r->cells, event);

		all = prof_add(all, sum.ticks_ns);
		if (r->special == COUNTS_MIXED)
			mixed = prof_add(mixed, sum.ticks_ns);
	}
	return all ? (double)mixed / (double)all : 0;
}

/* Prints the share of time that was too short for separate readings, and the events. */
static void unread(const struct table_of *b)
{
	const char *before = "";
	double most = 0;

	for (size_t e = 0; e < b->counts->nevents; e++)
		if (unread_share(b->counts, e) > most)
			most = unread_share(b->counts, e);
	if (most <= 0)
		return;
	fprintf(b->t->out, "%*.2f  %% of the threads' time was too short to be read apart (",
		TOTAL_WIDTH, most * 100);
	for (size_t e = 0; e < b->counts->nevents; e++)
		if (unread_share(b->counts, e) > 0) {
			fputs(before, b->t->out);
			format_text(b->t->out, text_counts_event_of(b, e)->label, 0);
			before = ", ";
		}
	fputs(")\n", b->t->out);
}

/* ---- regions --------------------------------------------------------- */

static void value_cell(const struct table_of *b, const struct count *c)
{
	char buf[sizeof(struct formatted) + 1];

	switch (count_state(c)) {
	case COUNT_NONE: fprintf(b->t->out, "%*s", VALUE_WIDTH, "-"); break;
	case COUNT_NEVER: fprintf(b->t->out, "%*s", VALUE_WIDTH, "not counted"); break;
	case COUNT_SCALED:
		snprintf(buf, sizeof(buf), "~%s", format_count(format_whole(count_scaled(c))).s);
		fprintf(b->t->out, "%*s", VALUE_WIDTH, buf);
		break;
	case COUNT_EXACT: fprintf(b->t->out, "%*s", VALUE_WIDTH, format_count(c->value).s);
	}
}

static bool ratio_shown(const struct table_of *b, size_t i)
{
	return b->ratios[i].over >= b->first && b->ratios[i].over < b->end;
}

static void ratio_cells(const struct table_of *b,
			struct count (*of)(const struct count *cells, size_t event),
			const struct count *cells)
{
	size_t n = 0;

	for (size_t i = 0; i < b->nratios && n < RATIOS_ACROSS; i++) {
		const struct counts_ratio *r = &b->ratios[i];
		const struct count over = of(cells, r->over), under = of(cells, r->under);
		double value;

		if (!ratio_shown(b, i))
			continue;
		n++;
		if (counts_ratio_of(r, &over, &under, &value))
			fprintf(b->t->out, " %*.*f", RATIO_WIDTH - 1, value < 10000 ? 3 : 0, value);
		else
			fprintf(b->t->out, "%*s", RATIO_WIDTH, "-");
	}
}

static void text_counts_titles(const struct table_of *b)
{
	size_t n = 0;

	for (size_t e = b->first; e < b->end; e++) {
		putc(' ', b->t->out);
		format_right(b->t->out, text_counts_event_of(b, e)->label, VALUE_WIDTH - 1);
	}
	for (size_t i = 0; i < b->nratios && n < RATIOS_ACROSS; i++)
		if (ratio_shown(b, i)) {
			format_right(b->t->out, b->ratios[i].title, RATIO_WIDTH);
			n++;
		}
	fprintf(b->t->out, "%*s  counted in\n", UNEVEN_WIDTH, "imbal");
}

static struct count part_sum(const struct count *cells, size_t event)
{
	return cells[event * PROF_PARTS];
}

/* Prints a part's cells for each event. */
static void part_row(const struct table_of *b, const struct count *cells, enum prof_part part)
{
	static const char *const names[PROF_PARTS] = {
		[PROF_PART_MIXED] = "not read apart",
		[PROF_PART_WORK] = "work",
		[PROF_PART_WAIT] = "waits",
		[PROF_PART_TASK] = "explicit tasks",
		[PROF_PART_IDLE] = "wait at the end, and idle after it",
	};
	bool any = false;

	for (size_t e = b->first; e < b->end; e++)
		any = any || count_state(&cells[e * PROF_PARTS + part]) != COUNT_NONE;
	if (!any)
		return;
	for (size_t e = b->first; e < b->end; e++)
		value_cell(b, &cells[e * PROF_PARTS + part]);
	ratio_cells(b, part_sum, cells + part);
	fprintf(b->t->out, "%*s    %s\n", UNEVEN_WIDTH, "", names[part]);
}

static void text_counts_region_rows(const struct table_of *b, const struct counts_region *r)
{
	const bool special = r->special != COUNTS_SPECIALS;
	const double uneven = special ? 0 : counts_imbalance(r, b->first);
	char *place = special ? NULL : label_line(&b->t->report->view->names, r->line);

	for (size_t e = b->first; e < b->end; e++) {
		const struct count sum = counts_all(r->cells, e);

		value_cell(b, &sum);
	}
	/* A thread that spins while it waits executes instructions, too. */
	ratio_cells(b, special ? counts_all : counts_work, r->cells);
	if (uneven > 0 && r->nthreads > 1)
		fprintf(b->t->out, "%*.2f  ", UNEVEN_WIDTH, uneven);
	else
		fprintf(b->t->out, "%*s  ", UNEVEN_WIDTH, "-");
	format_name(b->t->out, special ? counts_special_name(r->special) : place, 0);
	putc('\n', b->t->out);
	free(place);
	if (b->t->rows_max)
		return;
	for (unsigned p = 0; p < PROF_PARTS && !special; p++)
		part_row(b, r->cells, (enum prof_part)p);
	for (size_t i = 0; i < r->nthreads; i++) {
		const struct counts_thread *thread = &r->threads[i];

		for (size_t e = b->first; e < b->end; e++) {
			const struct count sum = counts_all(thread->cells, e);

			value_cell(b, &sum);
		}
		ratio_cells(b, counts_all, thread->cells);
		fprintf(b->t->out, "%*s    ", UNEVEN_WIDTH, "");
		thread_name(b->t->out, b->t->report->model, thread->thread);
		for (size_t e = b->first; e < b->end; e++) {
			const struct count sum = counts_all(thread->cells, e);

			if (count_state(&sum) == COUNT_SCALED)
				fprintf(b->t->out, "%s %s %%",
					e == b->first ? ", counted for" : ",",
					format_percent(sum.running_ns, sum.enabled_ns).s);
		}
		putc('\n', b->t->out);
	}
}

static void region_table(const struct table_of *b)
{
	const struct count all = b->counts->total[0];
	size_t shown = 0;

	text_counts_titles(b);
	for (size_t i = 0; i < b->counts->n; i++) {
		const struct count sum = counts_all(b->counts->regions[i].cells, 0);

		if (b->t->rows_max && shown == b->t->rows_max)
			break;
		if (count_scaled(&sum) * 100 < b->t->report->limit_percent * count_scaled(&all))
			break;
		text_counts_region_rows(b, &b->counts->regions[i]);
		shown++;
	}
	if (shown < b->counts->n)
		fprintf(b->t->out, "%*s and %zu more\n", VALUE_WIDTH, "...", b->counts->n - shown);
}

void text_counts(const struct text *t)
{
	struct counts_ratio ratios[COUNTS_RATIOS_MAX];
	struct counts counts;
	struct table_of b = { .t = t, .counts = &counts, .ratios = ratios };
	size_t most;

	counts_build(t->report->view, &counts);
	if (!counts.nevents) {
		counts_fini(&counts);
		return;
	}
	b.nratios = counts_ratios(t->report->model, counts.events, counts.nevents, ratios);
	fprintf(t->out, "\ncounted, in %s%s\n",
		t->report->model->nprocesses == 1 ? "the whole process" : "all processes",
		t->report->view->kept ? " (not filtered)" : "");
	for (size_t e = 0; e < counts.nevents; e++)
		total_line(&b, e);
	for (size_t i = 0; i < b.nratios; i++) {
		const struct counts_ratio *r = &b.ratios[i];
		double value;

		if (counts_ratio_of(r, &b.counts->total[r->over], &b.counts->total[r->under],
				    &value)) {
			fprintf(b.t->out, "%*.3f  ", TOTAL_WIDTH, value);
			format_text(b.t->out, r->name, 0);
			putc('\n', b.t->out);
		}
	}
	unread(&b);
	most = t->rows_max && counts.nevents > SUMMARY_EVENTS ? SUMMARY_EVENTS : counts.nevents;
	for (b.first = 0; b.first < most; b.first = b.end) {
		b.end = b.first + EVENTS_ACROSS < most ? b.first + EVENTS_ACROSS : most;
		putc('\n', t->out);
		region_table(&b);
	}
	counts_fini(&counts);
}

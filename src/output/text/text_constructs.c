/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/model/construct_kind.h"
#include "src/model/model.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/output/text/text.h"
#include "src/tables/construct_time.h"
#include "src/tables/constructs.h"
#include "src/view/view.h"

enum {
	THREADS_WIDTH = 5,
	IMBALANCE_WIDTH = 7,
	ENTRIES_WIDTH = 11,
	BENEATH = 14, /* indentation of lines about a row */
};

static const size_t own[COLUMNS] = {
	[COLUMN_THREADS] = THREADS_WIDTH,
	[COLUMN_IMBALANCE] = IMBALANCE_WIDTH,
	[COLUMN_ENTRIES] = ENTRIES_WIDTH,
};

static size_t text_constructs_width(const struct text *t)
{
	size_t width = 0;

	for (unsigned c = 0; c < COLUMNS; c++)
		width += text_has(t, (enum text_column)c) * own[c];
	return width;
}

/* Prints how long it was held or waited at, by entry and by thread. */
static void text_construct_inside(const struct text *t, const struct view_construct *c)
{
	const struct construct_inside in = construct_inside(t->report->view, c);

	if (!c->entries || !c->elapsed_known)
		return;
	fprintf(t->out, "%*s%s from entry to exit", BENEATH, "",
		format_amount(c->elapsed_ns, PROF_UNIT_NS).s);
	if (c->ended < c->entries)
		fprintf(t->out, " of %s entries", format_count(c->ended).s);
	fprintf(t->out, ", the longest %s", format_amount(c->longest_ns, PROF_UNIT_NS).s);
	if (c->nentrants > 1)
		fprintf(t->out, "; a thread: least %s, mean %s, most %s",
			format_amount(in.least, PROF_UNIT_NS).s, format_ns(in.mean).s,
			format_amount(in.most, PROF_UNIT_NS).s);
	putc('\n', t->out);
}

/* Prints how long it took over all entries, and its threads' imbalance. */
static void text_construct_more(const struct text *t, const struct construct *c,
				const struct spread_work *w)
{
	const uint32_t unit = t->report->model->events[t->report->event].unit;
	const bool timed = c->what->entries && c->what->elapsed_known;

	if (construct_synchronises((enum construct_kind)c->what->kind)) {
		text_construct_inside(t, c->what);
		return;
	}
	if (c->what->kind < CONSTRUCT_SPECIALS || (!timed && (w->nthreads < 2 || w->mean <= 0)))
		return;
	fprintf(t->out, "%*s", BENEATH, "");
	if (timed)
		fprintf(t->out, "%s from entry to exit",
			format_amount(c->what->elapsed_ns, PROF_UNIT_NS).s);
	if (w->nthreads > 1 && w->mean > 0)
		fprintf(t->out, "%swork a thread: least %s, mean %s, most %s", timed ? "; " : "",
			format_amount(w->least, unit).s, format_real(w->mean, unit).s,
			format_amount(w->most, unit).s);
	putc('\n', t->out);
}

static void text_construct_row(const struct text *t, const struct construct_times *times,
			       const struct construct *c)
{
	const struct view_construct *what = c->what;
	const struct spread_work w = construct_work(c, t->report->event);
	char *name = construct_label(t->report->view, what);
	struct time_split s;

	text_row_line(t, what->line);
	text_cells(t, c->self);
	if (text_has(t, COLUMN_THREADS))
		fprintf(t->out, "%*zu", THREADS_WIDTH, w.nthreads);
	if (text_has(t, COLUMN_IMBALANCE)) {
		if (what->kind >= CONSTRUCT_SPECIALS && w.mean > 0 && w.nthreads > 1)
			text_imbalance(t, IMBALANCE_WIDTH, (double)w.most / w.mean, w.samples);
		else
			text_number(t, IMBALANCE_WIDTH, "-", PAINT_PLAIN);
	}
	if (text_has(t, COLUMN_ENTRIES))
		text_number(t, ENTRIES_WIDTH, what->entries ? format_count(what->entries).s : "-",
			    PAINT_PLAIN);
	text_last(t, text_cells_width(t) + text_constructs_width(t), name);
	free(name);
	text_construct_more(t, c, &w);

	/* Prints what its threads' time from entry to exit was, largest part first. */
	const enum construct_unsplit why = construct_time(times, c->what, &s);
	const char *unsplit = construct_unsplit_text(why);

	if (unsplit)
		fprintf(t->out, "%*snot split up: %s\n", BENEATH, "", unsplit);
	if (why == CONSTRUCT_SPLIT && s.all > 0) {
		fprintf(t->out, "%*s", BENEATH, "");
		text_split(t, &s);
	}
}

/* Counted entries are shown however short they were. */
static bool text_construct_shows(const struct text *t, const struct construct *c, size_t shown)
{
	return text_shows(t, c->self, shown) ||
	       (!t->rows_max && c->what->entries &&
		construct_synchronises((enum construct_kind)c->what->kind));
}

/* Says how to get missing numbers. */
static void text_constructs_hint(const struct text *t, const struct constructs *all)
{
	bool missing = false;

	for (size_t i = 0; i < all->n; i++)
		missing = missing ||
			  (!all->all[i].what->entries &&
			   construct_synchronises((enum construct_kind)all->all[i].what->kind));
	if (missing && !model_was_set(t->report->model, "OMPHWC_ENTRIES"))
		fputs("\nentries of synchronization constructs were not counted: run with "
		      "--entries to count and time them\n",
		      t->out);
}

void text_constructs(const struct text *whole)
{
	const struct text fit = text_fit(whole, own), *t = &fit;
	struct text_rest rest;
	struct constructs constructs;
	struct construct_times times;
	size_t shown = 0;

	constructs_build(t->report->view, t->report->event, &constructs);
	text_sort_constructs(t, &constructs);
	construct_times_build(t->report->view, t->report->losses, &times);
	text_rest_init(t, &rest);
	text_titles(t);
	if (text_has(t, COLUMN_THREADS))
		fprintf(t->out, "%*s", THREADS_WIDTH, "thr");
	if (text_has(t, COLUMN_IMBALANCE))
		fprintf(t->out, "%*s", IMBALANCE_WIDTH, "imbal");
	if (text_has(t, COLUMN_ENTRIES))
		fprintf(t->out, "%*s", ENTRIES_WIDTH, "entries");
	text_titles_end(t, "  construct");
	for (size_t i = 0; i < constructs.n; i++) {
		if (text_construct_shows(t, &constructs.all[i], shown++))
			text_construct_row(t, &times, &constructs.all[i]);
		else
			text_rest_add(t, &rest, constructs.all[i].self);
	}
	text_rest_print(t, &rest, text_constructs_width(t), "");
	text_few_note(t);
	text_constructs_hint(t, &constructs);
	construct_times_fini(&times);
	constructs_fini(&constructs);
}

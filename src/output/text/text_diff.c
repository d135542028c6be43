/* SPDX-License-Identifier: BSD-3-Clause */
/* text_diff.c - a comparison, for reading: the verdict, and tables. */
#include "config.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/map.h"
#include "src/diff/diff.h"
#include "src/output/printable.h"
#include "src/output/runs_formats.h"

enum {
	AMOUNT_WIDTH = 10,
	DEVIATION_WIDTH = 6,
	CHANGE_WIDTH = 11,
	SHARE_WIDTH = 9,
	VERDICT_WIDTH = 12,
	NAME_LEAST = 22,    /* a column is left out for it */
	NAME_SHORTEST = 8,  /* whatever the width */
	PATH_FUNCTIONS = 4, /* of a path's end */
	OVERVIEW_ROWS = 10, /* of each table, where all tables are shown */
};

static const char *const labels[SIDES] = { "before", "after" };

/* Where a comparison is written, and with what. */
struct text_diff {
	FILE *out;
	const struct diff_report *report;
	const struct diff *diff;
	double total[SIDES]; /* of the event */
	bool deviations;     /* a side has several runs */
	bool share, noise, classes, verdict;
	struct map *shown; /* names of the table, so that they differ */
};

/* ---- columns --------------------------------------------------------- */

/* Columns left of the name. */
static size_t columns_used(const struct text_diff *t)
{
	return SIDES * AMOUNT_WIDTH + t->deviations * SIDES * DEVIATION_WIDTH + CHANGE_WIDTH +
	       t->share * SHARE_WIDTH + t->noise * AMOUNT_WIDTH +
	       t->classes * omp_classes_count(t->diff->classes) * CHANGE_WIDTH +
	       t->verdict * (VERDICT_WIDTH + 2) + 2;
}

/* Text that breaks between words; its further lines begin at column indent. */
static void put_folded(const struct text_diff *t, const char *text, int indent)
{
	const size_t columns = t->report->columns;
	size_t at = 0;

	while (*text) {
		const size_t length = strcspn(text, " ");

		if (at > (size_t)indent && columns && at + 1 + length > columns) {
			fprintf(t->out, "\n%*s", indent, "");
			at = (size_t)indent;
		} else if (at) {
			putc(' ', t->out);
			at++;
		}
		fprintf(t->out, "%.*s", (int)length, text);
		at += length;
		text += length + strspn(text + length, " ");
	}
	putc('\n', t->out);
}

/* ---- cells ----------------------------------------------------------- */

static void text_diff_cell(const struct text_diff *t, int width, const char *s)
{
	fprintf(t->out, "%*s", width, s);
}

static void cell_amount(const struct text_diff *t, int width, double amount, uint32_t unit)
{
	text_diff_cell(t, width, format_real(amount, unit).s);
}

static void cell_signed(const struct text_diff *t, int width, double amount, uint32_t unit)
{
	char buf[sizeof(struct formatted) + 1];

	snprintf(buf, sizeof(buf), "%s%s",
		 fabs(amount) < 1 ? "" :
		 amount < 0	  ? "-" :
				    "+",
		 format_real(fabs(amount), unit).s);
	text_diff_cell(t, width, buf);
}

static void cell_percent(const struct text_diff *t, int width, double part, double whole, bool sign)
{
	char buf[32] = "-";
	const double percent = 100 * part / whole;

	if (whole > 0 && isfinite(percent))
		snprintf(buf, sizeof(buf), sign ? "%+.1f" : "%.1f", percent);
	text_diff_cell(t, width, buf);
}

static void text_diff_titles(const struct text_diff *t, const char *last)
{
	for (int side = 0; side < SIDES; side++) {
		text_diff_cell(t, AMOUNT_WIDTH, labels[side]);
		if (t->deviations)
			text_diff_cell(t, DEVIATION_WIDTH, "sd%");
	}
	text_diff_cell(t, CHANGE_WIDTH, t->diff->scaled ? "loss" : "change");
	if (t->share)
		text_diff_cell(t, SHARE_WIDTH, t->diff->scaled ? "loss%" : "%");
	if (t->noise)
		text_diff_cell(t, AMOUNT_WIDTH, "noise");
	for (unsigned c = 0; c < OMP_CLASSES && t->classes; c++)
		if (omp_has_class(t->diff->classes, c))
			text_diff_cell(t, CHANGE_WIDTH,
				       c == OMP_OVERHEAD ? "ovhd" :
							   omp_class_name((enum omp_class)c));
	if (t->verdict)
		fprintf(t->out, "  %-*s", VERDICT_WIDTH, "");
	fprintf(t->out, "  %s\n", last);
}

static const char *verdict(const struct diff_row *row, bool scaled)
{
	if (isnan(row->noise))
		return "not judged";
	if (diff_within_noise(row))
		return "within noise";
	if (row->side[BEFORE].item && !row->side[AFTER].item)
		return "only before";
	if (row->side[AFTER].item && !row->side[BEFORE].item)
		return "only after";
	if (scaled)
		return row->loss > 0 ? "loss" : "gain";
	return row->loss > 0 ? "more" : "less";
}

/* A row without its name. whole: of what the loss is a share. */
static void cells(const struct text_diff *t, const struct diff_row *row, uint32_t unit,
		  double whole)
{
	const struct diff_value *b = &row->side[BEFORE], *a = &row->side[AFTER];

	for (int side = 0; side < SIDES; side++) {
		const struct noise_mean *m = &row->side[side].all;

		cell_amount(t, AMOUNT_WIDTH, m->mean, unit);
		if (t->deviations)
			cell_percent(t, DEVIATION_WIDTH, m->deviation, m->mean, false);
	}
	cell_signed(t, CHANGE_WIDTH, row->loss, unit);
	if (t->share)
		cell_percent(t, SHARE_WIDTH, row->loss, whole, true);
	if (t->noise && isnan(row->noise))
		text_diff_cell(t, AMOUNT_WIDTH, "-");
	else if (t->noise)
		cell_amount(t, AMOUNT_WIDTH, row->noise, unit);
	for (unsigned c = 0; c < OMP_CLASSES && t->classes; c++)
		if (omp_has_class(t->diff->classes, c))
			cell_signed(t, CHANGE_WIDTH, a->class[c] - t->diff->ideal * b->class[c],
				    unit);
}

/* ---- names ----------------------------------------------------------- */

/* The last functions of a path. */
static const char *text_diff_path_end(const char *path)
{
	const char *end = path + strlen(path);

	for (int n = 0; n < PATH_FUNCTIONS && end > path; n++)
		do
			end--;
		while (end > path && strncmp(end, " > ", 3) != 0);
	return end == path ? path : end + 3;
}

static void put_last(const struct text_diff *t, const char *verdict, const char *name)
{
	if (t->verdict)
		fprintf(t->out, "  %-*s", VERDICT_WIDTH, verdict);
	fputs("  ", t->out);

	const size_t columns = t->report->columns, used = columns_used(t);
	format_name_apart(t->out, name,
			  !columns			 ? 0 :
			  columns > used + NAME_SHORTEST ? columns - used :
							   NAME_SHORTEST,
			  t->shown);
	putc('\n', t->out);
}

static void cost_cells(const struct text_diff *t, const struct diff_row *row)
{
	cells(t, row, t->report->unit,
	      t->diff->scaled ? t->total[AFTER] : row->side[BEFORE].all.mean);
}

static void text_diff_row_print(const struct text_diff *t, const struct diff_row *row)
{
	const struct side_item *before = row->side[BEFORE].item, *after = row->side[AFTER].item;
	const struct side_item *item = diff_item(row);
	char *name = NULL;
	size_t size;
	FILE *out = alloc_stream(&name, &size);

	if (item->by == DIFF_CONSTRUCT && *item->function)
		fprintf(out, "%s in ", item->title);

	const char *end = item->by == DIFF_PATH ? text_diff_path_end(item->name) : item->name;

	fprintf(out, "%s%s", end == item->name ? "" : "... > ", end);
	if (*item->function) {
		const char *file = side_item_file(item);

		if (item->by == DIFF_FUNCTION && item->function_at)
			fprintf(out, " (%s:%u)", file, item->function_at);
		else if (item->by != DIFF_FUNCTION && item->place && !item->ordinal)
			fprintf(out, " (%s:%lld)", file, (long long)item->place);
		else if (*file)
			fprintf(out, " [%s]", file);
	}
	if (before && after) {
		/* ", was for schedule(static), was :26" */
		if (before->title != after->title)
			fprintf(out, ", was %s", before->title);
		if (before->file != after->file)
			fprintf(out, ", was in %s", before->file);
		if (before->place != after->place && !before->ordinal)
			fprintf(out, ", was :%lld", (long long)before->place);
	} else if (diff_within_noise(row))
		fprintf(out, ", only %s", before ? labels[BEFORE] : labels[AFTER]);
	alloc_stream_end(out);

	cost_cells(t, row);
	put_last(t, verdict(row, t->diff->scaled), name);
	free(name);
}

/* ---- tables ---------------------------------------------------------- */

/* Rows below the limit, together: their noise is not known from theirs. */
struct rest {
	struct diff_row sum;
	size_t n;
};

/* Whether a row matters: by what it costs on either side. */
static bool text_diff_shows(const struct text_diff *t, const struct diff_row *row, size_t shown)
{
	if (t->report->by == DIFF_BY_ALL && shown >= OVERVIEW_ROWS)
		return false;
	for (int side = 0; side < SIDES; side++)
		if (row->side[side].all.mean * 100 >= t->report->limit_percent * t->total[side])
			return true;
	return false;
}

static void table_print(const struct text_diff *t, enum diff_by by)
{
	static const char *const names[DIFF_BYS] = {
		[DIFF_REGION] = "parallel region",
		[DIFF_CONSTRUCT] = "construct",
		[DIFF_FUNCTION] = "function",
		[DIFF_LINE] = "line",
		[DIFF_PATH] = "path",
	};
	const struct diff_table *table = &t->diff->by[by];
	struct rest rest = { 0 };
	size_t shown = 0;
	char name[64];

	putc('\n', t->out);
	map_free(t->shown);
	text_diff_titles(t, names[by]);
	for (size_t i = 0; i < table->n; i++) {
		if (text_diff_shows(t, &table->rows[i], shown)) {
			text_diff_row_print(t, &table->rows[i]);
			shown++;
		} else {
			const struct diff_row *row = &table->rows[i];

			for (int side = 0; side < SIDES; side++) {
				rest.sum.side[side].all.mean += row->side[side].all.mean;
				for (unsigned c = 0; c < OMP_CLASSES; c++)
					rest.sum.side[side].class[c] += row->side[side].class[c];
			}
			rest.sum.loss += row->loss;
			rest.n++;
		}
	}
	if (!rest.n)
		return;
	for (int side = 0; side < SIDES; side++)
		rest.sum.side[side].all.deviation = NAN;
	rest.sum.noise = NAN;
	cost_cells(t, &rest.sum);
	snprintf(name, sizeof(name), "... and %zu more", rest.n);
	put_last(t, "", name);
}

/* ---- the verdict ------------------------------------------------------------ */

enum { NAMED_MOST = 3, NAME_WIDTH = 24 };

static const double LOSS_LEAST = 0.01; /* of a side's time: what is worth a line */

static void verdict_put_change(FILE *out, const struct diff_report *r, const struct diff_judged *j)
{
	const struct diff_row *row = j->row;
	const uint32_t unit = j->elapsed ? PROF_UNIT_NS : r->unit;

	fprintf(out, "%s %s -> %s", j->elapsed ? "elapsed" : r->event,
		format_real(row->side[BEFORE].all.mean, unit).s,
		format_real(row->side[AFTER].all.mean, unit).s);
	if (isfinite(j->percent))
		fprintf(out, " (%+.1f %%)", j->percent);
	if (isnan(row->noise))
		fputs(": one run a side\n  how much runs differ is not known: "
		      "compare folders of three runs or more\n",
		      out);
	else
		fprintf(out, ": %s (%s; %zu and %zu runs)\n",
			diff_within_noise(row) ? "within noise" :
			row->change > 0	       ? "slower, beyond noise" :
						 "faster, beyond noise",
			format_real(row->noise, unit).s, r->diff->side[BEFORE]->nruns,
			r->diff->side[AFTER]->nruns);
}

/* ---- efficiency ------------------------------------------------------- */

static void put_shares(FILE *out, const char *name, double before, double after)
{
	fprintf(out, "  %-*s%*.1f%*.1f%+*.1f\n", NAME_WIDTH, name, SHARE_WIDTH, 100 * before,
		SHARE_WIDTH, 100 * after, SHARE_WIDTH, 100 * (after - before));
}

/* ---- what changed ----------------------------------------------------- */

/* The regions of both sides whose cost changed most, beyond noise. */
static void put_regions(FILE *out, const struct diff_report *r, bool more)
{
	const struct diff_table *t = &r->diff->by[DIFF_REGION];
	const char *before = more ? "\n  more work, wait or overhead in\n" :
				    "\n  less work, wait or overhead in\n";
	size_t named = 0;

	for (size_t i = 0; i < t->n && named < NAMED_MOST; i++) {
		const struct diff_row *row = &t->rows[i];

		if (!row->side[BEFORE].item || !row->side[AFTER].item || isnan(row->noise) ||
		    diff_within_noise(row) || (row->loss > 0) != more)
			continue;
		fprintf(out, "%s  %s%9s  ", before, more ? "+" : "-",
			format_real(fabs(row->loss), r->unit).s);
		format_short(out, diff_item(row)->name);
		putc('\n', out);
		before = "";
		named++;
	}
}

/* ---- what differs ----------------------------------------------------- */

static void verdict_put_differing(FILE *out, const struct diff *d, const char *what,
				  const char *(*of)(const struct side *))
{
	const char *const texts[SIDES] = { of(d->side[BEFORE]), of(d->side[AFTER]) };

	/* Equal texts have one address. */
	if (texts[BEFORE] && texts[BEFORE] == texts[AFTER])
		return;
	fprintf(out, "!  %s differ\n", what);
	for (int side = 0; side < SIDES; side++) {
		fputs(side == BEFORE ? "     before  " : "     after   ", out);
		if (texts[side] && *texts[side])
			format_text(out, texts[side], 60);
		else
			fputs(texts[side] ? "(none)" : "(several)", out);
		putc('\n', out);
	}
}

static void text_diff_verdict(FILE *out, const struct diff_report *r)
{
	char *text = NULL;
	size_t size;
	FILE *to = alloc_stream(&text, &size);

	const struct diff_judged j = diff_judge(r->diff);

	verdict_put_change(to, r, &j);
	verdict_put_differing(to, r->diff, "arguments", side_arguments);
	verdict_put_differing(to, r->diff, "machines", side_host);
	if (r->diff->threads[BEFORE] != r->diff->threads[AFTER])
		fprintf(to, "!  threads differ: %u before, %u after\n", r->diff->threads[BEFORE],
			r->diff->threads[AFTER]);

	const struct diff *d = r->diff;
	const double before = side_efficiency(d->side[BEFORE]);
	const double after = side_efficiency(d->side[AFTER]);

	if (!isnan(before) && !isnan(after)) {
		fprintf(to, "\n  %-*s%*s%*s%*s\n", NAME_WIDTH, "% of the threads' time",
			SHARE_WIDTH, "before", SHARE_WIDTH, "after", SHARE_WIDTH, "change");
		put_shares(to, "parallel efficiency", before, after);
		for (unsigned i = 0; i < LOSSES; i++) {
			const double b = side_lost(d->side[BEFORE], (enum loss)i);
			const double a = side_lost(d->side[AFTER], (enum loss)i);

			if (b >= LOSS_LEAST || a >= LOSS_LEAST)
				put_shares(to, loss_name((enum loss)i), b, a);
		}
	}
	if (!r->diff->scaled) {
		put_regions(to, r, false);
		put_regions(to, r, true);
	}
	putc('\n', to);
	alloc_stream_end(to);
	fold_text(out, text, r->columns);
	free(text);
}

/* ---- the whole ------------------------------------------------------- */

static void explain_scaling(const struct text_diff *t)
{
	const struct diff *d = t->diff;
	char text[256];

	snprintf(text, sizeof(text),
		 "loss: what %u threads cost beyond ideal %s scaling from %u (%s); "
		 "loss%%: of after's total",
		 d->threads[AFTER], d->scaling == DIFF_WEAK ? "weak" : "strong", d->threads[BEFORE],
		 d->scaling == DIFF_WEAK ? "the same cost for each thread" :
					   "the same cost for all threads together");
	put_folded(t, text, 6);
	if (t->report->unit == PROF_UNIT_EVENTS || strcmp(t->report->event, "wall") != 0)
		put_folded(t,
			   "loss: this event does not count threads that sleep: measure with -e "
			   "wall to include them",
			   6);
}

static void text_diff_explain(const struct text_diff *t)
{
	const bool several = t->diff->side[BEFORE]->nruns > 1 || t->diff->side[AFTER]->nruns > 1;

	format_text(t->out, t->report->event, 0);
	putc('\n', t->out);
	if (several)
		put_folded(t,
			   t->deviations ?
				   "runs: all numbers are means; sd%: their standard deviation" :
				   "runs: all numbers are means",
			   6);
	if (several)
		put_folded(
			t,
			"noise: what chance explains (3 standard errors or more), from the spread "
			"of the runs and the number of samples",
			7);
	if (t->diff->side[BEFORE]->nruns == 2 && t->diff->side[AFTER]->nruns == 2)
		put_folded(
			t,
			"noise: two runs are too few to estimate how much runs differ: use three "
			"or more a side",
			7);
	if (!several)
		put_folded(t,
			   "noise: what chance explains (3 standard errors), from the number of "
			   "samples alone: use several runs a side to measure how much runs differ",
			   7);
	if (t->diff->scaled)
		explain_scaling(t);
}

static void totals_print(const struct text_diff *t)
{
	putc('\n', t->out);
	text_diff_titles(t, "");
	for (int by = DIFF_RUN; by <= DIFF_CLASS; by++) {
		for (size_t i = 0; i < t->diff->by[by].n; i++)
			text_diff_row_print(t, &t->diff->by[by].rows[i]);
	}

	const struct diff *d = t->diff;
	const double before = d->elapsed.side[BEFORE].all.mean;
	const double after = d->elapsed.side[AFTER].all.mean;

	if (!(before > 0) || !(after > 0))
		return;
	cells(t, &d->elapsed, PROF_UNIT_NS, before);
	put_last(t, d->scaled ? "" : verdict(&d->elapsed, false), "elapsed");
	if (d->scaled && d->scaling == DIFF_STRONG)
		fprintf(t->out, "speed-up %.2f with %.2f times the threads: efficiency %.0f %%\n",
			before / after, (double)d->threads[AFTER] / d->threads[BEFORE],
			100 * before / after * d->threads[BEFORE] / d->threads[AFTER]);
}

void diff_text_write(FILE *out, const struct diff_report *r)
{
	struct map shown = { 0 };
	struct text_diff t = { .out = out, .report = r, .diff = r->diff, .shown = &shown };
	bool several = false;

	for (int side = 0; side < SIDES; side++) {
		t.total[side] = r->diff->by[DIFF_RUN].rows[0].side[side].all.mean;
		several = several || r->diff->side[side]->nruns > 1;
	}
	text_diff_verdict(out, r);
	for (int side = 0; side < SIDES; side++) {
		const struct side *s = t.diff->side[side];

		fprintf(t.out, "%-8s", labels[side]);
		format_text(t.out, t.report->path[side], 0);
		fprintf(t.out, ": %zu run%s", s->nruns, s->nruns == 1 ? "" : "s");
		if (t.diff->threads[side])
			fprintf(t.out, ", %u thread%s", t.diff->threads[side],
				t.diff->threads[side] == 1 ? "" : "s");
		else
			fputs(", with different numbers of threads", t.out);
		putc('\n', t.out);
		for (size_t i = 0; i < s->ntroubles; i++) {
			fputs("        without names ", t.out);
			format_text(t.out, s->troubles[i].path, 0);
			fprintf(t.out, ": %s\n", s->troubles[i].why);
		}
	}

	/* On a narrow terminal columns are left out, the least needed first; JSON has them all. */
	bool *const least[] = { &t.classes, &t.deviations, &t.noise, &t.share, &t.verdict };
	const size_t columns = t.report->columns;

	t.deviations = several;
	t.share = t.noise = t.classes = t.verdict = true;
	for (size_t i = 0; i < sizeof(least) / sizeof(*least); i++)
		if (columns && columns_used(&t) + NAME_LEAST > columns)
			*least[i] = false;
	text_diff_explain(&t);
	totals_print(&t);
	for (int by = DIFF_REGION; by < DIFF_BYS; by++)
		if (r->by == by || (r->by == DIFF_BY_ALL && by != DIFF_PATH))
			table_print(&t, (enum diff_by)by);
	map_free(&shown);
}

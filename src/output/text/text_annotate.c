/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text_annotate.c - prints source lines with their costs.
 *
 * Lines without samples have no numbers; those far from any line with samples are left out.
 */
#include "config.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/answers/lookup.h"
#include "src/base/alloc.h"
#include "src/base/clean.h"
#include "src/model/model.h"
#include "src/output/formats.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/output/source.h"
#include "src/output/source_rules.h"
#include "src/output/text/text.h"
#include "src/tables/annotate.h"
#include "src/tables/calls.h"
#include "src/view/label.h"
#include "src/view/view.h"

enum {
	TEXT_MORE = 10, /* columns that source text should have besides those of names */
	AROUND = 4,	/* lines shown before and after one with samples */
};

struct annotated {
	const struct text *text;
	const struct annotate_line *lines; /* of this file */
	size_t n;
	const struct source *source; /* has no lines if it was not found */
};

/* Expands tabs to 8 columns, as the numbers before them move the text. */
static void annotated_source(FILE *out, const char *s)
{
	size_t at = 0, used = 1;
	char c[CLEAN_BYTES];

	for (; s && *s; s += used) {
		if (*s == '\t') {
			size_t n = 8 - at % 8;

			fprintf(out, "%*s", (int)n, "");
			at += n;
			used = 1;
		} else {
			at += clean_char(s, c, &used);
			if (*s != '\r')
				fputs(c, out);
		}
	}
	putc('\n', out);
}

/* The line's own cost in millionths. */
static uint32_t annotated_share(const struct text *t, const struct annotate_line *l)
{
	const double own = (double)cost_sum(l->self, t->report->event).weight;
	const double all = (double)cost_sum(t->total, t->report->event).weight;

	return all > 0 ? (uint32_t)(1e6 * own / all) : 0;
}

static void annotated_line(const struct annotated *a, unsigned line,
			   const struct annotate_line *costs)
{
	const struct text *t = a->text;
	const size_t event = t->report->event;

	text_row(t, costs ? annotated_share(t, costs) : 0, line);
	if (costs && cost_sum(costs->self, event).samples)
		text_cells(t, costs->self);
	else
		fprintf(t->out, "%*s", (int)text_cells_width(t), "");
	text_cell(t, 0,
		  !costs ? "" :
			   format_percent(cost_sum(costs->inclusive, event).weight,
					  cost_sum(t->total, event).weight)
				   .s);
	text_cell(t, 1, format_plain(line).s);
	fputs("  ", t->out);
	annotated_source(t->out, source_line(a->source, line));
}

/* Whether a line is near one with samples; i: the index of the first such line not before it. */
static bool annotated_near(const struct annotated *a, size_t i, unsigned line)
{
	return (i < a->n && a->lines[i].line - line <= AROUND) ||
	       (i > 0 && line - a->lines[i - 1].line <= AROUND);
}

static void annotated_span(const struct annotated *a, unsigned first, unsigned last)
{
	bool gap = false;
	size_t i = 0;

	/* Without the source only lines with samples are printed. */
	for (; !a->source->nlines && i < a->n; i++)
		annotated_line(a, a->lines[i].line, &a->lines[i]);
	if (a->source->nlines && last > a->source->nlines)
		last = (unsigned)a->source->nlines;
	for (unsigned line = first; a->source->nlines && line <= last; line++) {
		while (i < a->n && a->lines[i].line < line)
			i++;
		if (!annotated_near(a, i, line)) {
			gap = true;
			continue;
		}
		if (gap)
			fprintf(a->text->out, "%*s\n", (int)text_used(a->text), "...");
		gap = false;
		annotated_line(a, line, i < a->n && a->lines[i].line == line ? &a->lines[i] : NULL);
	}
}

static void annotated_file(const struct text *t, const struct annotate *a,
			   const struct annotate_span *span, const struct detail_target *target)
{
	const struct source_place place = {
		.folder = target->sources,
		.model = t->report->model,
		.lookup = target->lookup,
	};
	struct annotated one = { .text = t };
	struct source source;
	int err = source_open(&source, span->file, &place);

	one.source = &source;
	for (size_t i = 0; i < a->nlines; i++) {
		if (a->lines[i].file != span->file)
			continue;
		if (!one.n)
			one.lines = &a->lines[i];
		one.n++;
	}
	putc('\n', t->out);
	format_text(t->out, err ? span->file : source.path, 0);
	if (err == -ENOENT)
		fputs(": not found; use --sources FOLDER", t->out);
	else if (err == -EPERM)
		fprintf(t->out, ": not shown: %s%s%s", source.refused, source.todo ? ": " : "",
			source.todo ? source.todo : "");
	else if (err)
		fprintf(t->out, ": %s", strerror(-err));
	else if (source_is_newer(&source, t->report->model))
		fputs(": newer than the profile; lines may have moved", t->out);
	putc('\n', t->out);
	text_titles(t, NULL);
	annotated_span(&one, span->first > AROUND ? span->first : 1, span->last + AROUND);
	source_close(&source);
}

int detail_annotate(FILE *out, const struct report *r, const struct detail_target *target)
{
	struct text t = { .out = out, .report = r, .marked = target->bare };
	struct annotate a;
	struct table total;
	/* Of narrow terminals the text has half. */
	static const struct text_own own[] = { { "incl", 8, COLUMN_OWN },
					       { "line", 8, COLUMN_OWN },
					       { NULL, TEXT_MORE, COLUMN_OWN } };
	int err = annotate_build(r->view, &target->lookup->resolver, target->name, &a);

	if (err)
		return err;
	table_build(r->view, TABLE_STATE, &total);
	t.total = total.total;
	if (!target->bare)
		text_about(&t);
	t = text_fit(&t, own);
	for (size_t i = 0; i < a.nspans; i++)
		annotated_file(&t, &a, &a.spans[i], target);
	table_fini(&total);
	annotate_fini(&a);
	return 0;
}

/* ---- callers and callees ----------------------------------------------- */

static void calls_rows(const struct text *t, struct table *table, const char *none)
{
	const struct function *functions = t->report->view->names.functions;
	struct text_rest rest = { 0 };
	size_t shown = 0;

	table_sort(table, t->report->event);
	for (size_t i = 0; i < table->n; i++) {
		char *name;

		if (!text_shows(t, table->rows[i].self, shown++)) {
			text_rest_add(t, &rest, table->rows[i].self);
			continue;
		}
		name = table->rows[i].key ? label_function(&functions[table->rows[i].key]) :
					    alloc_text(none);
		text_cells(t, table->rows[i].self);
		text_cell(t, 0, "");
		text_last(t, name);
		free(name);
	}
	text_rest_print(t, &rest, 0);
}

int detail_calls(FILE *out, const struct report *r, const struct detail_target *target)
{
	static const struct text_own indent[] = { { "", 4, COLUMN_OWN }, { 0 } };
	struct text t = { .out = out, .report = r, .own = indent };
	struct table total;
	struct calls c;
	int err = calls_build(r->view, target->name, &c);

	if (err)
		return err;
	table_build(r->view, TABLE_STATE, &total);
	t.total = total.total;
	text_about(&t);
	fprintf(out, "\n%s view, callers and callees; %% of the whole\n\n",
		view_name(r->view->kind));
	text_titles(&t, "called by");
	calls_rows(&t, &c.callers, "(nobody: it is outermost)");
	text_cells(&t, c.inclusive);
	fputs("  ", out);
	format_name(out, target->name, 0);
	fputs(", with what it calls\n", out);
	calls_rows(&t, &c.callees, "(itself)");
	calls_fini(&c);
	table_fini(&total);
	return 0;
}

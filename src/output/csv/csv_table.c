/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * csv_table.c - see csv_table.h.
 *
 * The layout is that of RFC 4180 with lines that end in LF.  Control characters become \ooo, as
 * in text.  A spreadsheet takes a text that begins with = + - @ for a formula: such a text gets
 * an apostrophe before it.
 */
#include "config.h"

#include "src/output/csv/csv_table.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/clean.h"
#include "src/base/grow.h"
#include "src/base/message.h"
#include "src/base/near.h"
#include "src/base/pattern.h"
#include "src/model/model.h"
#include "src/output/output.h"
#include "src/tables/tables.h"
#include "src/view/view.h"

struct csv_name {
	char *name;
	char *about;
	const char *part; /* of an event's columns: "work"; else NULL */
	size_t event;
};

enum csv_kind { CELL_EMPTY, CELL_TEXT, CELL_NUMBER, CELL_REAL };

struct csv_cell {
	enum csv_kind kind;
	const char *text;
	char *owned;
	uint64_t number;
	double real;
};

/* Columns of an event. */
struct csv_part {
	const char *part;
	bool unit; /* the name has the event's unit */
	const char *about;
};

static const struct csv_part self_parts[] = {
	{ "samples", false, "samples of the event" },
	{ "weight", true, "the event's time or number: what the samples stand for" },
	{ "work", true, "the part of it in which threads worked" },
	{ "wait", true, "the part of it in which they waited" },
	{ "overhead", true, "the part of it in the OpenMP runtime" },
	{ "mpi", true, "the part of it in MPI calls; only where there is such a part" },
	{ "blocked", true,
	  "the part of it asleep in system calls that are not OpenMP's, or without a CPU; only of "
	  "wall time" },
};
enum { SUM_PARTS = 2, INCLUSIVE_PARTS = 1 };
_Static_assert(sizeof(self_parts) / sizeof(*self_parts) == SUM_PARTS + OMP_CLASSES, "classes");

static const struct csv_part inclusive_parts[] = {
	{ "inclusive", true, "the event's time or number with that of all that is called" },
};

static const struct csv_column place_columns[CSV_PLACES] = {
	[CSV_FUNCTION] = { "function", "the function" },
	[CSV_FILE] = { "file", "its source file, as the debug information has it" },
	[CSV_LINE] = { "line", "the line" },
	[CSV_WHERE] = { "place",
			"of a construct whose line is not known, where its code is; of one whose "
			"function is not known, that it is in a function called at the line" },
};

const char *csv_unit(uint32_t unit)
{
	return unit == PROF_UNIT_NS ? "ns" : "events";
}

/* ---- columns --------------------------------------------------------- */

static void csv_name_add(struct csv *c, const struct csv_name *name)
{
	c->names = grow(c->names, c->n, &c->room, sizeof(*c->names));
	c->names[c->n++] = *name;
}

/* "cycles:u_samples", "cpu-clock_ns", "cpu-clock_work_ns" */
static char *csv_event_name(const struct model_event *e, const struct csv_part *p)
{
	const bool weight = !strcmp(p->part, "weight");
	char *s;

	if (weight)
		s = alloc_printf("%s_%s", e->label, csv_unit(e->unit));
	else
		s = alloc_printf("%s_%s%s%s", e->label, p->part, p->unit ? "_" : "",
				 p->unit ? csv_unit(e->unit) : "");
	return s;
}

static void csv_event(struct csv *c, size_t event, const struct csv_part *parts, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (parts == self_parts && i >= SUM_PARTS &&
		    !omp_has_class(c->report->view->classes, (unsigned)(i - SUM_PARTS)))
			continue;
		const struct csv_name name = {
			.name = csv_event_name(&c->report->model->events[event], &parts[i]),
			.about = alloc_text(parts[i].about),
			.part = parts[i].part,
			.event = event,
		};

		csv_name_add(c, &name);
	}
}

static bool csv_is_sampled(const struct csv *c, size_t event)
{
	return !(c->report->model->events[event].flags & PROF_EVENT_COUNT_ONLY);
}

static void csv_events(struct csv *c, const struct csv_part *parts, size_t n)
{
	for (size_t e = 0; e < c->report->model->nevents; e++)
		if (csv_is_sampled(c, e))
			csv_event(c, e, parts, n);
}

static void csv_columns(struct csv *c, const struct csv_column *own, size_t n, unsigned costs)
{
	size_t place = 0;

	for (size_t i = 0; i < n; i++) {
		const struct csv_column *column = own[i].name ? &own[i] : &place_columns[place++];
		const struct csv_name name = {
			.name = alloc_text(column->name),
			.about = alloc_text(column->about),
		};

		csv_name_add(c, &name);
	}
	c->own = c->self = c->n;
	if (costs & (CSV_SELF | CSV_SUMS))
		csv_events(c, self_parts, SUM_PARTS + (costs & CSV_SELF ? OMP_CLASSES : 0));
	c->inclusive = c->n;
	if (costs & CSV_INCLUSIVE)
		csv_events(c, inclusive_parts, INCLUSIVE_PARTS);
}

/* ---- the selection --------------------------------------------------- */

static void csv_show(struct csv *c, size_t column)
{
	c->shown = grow(c->shown, c->nshown, &c->shown_room, sizeof(*c->shown));
	c->shown[c->nshown++] = column;
}

/* Whether a wanted name means the column: its own name, a pattern of it, or a part's name, which
   means that of the sorting event. */
static bool csv_means(const struct csv *c, const struct csv_name *name, const char *wanted)
{
	return pattern_matches(wanted, name->name) ||
	       (name->part && name->event == c->report->event && !strcmp(name->part, wanted));
}

static int csv_unknown(const struct csv *c, const char *wanted)
{
	struct trouble *t = c->report->trouble;
	char todo[sizeof(t->todo)];
	struct near near;

	if (!t)
		return -EINVAL;
	near_init(&near, wanted);
	for (size_t i = 0; i < c->n && *wanted; i++)
		near_add(&near, c->names[i].name);
	near_text(&near, "--columns help lists them", todo, sizeof(todo));
	trouble(t, "the table has no such column", todo, "--columns %s", wanted);
	return -EINVAL;
}

static int csv_select_one(struct csv *c, const char *wanted)
{
	const size_t before = c->nshown;

	for (size_t i = 0; i < c->n; i++)
		if (csv_means(c, &c->names[i], wanted))
			csv_show(c, i);
	return c->nshown == before ? csv_unknown(c, wanted) : 0;
}

static int csv_select(struct csv *c, const char *wanted)
{
	char *copy = wanted ? alloc_text(wanted) : NULL, *rest = copy, *one;
	int err = 0;

	while (!err && (one = strsep(&rest, ",")))
		err = csv_select_one(c, one);
	for (size_t i = 0; i < c->n && !wanted && !err; i++)
		csv_show(c, i);
	free(copy);
	return err;
}

/* ---- writing --------------------------------------------------------- */

static bool csv_is_formula(const char *s)
{
	return *s && strchr("=+-@", *s);
}

static bool csv_is_quoted(const char *s)
{
	return strpbrk(s, ",\"") || *s == ' ' || (*s && s[strlen(s) - 1] == ' ');
}

static void csv_put_text(FILE *out, const char *s)
{
	const bool quoted = csv_is_quoted(s);
	char one[CLEAN_BYTES];
	size_t used;

	if (quoted)
		putc_unlocked('"', out);
	if (csv_is_formula(s))
		putc_unlocked('\'', out);
	for (; *s; s += used) {
		clean_char(s, one, &used);
		if (*s == '"')
			putc_unlocked('"', out);
		fputs_unlocked(one, out);
	}
	if (quoted)
		putc_unlocked('"', out);
}

static void csv_put_cell(FILE *out, const struct csv_cell *cell)
{
	switch (cell->kind) {
	case CELL_EMPTY: break;
	case CELL_TEXT: csv_put_text(out, cell->text); break;
	case CELL_NUMBER: fprintf(out, "%" PRIu64, cell->number); break;
	case CELL_REAL: fprintf(out, "%.6g", cell->real); break;
	}
}

static void csv_header(const struct csv *c)
{
	for (size_t i = 0; i < c->nshown; i++) {
		if (i)
			putc_unlocked(',', c->out);
		csv_put_text(c->out, c->names[c->shown[i]].name);
	}
	putc_unlocked('\n', c->out);
}

/* For --columns help. */
static void csv_list(const struct csv *c)
{
	for (size_t i = 0; i < c->n; i++) {
		csv_put_text(c->out, c->names[i].name);
		fprintf(c->out, "\t%s\n", c->names[i].about);
	}
}

void csv_row(struct csv *c)
{
	for (size_t i = 0; i < c->nshown && !c->silent; i++) {
		if (i)
			putc_unlocked(',', c->out);
		csv_put_cell(c->out, &c->cells[c->shown[i]]);
	}
	if (!c->silent)
		putc_unlocked('\n', c->out);
	for (size_t i = 0; i < c->n; i++) {
		free(c->cells[i].owned);
		c->cells[i] = (struct csv_cell){ 0 };
	}
}

int csv_begin(struct csv *c, FILE *out, const struct report *r, const struct csv_column *own,
	      size_t n, unsigned costs)
{
	int err = 0;

	*c = (struct csv){ .out = out, .report = r };
	c->silent = r->wanted && !strcmp(r->wanted, "help");
	csv_columns(c, own, n, costs);
	err = csv_select(c, c->silent ? NULL : r->wanted);
	c->cells = err ? NULL : alloc_zeroed(c->n + 1, sizeof(*c->cells));
	if (!err && c->silent)
		csv_list(c);
	else if (!err)
		csv_header(c);
	return err;
}

int csv_end(struct csv *c, int err)
{
	for (size_t i = 0; i < c->n; i++) {
		free(c->names[i].name);
		free(c->names[i].about);
		if (c->cells)
			free(c->cells[i].owned);
	}
	free(c->names);
	free(c->cells);
	free(c->shown);
	return err ? err : 0;
}

/* ---- cells ----------------------------------------------------------- */

void csv_text(struct csv *c, size_t column, const char *s)
{
	if (s)
		c->cells[column] = (struct csv_cell){ .kind = CELL_TEXT, .text = s };
}

void csv_take(struct csv *c, size_t column, char *s)
{
	if (s)
		c->cells[column] = (struct csv_cell){ .kind = CELL_TEXT, .text = s, .owned = s };
}

void csv_number(struct csv *c, size_t column, uint64_t n)
{
	c->cells[column] = (struct csv_cell){ .kind = CELL_NUMBER, .number = n };
}

void csv_number_if(struct csv *c, size_t column, bool known, uint64_t n)
{
	if (known)
		csv_number(c, column, n);
}

void csv_real(struct csv *c, size_t column, double n)
{
	c->cells[column] = (struct csv_cell){ .kind = CELL_REAL, .real = n };
}

void csv_self(struct csv *c, const struct cost *block)
{
	size_t at = c->self;

	for (size_t e = 0; e < c->report->model->nevents; e++) {
		const struct cost sum = cost_sum(block, e);

		if (!csv_is_sampled(c, e))
			continue;
		csv_number(c, at++, sum.samples);
		csv_number(c, at++, sum.weight);
		for (unsigned class = 0; class < OMP_CLASSES; class ++)
			if (omp_has_class(c->report->view->classes, class))
				csv_number(c, at++,
					   cost_at(block, e, (enum omp_class) class)->weight);
	}
}

void csv_inclusive(struct csv *c, const struct cost *block)
{
	size_t at = c->inclusive;

	for (size_t e = 0; e < c->report->model->nevents; e++)
		if (csv_is_sampled(c, e))
			csv_number(c, at++, cost_sum(block, e).weight);
}

void csv_sums(struct csv *c, const struct cost *sums)
{
	size_t at = c->self;

	for (size_t e = 0; e < c->report->model->nevents; e++) {
		if (!csv_is_sampled(c, e))
			continue;
		csv_number(c, at++, sums[e].samples);
		csv_number(c, at++, sums[e].weight);
	}
}

void csv_place(struct csv *c, size_t first, const struct view *v, uint32_t line)
{
	const struct line *l = &v->names.lines[line];
	const struct function *f = &v->names.functions[l->function];

	csv_text(c, first + CSV_FUNCTION, f->name);
	csv_text(c, first + CSV_FILE, l->file ? l->file : f->file);
	csv_number_if(c, first + CSV_LINE, l->line != 0, l->line);
	csv_text(c, first + CSV_WHERE, l->place);
}

void csv_line_key(struct csv *c, size_t first, size_t called, const struct view *v, uint64_t key)
{
	const struct function *f = &v->names.functions[key >> TABLE_LINE_FUNCTION];

	csv_place(c, first, v, (uint32_t)key);
	csv_text(c, called, v->names.functions[table_line_called(key)].name);
	if ((uint32_t)key)
		return;
	csv_text(c, first + CSV_FUNCTION, f->name);
	csv_text(c, first + CSV_FILE, f->file);
}

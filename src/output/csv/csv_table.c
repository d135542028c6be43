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
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/answers/lookup.h"
#include "src/base/alloc.h"
#include "src/base/clean.h"
#include "src/base/grow.h"
#include "src/base/message.h"
#include "src/base/near.h"
#include "src/base/pattern.h"
#include "src/diff/scaling.h"
#include "src/diff/side.h"
#include "src/model/model.h"
#include "src/output/columns/cells.h"
#include "src/output/columns/flat_tables.h"
#include "src/output/formats.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/output/runs_formats.h"
#include "src/tables/annotate.h"
#include "src/tables/calls.h"
#include "src/tables/insns.h"
#include "src/tables/tables.h"
#include "src/view/view.h"

struct csv_name {
	char *name;
	const char *about;
	const char *part; /* of an event's columns: "work"; else NULL */
	size_t event;
};

struct csv {
	FILE *out;
	const struct report *report;
	const struct column *columns;
	struct csv_name *names; /* of all columns */
	struct cell *cells;	/* of one row */
	size_t own, n, room;	/* columns of the table's own, and all */
	size_t next;		/* the column whose cell comes next, mostly */
	size_t *shown;		/* numbers of the selected columns */
	size_t nshown, shown_room;
	size_t inclusive;	 /* first column of these costs; the others' is `own' */
	const char *undescribed; /* a cell's key that is no column's, or NULL */
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

static const struct column place_columns[] = {
	{ "function", "the function" },
	{ "file", "its source file, as the debug information has it" },
	{ "line", "the line" },
	{ "place", "of a construct whose line is not known, where its code is; of one whose "
		   "function is not known, that it is in a function called at the line" },
	{ NULL, NULL },
};

/* ---- columns --------------------------------------------------------- */

static void csv_name_add(struct csv *c, const struct csv_name *name)
{
	c->names = grow(c->names, c->n, &c->room, sizeof(*c->names));
	c->names[c->n++] = *name;
}

/* "cycles:u_samples", "cpu-clock_ns", "cpu-clock_work_ns" */
static char *csv_event_name(const struct model_event *e, const struct csv_part *p)
{
	const char *unit = format_unit(e->unit);

	if (!strcmp(p->part, "weight"))
		return alloc_printf("%s_%s", e->label, unit);
	return alloc_printf("%s_%s%s%s", e->label, p->part, p->unit ? "_" : "",
			    p->unit ? unit : "");
}

static void csv_events(struct csv *c, const struct csv_part *parts, size_t n)
{
	for (size_t e = 0; e < c->report->model->nevents; e++)
		if (model_is_sampled(c->report->model, e)) {
			for (size_t i = 0; i < n; i++) {
				if (parts == self_parts && i >= SUM_PARTS &&
				    !omp_has_class(c->report->view->classes,
						   (unsigned)(i - SUM_PARTS)))
					continue;
				const struct csv_name name = {
					.name = csv_event_name(&c->report->model->events[e],
							       &parts[i]),
					.about = parts[i].about,
					.part = parts[i].part,
					.event = e,
				};

				csv_name_add(c, &name);
			}
		}
}

static void csv_own(struct csv *c, const struct column *columns)
{
	for (const struct column *column = columns; column->key; column++)
		if (!column->about)
			csv_own(c, place_columns);
		else if (strcmp(column->about, JSON_ALONE) != 0)
			csv_name_add(c, &(struct csv_name){ .name = alloc_text(column->key),
							    .about = column->about });
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

static int csv_select(struct csv *c, const char *wanted)
{
	char *copy = wanted ? alloc_text(wanted) : NULL, *rest = copy, *one;
	int err = 0;

	while (!err && (one = strsep(&rest, ","))) {
		const size_t before = c->nshown;

		for (size_t i = 0; i < c->n; i++)
			if (csv_means(c, &c->names[i], one))
				csv_show(c, i);
		err = c->nshown == before ? csv_unknown(c, one) : 0;
	}
	for (size_t i = 0; i < c->n && !wanted && !err; i++)
		csv_show(c, i);
	free(copy);
	return err;
}

/* ---- writing --------------------------------------------------------- */

void csv_text(FILE *out, const char *s)
{
	const bool quoted = strpbrk(s, ",\"") || *s == ' ' || (*s && s[strlen(s) - 1] == ' ');
	char one[CLEAN_BYTES];
	size_t used;

	if (quoted)
		putc_unlocked('"', out);
	if (*s && strchr("=+-@", *s))
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

static void csv_put_cell(FILE *out, const struct cell *cell)
{
	switch (cell->kind) {
	case CELL_EMPTY: break;
	case CELL_TEXT: csv_text(out, cell->text); break;
	case CELL_NUMBER: fprintf(out, "%" PRIu64, cell->number); break;
	case CELL_REAL: fprintf(out, "%.6g", cell->real); break;
	case CELL_FLAG: fputs(cell->number ? "1" : "", out); break;
	}
}

/* ---- cells ----------------------------------------------------------- */

static bool csv_leaves(const struct csv *c, const char *key)
{
	for (const struct column *column = c->columns; column->key; column++)
		if (!strcmp(column->key, key))
			return true;
	return false;
}

static void csv_put(void *to, const char *key, const struct cell *cell)
{
	struct csv *c = to;
	size_t at = c->next, tried = 0;

	while (tried++ < c->own && strcmp(c->names[at].name, key) != 0)
		at = (at + 1) % c->own;
	if (tried > c->own)
		c->undescribed = csv_leaves(c, key) ? c->undescribed : key;
	if (tried > c->own || cell->kind == CELL_EMPTY) {
		free(cell->owned);
		return;
	}
	free(c->cells[at].owned);
	c->cells[at] = *cell;
	c->next = (at + 1) % c->own;
}

static struct cell csv_number(uint64_t n)
{
	return (struct cell){ .kind = CELL_NUMBER, .number = n };
}

static void csv_costs(void *to, enum cells_costs costs, const struct cost *block)
{
	struct csv *c = to;
	struct cell *cell = c->cells + (costs == COSTS_INCLUSIVE ? c->inclusive : c->own);

	for (size_t e = 0; e < c->report->model->nevents; e++) {
		const struct cost sum = costs == COSTS_SUMS ? block[e] : cost_sum(block, e);

		if (!model_is_sampled(c->report->model, e))
			continue;
		if (costs != COSTS_INCLUSIVE)
			*cell++ = csv_number(sum.samples);
		*cell++ = csv_number(sum.weight);
		for (unsigned class = 0; class < OMP_CLASSES && costs == COSTS_SELF; class ++)
			if (omp_has_class(c->report->view->classes, class))
				*cell++ = csv_number(
					cost_at(block, e, (enum omp_class) class)->weight);
	}
}

static void csv_end(void *to)
{
	struct csv *c = to;

	for (size_t i = 0; i < c->nshown; i++) {
		if (i)
			putc_unlocked(',', c->out);
		csv_put_cell(c->out, &c->cells[c->shown[i]]);
	}
	putc_unlocked('\n', c->out);
	for (size_t i = 0; i < c->n; i++) {
		free(c->cells[i].owned);
		c->cells[i] = (struct cell){ 0 };
	}
	c->next = 0;
}

int csv_table(FILE *out, const struct report *r, const struct flat_table *t,
	      const struct cells_of *of)
{
	const bool help = r->wanted && !strcmp(r->wanted, "help");
	struct csv c = { .out = out, .report = r };
	int err;

	c.columns = t->columns;
	csv_own(&c, t->columns);
	c.own = c.n;
	if (t->costs & (COSTS_SELF | COSTS_SUMS))
		csv_events(&c, self_parts, SUM_PARTS + (t->costs & COSTS_SELF ? OMP_CLASSES : 0));
	c.inclusive = c.n;
	if (t->costs & COSTS_INCLUSIVE)
		csv_events(&c, inclusive_parts, INCLUSIVE_PARTS);
	err = csv_select(&c, help ? NULL : r->wanted);
	if (!err && help) {
		/* For --columns help. */
		for (size_t i = 0; i < c.n; i++) {
			csv_text(c.out, c.names[i].name);
			fprintf(c.out, "\t%s\n", c.names[i].about);
		}
	} else if (!err) {
		const struct cells cells = {
			.report = c.report,
			.of = of,
			.to = &c,
			.put = csv_put,
			.costs = csv_costs,
			.end = csv_end,
		};

		c.cells = alloc_zeroed(c.n + 1, sizeof(*c.cells));
		for (size_t i = 0; i < c.nshown; i++) {
			if (i)
				putc_unlocked(',', c.out);
			csv_text(c.out, c.names[c.shown[i]].name);
		}
		putc_unlocked('\n', c.out);
		t->rows(&cells);
		free(c.cells);
	}
	if (c.undescribed && r->trouble)
		trouble(r->trouble, "a row has such a cell, and the table no column for it",
			"report it: it is ompcount's own mistake", "column %s", c.undescribed);
	err = c.undescribed ? -EINVAL : err;
	for (size_t i = 0; i < c.n; i++)
		free(c.names[i].name);
	free(c.names);
	free(c.shown);
	return err;
}

/* ---- the tables ------------------------------------------------------- */

int csv_calls(FILE *out, const struct report *r, const struct detail_target *target)
{
	struct calls calls;
	const struct cells_of of = { .target = target, .calls = &calls };
	int err = calls_build(r->view, target->name, &calls);

	if (err)
		return err;
	err = csv_table(out, r, &columns_calls, &of);
	calls_fini(&calls);
	return err;
}

int csv_annotate(FILE *out, const struct report *r, const struct detail_target *target)
{
	struct annotate a;
	const struct cells_of of = { .target = target, .annotate = &a };
	int err = annotate_build(r->view, &target->lookup->resolver, target->name, &a);

	if (err)
		return err;
	err = csv_table(out, r, &columns_annotate, &of);
	annotate_fini(&a);
	return err;
}

int csv_asm(FILE *out, const struct report *r, const struct detail_target *target)
{
	struct insns insns;
	const struct cells_of of = { .target = target, .insns = &insns };
	int err = insns_build(r->view, target->lookup->symbols, target->name, &insns);

	if (err)
		return err;
	err = csv_table(out, r, &columns_asm, &of);
	insns_fini(&insns);
	return err;
}

int csv_write(FILE *out, const struct report *r)
{
	return csv_table(out, r, flat_table_of(r->by), NULL);
}

/* ---- how a program scales ---------------------------------------------- */

static void csv_scale_put_if(FILE *out, bool known, double value)
{
	putc(',', out);
	if (known && isfinite(value))
		fprintf(out, "%.9g", value);
}

static void put_row(FILE *out, const struct scaling *s, const struct scaling_row *row, size_t i)
{
	const struct side_item *item = row->item;
	const double speedup = scaling_speedup(s, row, i);

	csv_text(out, item ? item->name : "(run)");
	putc(',', out);
	if (item)
		csv_text(out, side_item_file(item));
	putc(',', out);
	if (item && item->place && !item->ordinal)
		fprintf(out, "%" PRId64, item->place);
	fprintf(out, ",%" PRIu32 ",%d", s->threads[i], scaling_is_beyond(s, i));
	csv_scale_put_if(out, row->mean_ns[i] > 0, row->mean_ns[i]);
	csv_scale_put_if(out, row->mean_ns[i] > 0, row->deviation_ns[i]);
	csv_scale_put_if(out, speedup > 0, speedup);
	csv_scale_put_if(out, speedup > 0, scaling_efficiency(s, row, i));
	putc('\n', out);
}

void scale_csv_write(FILE *out, const struct scaling *s)
{
	fputs("region,file,line,threads,beyond_cpus,mean_ns,deviation_ns,speedup,efficiency\n",
	      out);
	for (size_t i = 0; i < s->n; i++)
		put_row(out, s, &s->total, i);
	for (size_t r = 0; r < s->nregions; r++)
		for (size_t i = 0; i < s->n; i++)
			put_row(out, s, &s->regions[r], i);
}

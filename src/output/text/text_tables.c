/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include <stdbool.h>
#include <stdlib.h>

#include "src/base/alloc.h"
#include "src/base/path.h"
#include "src/model/model.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/output/text/text.h"
#include "src/tables/constructs.h"
#include "src/tables/losses.h"
#include "src/tables/regions.h"
#include "src/tables/tables.h"
#include "src/tables/thread_spread.h"
#include "src/view/label.h"
#include "src/view/view.h"

/* ---- order ------------------------------------------------------------- */

uint64_t text_sort_weight(const struct text *t, const struct cost *block)
{
	const enum output_sort sort = t->report->sort;

	if (sort < SORT_WORK || sort > SORT_BLOCKED)
		return cost_sum(block, t->report->event).weight;
	return cost_at(block, t->report->event, (enum omp_class)(sort - SORT_WORK))->weight;
}

/* Of two rows with equal keys the costlier one is first; of equal ones before decides. */
static int sort_by(const struct text *t, double x, double y, const struct cost *a,
		   const struct cost *b, int before)
{
	const uint64_t u = cost_sum(a, t->report->event).weight;
	const uint64_t v = cost_sum(b, t->report->event).weight;

	if (x < y || x > y)
		return x < y ? 1 : -1;
	if (u != v)
		return u < v ? 1 : -1;
	return before;
}

static void sort_all(const struct text *t, void *all, size_t n, size_t size,
		     int (*order)(const void *, const void *, void *))
{
	if (t->report->sort != SORT_DEFAULT && n)
		qsort_r(all, n, size, order, (void *)(uintptr_t)t);
}

static int sort_rows(const void *a, const void *b, void *arg)
{
	const struct table_row *x = a, *y = b;
	const struct text *t = arg;
	const bool inclusive = t->report->sort == SORT_INCLUSIVE && x->inclusive && y->inclusive;

	return sort_by(t, (double)text_sort_weight(t, inclusive ? x->inclusive : x->self),
		       (double)text_sort_weight(t, inclusive ? y->inclusive : y->self), x->self,
		       y->self, x->key < y->key ? -1 : x->key > y->key);
}

void text_sort_table(const struct text *t, struct table *table)
{
	sort_all(t, table->rows, table->n, sizeof(*table->rows), sort_rows);
}

static double sort_of_region(const struct text *t, const struct region_row *r)
{
	const struct losses *l = t->report->losses;
	uint32_t slowest;

	switch (t->report->sort) {
	case SORT_IMBALANCE: return region_imbalance(r, t->report->event, &slowest);
	case SORT_ENTRIES: return (double)r->counts.entries;
	case SORT_GAIN: return l && !l->unknown && l->parallel ? losses_gain(l, r, NULL) : 0;
	default: return (double)text_sort_weight(t, r->self);
	}
}

static int sort_regions(const void *a, const void *b, void *arg)
{
	const struct region_row *x = a, *y = b;

	return sort_by(arg, sort_of_region(arg, x), sort_of_region(arg, y), x->self, y->self,
		       x->line < y->line ? -1 : x->line > y->line);
}

void text_sort_regions(const struct text *t, struct regions *regions)
{
	sort_all(t, regions->all, regions->n, sizeof(*regions->all), sort_regions);
}

static double sort_of_construct(const struct text *t, const struct construct_row *c)
{
	const struct spread_work w = construct_work(c, t->report->event);

	switch (t->report->sort) {
	case SORT_IMBALANCE: return w.mean > 0 ? (double)w.most / w.mean : 0;
	case SORT_ENTRIES: return (double)c->what->entries;
	default: return (double)text_sort_weight(t, c->self);
	}
}

static int sort_constructs(const void *a, const void *b, void *arg)
{
	const struct construct_row *x = a, *y = b;

	return sort_by(arg, sort_of_construct(arg, x), sort_of_construct(arg, y), x->self, y->self,
		       x->what < y->what ? -1 : x->what > y->what);
}

void text_sort_constructs(const struct text *t, struct constructs *constructs)
{
	sort_all(t, constructs->all, constructs->n, sizeof(*constructs->all), sort_constructs);
}

enum { STATE_LINES = 5 };

/* Prints the last column and frees name. */
static void text_named(const struct text *t, char *name)
{
	text_last(t, name);
	free(name);
}

/* How the rows of a table are printed. */
struct text_kind {
	enum table_key key;
	const struct text_own *own;
	const char *title; /* of the last column */
	bool inclusive;	   /* rows are shown by their inclusive cost */
	/* NULL: by cost. */
	int (*order)(const void *a, const void *b);
	void (*row)(const struct text *t, const struct table_row *row);
};

static void text_table(const struct text *whole, const struct text_kind *kind)
{
	const struct text fit = text_fit(whole, kind->own), *t = &fit;
	struct table table;

	table_build(t->report->view, kind->key, &table);
	if (kind->inclusive)
		table_add_inclusive(t->report->view, kind->key, &table);
	if (!kind->order || t->report->sort != SORT_DEFAULT)
		table_sort(&table, t->report->event);
	else if (table.n)
		qsort(table.rows, table.n, sizeof(*table.rows), kind->order);
	text_sort_table(t, &table);

	struct text_rest rest = { 0 };
	size_t shown = 0;

	text_titles(t, kind->title);
	for (size_t i = 0; i < table.n; i++) {
		const struct table_row *row = &table.rows[i];
		const struct cost *cost = kind->inclusive ? row->inclusive : row->self;

		/* The tree has the paths of samples that a filter left out. */
		if (kind->inclusive && t->report->view->kept && cost_is_zero(cost, table.nevents))
			continue;
		if (text_shows(t, cost, shown++))
			kind->row(t, row);
		else
			text_rest_add(t, &rest, row->self);
	}
	text_rest_print(t, &rest, 0);
	table_fini(&table);
}

/* ---- functions ------------------------------------------------------- */

static void text_function_row(const struct text *t, const struct table_row *row)
{
	const size_t event = t->report->event;

	text_row(t, (uint32_t)row->key, 0);
	text_cells(t, row->self);
	text_cell(t, 0,
		  format_percent(cost_sum(row->inclusive, event).weight,
				 cost_sum(t->total, event).weight)
			  .s);
	text_named(t, table_call_label(t->report->view, row));
}

/* Functions that only call others are shown by their inclusive cost. */
void text_functions(const struct text *t)
{
	static const struct text_own own[] = { { "incl", 8, COLUMN_OWN }, { 0 } };
	static const struct text_kind kind = {
		.key = TABLE_CALL,
		.own = own,
		.title = "function",
		.inclusive = true,
		.row = text_function_row,
	};

	text_table(t, &kind);
}

/* ---- lines ----------------------------------------------------------- */

char *text_line_in_region(const struct view *v, uint64_t key, uint32_t region)
{
	char *line = table_line_label(v, key), *name;
	char *place = region < REGION_SPECIALS ? NULL :
						 label_line(&v->names, v->regions[region].line);

	if (place)
		name = alloc_printf("%s, region %s", line, place);
	else
		name = alloc_printf("%s, %s", line, region_special_name(region));
	free(line);
	free(place);
	return name;
}

static void text_line_row(const struct text *t, const struct table_row *row)
{
	if ((uint32_t)row->key)
		text_row_line(t, (uint32_t)row->key);
	else
		text_row(t, (uint32_t)(row->key >> TABLE_LINE_FUNCTION), 0);
	text_cells(t, row->self);
	text_named(t, table_line_label(t->report->view, row->key));
}

void text_lines(const struct text *t)
{
	static const struct text_kind kind = {
		.key = TABLE_LINE,
		.title = "line",
		.row = text_line_row,
	};

	text_table(t, &kind);
}

/* ---- modules and files ----------------------------------------------- */

static void text_name_row(const struct text *t, const struct table_row *row)
{
	const char *name = (const char *)(uintptr_t)row->key;
	char *s;

	if (row->key2 != TABLE_NAME_MODULE) {
		s = alloc_text(name);
	} else {
		s = alloc_printf("(no source) [%s]", path_base(name));
	}
	text_cells(t, row->self);
	text_named(t, s);
}

void text_modules(const struct text *t)
{
	static const struct text_kind kind = {
		.key = TABLE_MODULE,
		.title = "module",
		.row = text_name_row,
	};

	text_table(t, &kind);
}

void text_files(const struct text *t)
{
	static const struct text_kind kind = {
		.key = TABLE_FILE,
		.title = "source file",
		.row = text_name_row,
	};

	text_table(t, &kind);
}

/* ---- phases ---------------------------------------------------------- */

static void text_phase_row(const struct text *t, const struct table_row *row)
{
	const struct view *v = t->report->view;
	const struct view_phase *p = &v->phases[row->key];
	const bool known = !v->filtered && p->entries;

	text_cells(t, row->self);
	text_cell(t, 0, known ? format_count(p->entries).s : "");
	text_cell(t, 1,
		  known && p->elapsed_known ? format_amount(p->elapsed_ns, PROF_UNIT_NS).s : "");
	text_named(t, view_phase_label(v, (uint32_t)row->key));
}

void text_phases(const struct text *t)
{
	static const struct text_own own[] = { { "entries", 10, COLUMN_OWN },
					       { "elapsed", 10, COLUMN_OWN },
					       { 0 } };
	static const struct text_kind kind = {
		.key = TABLE_PHASE,
		.own = own,
		.title = "phase",
		.row = text_phase_row,
	};

	text_table(t, &kind);
	if (t->report->view->nphases == 1)
		fputs("the program named no phases: see MARKS AND PHASES in omphwc(7)\n", t->out);
}

/* ---- states ---------------------------------------------------------- */

/* "    solve (jacobi.c:20) for queue", "    load (sim.c:40) in read" */
static void text_state_line(const struct text *t, const struct table_row *row)
{
	const char *object = (const char *)(uintptr_t)row->key2;
	const uint64_t leaf = row->key >> 32;
	char *place = label_line(&t->report->view->names, (uint32_t)row->key);
	char *name = NULL;

	name = object ? alloc_printf("    %s %s %s", place,
				     leaf == LEAF_MPI || leaf == LEAF_BLOCKED ? "in" : "for",
				     object) :
			alloc_printf("    %s", place);
	free(place);
	text_cells(t, row->self);
	text_named(t, name);
}

static void text_state_lines(const struct text *t, const struct table *lines, uint64_t leaf)
{
	size_t shown = 0;

	for (size_t i = 0; i < lines->n && shown < STATE_LINES; i++) {
		const struct table_row *row = &lines->rows[i];

		if (row->key >> 32 != leaf || (!(uint32_t)row->key && !row->key2) ||
		    !text_shows(t, row->self, 0))
			continue;
		text_state_line(t, row);
		shown++;
	}
}

void text_states(const struct text *t)
{
	struct table states, lines;

	table_build(t->report->view, TABLE_STATE, &states);
	table_build(t->report->view, TABLE_STATE_LINE, &lines);
	table_sort(&states, t->report->event);
	table_sort(&lines, t->report->event);
	text_titles(t, "state, and its costliest lines");
	for (size_t i = 0; i < states.n; i++) {
		text_cells(t, states.rows[i].self);
		text_last(t, leaf_label((enum omp_leaf)states.rows[i].key));
		text_state_lines(t, &lines, states.rows[i].key);
	}
	table_fini(&states);
	table_fini(&lines);
}

/* ---- threads --------------------------------------------------------- */

static void text_thread_row(const struct text *t, const struct table_row *row)
{
	const uint32_t thread = (uint32_t)row->key;
	const struct model *m = t->report->model;
	const struct prof_thread *p = m->threads[thread].t;
	const char *kind = thread_kind(p->kind);

	text_row(t, 0, 0);
	text_cells(t, row->self);
	text_cell(t, 0, format_count(cost_sum(row->self, t->report->event).samples).s);
	text_cell(t, 1, format_count(model_thread_lost(p)).s);
	fputs("  ", t->out);
	thread_name(t->out, m, thread);
	fprintf(t->out, ", %s, tid %u", kind ? kind : "not OpenMP's", p->tid);
	text_thread_cpus(t, thread);
	putc('\n', t->out);
}

static int text_order_threads(const void *a, const void *b)
{
	const struct table_row *x = a, *y = b;

	return x->key < y->key ? -1 : x->key > y->key;
}

void text_threads(const struct text *t)
{
	static const struct text_own own[] = { { "samples", 10, COLUMN_OWN },
					       { "lost", 7, COLUMN_OWN },
					       { 0 } };
	static const struct text_kind kind = {
		.key = TABLE_THREAD,
		.own = own,
		.title = "thread",
		.order = text_order_threads,
		.row = text_thread_row,
	};

	text_table(t, &kind);
}

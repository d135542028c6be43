#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/model/model.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/output/text/text.h"
#include "src/output/thread_name.h"
#include "src/tables/tables.h"
#include "src/view/view.h"

enum { INCLUSIVE_WIDTH = 8, STATE_LINES = 5 };

/* Prints the last column and frees name; NULL: no memory. */
static int text_named(const struct text *t, size_t used, char *name)
{
	if (!name)
		return -ENOMEM;
	text_last(t, used, name);
	free(name);
	return 0;
}

/* ---- functions ------------------------------------------------------- */

static int text_function_row(const struct text *t, const struct table_row *row)
{
	const size_t event = t->report->event;
	char buf[FORMAT_BYTES];

	text_cells(t, row->self);
	fprintf(t->out, "%*s", INCLUSIVE_WIDTH,
		format_percent(buf, cost_sum(row->inclusive, event).weight,
			       cost_sum(t->total, event).weight));
	return text_named(t, text_cells_width(t) + INCLUSIVE_WIDTH,
			  text_function(t->report->view, (uint32_t)row->key));
}

int text_functions(const struct text *t)
{
	struct text_rest rest = { 0 };
	struct table table;
	size_t shown = 0;
	int err = table_build(t->report->view, TABLE_FUNCTION, &table);

	if (err)
		return err;
	err = table_add_inclusive(t->report->view, &table);
	if (!err)
		err = text_rest_init(t, &rest);
	if (!err) {
		table_sort(&table, t->report->event);
		text_titles(t);
		fprintf(t->out, "%*s  function\n", INCLUSIVE_WIDTH, "incl");
	}
	for (size_t i = 0; i < table.n && !err; i++) {
		/* The tree has the paths of samples that a filter left out. */
		if (t->report->view->kept && cost_is_zero(table.rows[i].inclusive, table.nevents))
			continue;
		/* Functions that only call others are shown by their inclusive cost. */
		if (text_shows(t, table.rows[i].inclusive, shown++))
			err = text_function_row(t, &table.rows[i]);
		else
			text_rest_add(t, &rest, table.rows[i].self);
	}
	if (!err)
		text_rest_print(t, &rest, INCLUSIVE_WIDTH, "");
	free(rest.sum);
	table_fini(&table);
	return err;
}

/* ---- lines ----------------------------------------------------------- */

char *text_line_name(const struct view *v, uint64_t key)
{
	return (uint32_t)key ? text_place(v, (uint32_t)key) :
			       text_function(v, (uint32_t)(key >> TABLE_LINE_FUNCTION));
}

int text_lines(const struct text *t)
{
	struct text_rest rest = { 0 };
	struct table table;
	size_t shown = 0;
	int err = table_build(t->report->view, TABLE_LINE, &table);

	if (err)
		return err;
	err = text_rest_init(t, &rest);
	if (!err) {
		table_sort(&table, t->report->event);
		text_titles(t);
		fputs("  line\n", t->out);
	}
	for (size_t i = 0; i < table.n && !err; i++) {
		if (!text_shows(t, table.rows[i].self, shown++)) {
			text_rest_add(t, &rest, table.rows[i].self);
			continue;
		}
		text_cells(t, table.rows[i].self);
		err = text_named(t, text_cells_width(t),
				 text_line_name(t->report->view, table.rows[i].key));
	}
	if (!err)
		text_rest_print(t, &rest, 0, "");
	free(rest.sum);
	table_fini(&table);
	return err;
}

/* ---- modules and files ----------------------------------------------- */

static int text_table_name(const struct text *t, const struct table_row *row)
{
	const char *name = (const char *)(uintptr_t)row->key;
	char *s;

	if (row->key2 != TABLE_NAME_MODULE)
		s = strdup(name);
	else if (asprintf(&s, "(no source) [%s]", format_base(name)) < 0)
		s = NULL;
	text_cells(t, row->self);
	return text_named(t, text_cells_width(t), s);
}

static int text_names(const struct text *t, enum table_key by, const char *title)
{
	struct text_rest rest = { 0 };
	struct table table;
	size_t shown = 0;
	int err = table_build(t->report->view, by, &table);

	if (err)
		return err;
	err = text_rest_init(t, &rest);
	if (!err) {
		table_sort(&table, t->report->event);
		text_titles(t);
		fprintf(t->out, "  %s\n", title);
	}
	for (size_t i = 0; i < table.n && !err; i++) {
		if (text_shows(t, table.rows[i].self, shown++))
			err = text_table_name(t, &table.rows[i]);
		else
			text_rest_add(t, &rest, table.rows[i].self);
	}
	if (!err)
		text_rest_print(t, &rest, 0, "");
	free(rest.sum);
	table_fini(&table);
	return err;
}

int text_modules(const struct text *t)
{
	return text_names(t, TABLE_MODULE, "module");
}

int text_files(const struct text *t)
{
	return text_names(t, TABLE_FILE, "source file");
}

/* ---- states ---------------------------------------------------------- */

/* "    solve (jacobi.c:20) for queue" */
static int text_state_line(const struct text *t, const struct table_row *row)
{
	const char *object = (const char *)(uintptr_t)row->key2;
	char *place = text_place(t->report->view, (uint32_t)row->key);
	char *name = NULL;
	int n;

	if (!place)
		return -ENOMEM;
	n = object ? asprintf(&name, "    %s for %s", place, object) :
		     asprintf(&name, "    %s", place);
	free(place);
	if (n < 0)
		return -ENOMEM;
	text_cells(t, row->self);
	return text_named(t, text_cells_width(t), name);
}

static int text_state_lines(const struct text *t, const struct table *lines, uint64_t leaf)
{
	size_t shown = 0;
	int err = 0;

	for (size_t i = 0; i < lines->n && shown < STATE_LINES && !err; i++) {
		const struct table_row *row = &lines->rows[i];

		if (row->key >> 32 != leaf || (!(uint32_t)row->key && !row->key2) ||
		    !text_shows(t, row->self, 0))
			continue;
		err = text_state_line(t, row);
		shown++;
	}
	return err;
}

int text_states(const struct text *t)
{
	struct table states, lines;
	int err = table_build(t->report->view, TABLE_STATE, &states);

	if (err)
		return err;
	err = table_build(t->report->view, TABLE_STATE_LINE, &lines);
	if (err) {
		table_fini(&states);
		return err;
	}
	table_sort(&states, t->report->event);
	table_sort(&lines, t->report->event);
	text_titles(t);
	fputs("  state, and its costliest lines\n", t->out);
	for (size_t i = 0; i < states.n && !err; i++) {
		text_cells(t, states.rows[i].self);
		text_last(t, text_cells_width(t), leaf_label((enum omp_leaf)states.rows[i].key));
		err = text_state_lines(t, &lines, states.rows[i].key);
	}
	table_fini(&states);
	table_fini(&lines);
	return err;
}

/* ---- threads --------------------------------------------------------- */

static const char *text_thread_kind(uint32_t kind)
{
	switch (kind) {
	case PROF_THREAD_INITIAL: return "initial";
	case PROF_THREAD_WORKER: return "worker";
	case PROF_THREAD_OTHER: return "other";
	}
	return "not OpenMP's";
}

static void text_thread_row(const struct text *t, uint32_t thread, const struct cost *block)
{
	const struct model *m = t->report->model;
	const struct prof_thread *p = m->threads[thread].t;
	uint64_t lost = 0;
	char buf[FORMAT_BYTES];

	for (unsigned c = 0; c < PROF_LOST_MAX; c++)
		if (c != PROF_LOST_ENTRIES)
			lost = prof_add(lost, p->lost[c]);
	text_cells(t, block);
	fprintf(t->out, "%10s", format_count(buf, cost_sum(block, t->report->event).samples));
	fprintf(t->out, "%7s  ", format_count(buf, lost));
	thread_name(t->out, m, thread);
	fprintf(t->out, ", %s, tid %u", text_thread_kind(p->kind), p->tid);
	text_thread_cpus(t, thread);
	putc('\n', t->out);
}

static int text_order_threads(const void *a, const void *b)
{
	const struct table_row *x = a, *y = b;

	return x->key < y->key ? -1 : x->key > y->key;
}

int text_threads(const struct text *t)
{
	struct text_rest rest = { 0 };
	struct table table;
	size_t shown = 0;
	int err = table_build(t->report->view, TABLE_THREAD, &table);

	if (err)
		return err;
	err = text_rest_init(t, &rest);
	if (!err) {
		if (table.n)
			qsort(table.rows, table.n, sizeof(*table.rows), text_order_threads);
		text_titles(t);
		fputs("   samples   lost  thread\n", t->out);
	}
	for (size_t i = 0; i < table.n && !err; i++) {
		if (text_shows(t, table.rows[i].self, shown++))
			text_thread_row(t, (uint32_t)table.rows[i].key, table.rows[i].self);
		else
			text_rest_add(t, &rest, table.rows[i].self);
	}
	if (!err)
		text_rest_print(t, &rest, 17, "");
	free(rest.sum);
	table_fini(&table);
	return err;
}

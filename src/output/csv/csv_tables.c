/* SPDX-License-Identifier: BSD-3-Clause */
/* csv_tables.c - functions, lines, paths, states, modules and files. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>

#include "src/model/model.h"
#include "src/output/csv/csv_parts.h"
#include "src/output/csv/csv_table.h"
#include "src/output/output.h"
#include "src/tables/tables.h"
#include "src/view/view.h"

#include "src/base/alloc.h"

struct tables_kind {
	enum table_key key;
	unsigned costs;
	const struct csv_column *columns;
	size_t ncolumns;
	void (*row)(struct csv *c, const struct table_row *row);
};

static void tables_rows(struct csv *c, const struct tables_kind *kind, struct table *t)
{
	const struct report *r = c->report;

	table_sort(t, r->event);
	for (size_t i = 0; i < t->n; i++) {
		const struct table_row *row = &t->rows[i];

		/* The tree has the paths of samples that a filter left out. */
		if (row->inclusive && r->view->kept && cost_is_zero(row->inclusive, t->nevents))
			continue;
		kind->row(c, row);
		csv_self(c, row->self);
		if (row->inclusive)
			csv_inclusive(c, row->inclusive);
		csv_row(c);
	}
}

static int tables_write(FILE *out, const struct report *r, const struct tables_kind *kind)
{
	struct table t;
	struct csv c;
	int err;

	table_build(r->view, kind->key, &t);
	if (kind->costs & CSV_INCLUSIVE)
		table_add_inclusive(r->view, kind->key, &t);
	err = csv_begin(&c, out, r, kind->columns, kind->ncolumns, kind->costs);
	if (!err)
		tables_rows(&c, kind, &t);
	err = csv_end(&c, err);
	table_fini(&t);
	return err;
}

/* ---- functions ------------------------------------------------------- */

enum {
	FUNCTION_NAME,
	FUNCTION_LINKAGE,
	FUNCTION_MODULE,
	FUNCTION_FILE,
	FUNCTION_LINE,
	FUNCTION_COLUMNS
};

#define FUNCTION_ABOUT "the function; <OMP-...>: the runtime's activity"
#define CALLED_ABOUT \
	"what it called of a library that the program has no source of, whose cost it is"
#define MODULE_ABOUT "the program or library that has it"

static void function_cells(struct csv *c, size_t first, const struct function *f)
{
	csv_text(c, first + FUNCTION_NAME, f->name ? f->name : "(no function)");
	csv_text(c, first + FUNCTION_LINKAGE, f->linkage);
	csv_text(c, first + FUNCTION_MODULE, f->module);
	csv_text(c, first + FUNCTION_FILE, f->file);
	csv_number_if(c, first + FUNCTION_LINE, f->line != 0, f->line);
}

enum { CALL_CALLED = FUNCTION_COLUMNS, CALL_COLUMNS };

static const struct csv_column call_columns[CALL_COLUMNS] = {
	[FUNCTION_NAME] = { "function", FUNCTION_ABOUT },
	[FUNCTION_LINKAGE] = { "linkage", "its symbol" },
	[FUNCTION_MODULE] = { "module", MODULE_ABOUT },
	[FUNCTION_FILE] = { "file", "its source file" },
	[FUNCTION_LINE] = { "line", "the line of its definition" },
	[CALL_CALLED] = { "called", CALLED_ABOUT },
};

static void call_row(struct csv *c, const struct table_row *row)
{
	const struct function *functions = c->report->view->names.functions;

	function_cells(c, 0, &functions[row->key]);
	csv_text(c, CALL_CALLED, functions[row->key2].name);
}

int csv_functions(FILE *out, const struct report *r)
{
	static const struct tables_kind kind = {
		.key = TABLE_CALL,
		.costs = CSV_SELF | CSV_INCLUSIVE,
		.columns = call_columns,
		.ncolumns = CALL_COLUMNS,
		.row = call_row,
	};

	return tables_write(out, r, &kind);
}

/* ---- lines ----------------------------------------------------------- */

enum { LINE_PLACE, LINE_CALLED = CSV_PLACES, LINE_COLUMNS };

static const struct csv_column line_columns[LINE_COLUMNS] = {
	[LINE_CALLED] = { "called", CALLED_ABOUT },
};

static void line_row(struct csv *c, const struct table_row *row)
{
	csv_line_key(c, LINE_PLACE, LINE_CALLED, c->report->view, row->key);
}

int csv_lines(FILE *out, const struct report *r)
{
	static const struct tables_kind kind = {
		.key = TABLE_LINE,
		.costs = CSV_SELF,
		.columns = line_columns,
		.ncolumns = LINE_COLUMNS,
		.row = line_row,
	};

	return tables_write(out, r, &kind);
}

/* ---- modules and files ----------------------------------------------- */

enum { NAME_NAME, NAME_KIND, NAME_COLUMNS };

#define NAME_KIND_ABOUT "file; module: code without a source; none: no code, such as idle threads"

static const struct csv_column module_columns[NAME_COLUMNS] = {
	[NAME_NAME] = { "module", "the program or library of the innermost code" },
	[NAME_KIND] = { "kind", NAME_KIND_ABOUT },
};

static const struct csv_column file_columns[NAME_COLUMNS] = {
	[NAME_NAME] = { "file", "the source file of the innermost code" },
	[NAME_KIND] = { "kind", NAME_KIND_ABOUT },
};

static void name_row(struct csv *c, const struct table_row *row)
{
	static const char *const kinds[] = {
		[TABLE_NAME_FILE] = "file",
		[TABLE_NAME_MODULE] = "module",
		[TABLE_NAME_NONE] = "none",
	};

	csv_text(c, NAME_NAME, (const char *)(uintptr_t)row->key);
	csv_text(c, NAME_KIND, kinds[row->key2]);
}

int csv_modules(FILE *out, const struct report *r)
{
	static const struct tables_kind kind = {
		.key = TABLE_MODULE,
		.costs = CSV_SELF,
		.columns = module_columns,
		.ncolumns = NAME_COLUMNS,
		.row = name_row,
	};

	return tables_write(out, r, &kind);
}

int csv_files(FILE *out, const struct report *r)
{
	static const struct tables_kind kind = {
		.key = TABLE_FILE,
		.costs = CSV_SELF,
		.columns = file_columns,
		.ncolumns = NAME_COLUMNS,
		.row = name_row,
	};

	return tables_write(out, r, &kind);
}

/* ---- states ---------------------------------------------------------- */

enum {
	STATE_STATE,
	STATE_ARTIFICIAL,
	STATE_OBJECT,
	STATE_PLACE,
	STATE_COLUMNS = STATE_PLACE + CSV_PLACES
};

static const struct csv_column state_columns[STATE_COLUMNS] = {
	[STATE_STATE] = { "state", "what threads were doing" },
	[STATE_ARTIFICIAL] = { "artificial", "the function that paths show for it" },
	[STATE_OBJECT] = { "object", "name of the lock or critical section waited for" },
};

static void state_row(struct csv *c, const struct table_row *row)
{
	const enum omp_leaf leaf = (enum omp_leaf)(row->key >> 32);

	csv_text(c, STATE_STATE, leaf_label(leaf));
	csv_text(c, STATE_ARTIFICIAL, leaf_function(leaf));
	csv_text(c, STATE_OBJECT, (const char *)(uintptr_t)row->key2);
	csv_place(c, STATE_PLACE, c->report->view, (uint32_t)row->key);
}

/* A row for each state and line. */
int csv_states(FILE *out, const struct report *r)
{
	static const struct tables_kind kind = {
		.key = TABLE_STATE_LINE,
		.costs = CSV_SELF,
		.columns = state_columns,
		.ncolumns = STATE_COLUMNS,
		.row = state_row,
	};

	return tables_write(out, r, &kind);
}

/* ---- paths ----------------------------------------------------------- */

enum {
	PATH_NODE,
	PATH_PARENT,
	PATH_DEPTH,
	PATH_FUNCTION,
	PATH_COLUMNS = PATH_FUNCTION + FUNCTION_COLUMNS
};

static const struct csv_column path_columns[PATH_COLUMNS] = {
	[PATH_NODE] = { "node", "number of the path" },
	[PATH_PARENT] = { "parent", "number of the path of its caller; 0: none" },
	[PATH_DEPTH] = { "depth", "functions on the path" },
	[PATH_FUNCTION + FUNCTION_NAME] = { "function", FUNCTION_ABOUT },
	[PATH_FUNCTION + FUNCTION_LINKAGE] = { "linkage", "its symbol" },
	[PATH_FUNCTION + FUNCTION_MODULE] = { "module", MODULE_ABOUT },
	[PATH_FUNCTION + FUNCTION_FILE] = { "file", "its source file" },
	[PATH_FUNCTION + FUNCTION_LINE] = { "line",
					    "the line of its definition; with --lines: where "
					    "the path goes on" },
};

/* With --lines: where in the function the path goes on. */
static void path_line(struct csv *c, const struct line *l)
{
	if (l->file)
		csv_text(c, PATH_FUNCTION + FUNCTION_FILE, l->file);
	if (l->line)
		csv_number(c, PATH_FUNCTION + FUNCTION_LINE, l->line);
}

static void paths_rows(struct csv *c, uint32_t *depth)
{
	const struct report *r = c->report;
	const size_t block = r->model->nevents * OMP_CLASSES;
	const struct tree *tree = &r->view->tree;
	struct cost *self, *inclusive;

	tree_costs(r->view, &self, &inclusive);
	for (size_t i = 1; i < tree->n; i++) {
		const struct tree_node *n = &tree->nodes[i];

		depth[i] = depth[n->parent] + 1;
		if (r->view->kept && cost_is_zero(&inclusive[i * block], r->model->nevents))
			continue;
		function_cells(c, PATH_FUNCTION, &r->view->names.functions[n->function]);
		if (r->lines)
			path_line(c, &r->view->names.lines[n->line]);
		csv_number(c, PATH_NODE, i);
		csv_number(c, PATH_PARENT, n->parent);
		csv_number(c, PATH_DEPTH, depth[i]);
		csv_self(c, &self[i * block]);
		csv_inclusive(c, &inclusive[i * block]);
		csv_row(c);
	}
	free(self);
	free(inclusive);
}

/* A row for each node of the tree, callers before the functions that they call. */
int csv_paths(FILE *out, const struct report *r)
{
	uint32_t *depth = alloc_zeroed(r->view->tree.n, sizeof(*depth));
	struct csv c;
	int err = 0;

	err = csv_begin(&c, out, r, path_columns, PATH_COLUMNS, CSV_SELF | CSV_INCLUSIVE);
	if (!err)
		paths_rows(&c, depth);
	free(depth);
	return csv_end(&c, err);
}

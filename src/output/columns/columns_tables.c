/* SPDX-License-Identifier: BSD-3-Clause */
/* columns_tables.c - functions, lines, paths, states, modules, files and accessed memory. */
#include "config.h"

#include <stdlib.h>

#include "src/base/alloc.h"
#include "src/model/model.h"
#include "src/output/columns/flat_tables.h"
#include "src/profile/format.h"
#include "src/tables/tables.h"
#include "src/view/view.h"

#define FUNCTION_ABOUT "the function; <OMP-...>: the runtime's activity"
#define CALLED_ABOUT \
	"what it called of a library that the program has no source of, whose cost it is"
#define MODULE_ABOUT "the program or library that has it"
#define KIND_ABOUT "file; module: code without a source; none: no code, such as idle threads"

static void columns_tables_table_rows(const struct cells *c, enum table_key key, bool inclusive,
				      void (*put)(const struct cells *c,
						  const struct table_row *row))
{
	const struct report *r = c->report;
	struct table t;

	table_build(r->view, key, &t);
	if (inclusive)
		table_add_inclusive(r->view, key, &t);
	table_sort(&t, r->event);
	for (size_t i = 0; i < t.n; i++) {
		const struct table_row *row = &t.rows[i];

		/* The tree has the paths of samples that a filter left out. */
		if (inclusive && r->view->kept && cost_is_zero(row->inclusive, t.nevents))
			continue;
		put(c, row);
		if (inclusive)
			c->costs(c->to, COSTS_INCLUSIVE, row->inclusive);
		cells_end(c, COSTS_SELF, row->self);
	}
	table_fini(&t);
}

/* ---- functions and lines --------------------------------------------- */

static const struct column function_columns[] = {
	{ "function", FUNCTION_ABOUT },
	{ "linkage", "its symbol" },
	{ "module", MODULE_ABOUT },
	{ "file", "its source file" },
	{ "line", "the line of its definition" },
	{ "called", CALLED_ABOUT },
	{ NULL, NULL },
};

static void function_cells(const struct cells *c, const struct function *f)
{
	cells_text(c, "function", f->name ? f->name : "(no function)");
	cells_text(c, "linkage", f->linkage);
	cells_definition(c, f);
}

static void function_put(const struct cells *c, const struct table_row *row)
{
	const struct function *functions = c->report->view->names.functions;

	function_cells(c, &functions[row->key]);
	cells_text(c, "called", functions[row->key2].name);
}

static void function_rows(const struct cells *c)
{
	columns_tables_table_rows(c, TABLE_CALL, true, function_put);
}

const struct flat_table columns_function = { function_columns, COSTS_SELF | COSTS_INCLUSIVE,
					     function_rows };

static const struct column line_columns[] = {
	{ "place", NULL },
	{ "called", CALLED_ABOUT },
	{ NULL, NULL },
};

static void line_put(const struct cells *c, const struct table_row *row)
{
	cells_line(c, row->key);
}

static void line_rows(const struct cells *c)
{
	columns_tables_table_rows(c, TABLE_LINE, false, line_put);
}

const struct flat_table columns_line = { line_columns, COSTS_SELF, line_rows };

/* ---- modules and files ----------------------------------------------- */

static const struct column module_columns[] = {
	{ "module", "the program or library of the innermost code" },
	{ "kind", KIND_ABOUT },
	{ NULL, NULL },
};

static const struct column file_columns[] = {
	{ "file", "the source file of the innermost code" },
	{ "kind", KIND_ABOUT },
	{ NULL, NULL },
};

static void module_put(const struct cells *c, const struct table_row *row)
{
	cells_text(c, "module", (const char *)(uintptr_t)row->key);
	cells_text(c, "kind", table_name_kind((enum table_name_kind)row->key2));
}

static void file_put(const struct cells *c, const struct table_row *row)
{
	cells_text(c, "file", (const char *)(uintptr_t)row->key);
	cells_text(c, "kind", table_name_kind((enum table_name_kind)row->key2));
}

static void module_rows(const struct cells *c)
{
	columns_tables_table_rows(c, TABLE_MODULE, false, module_put);
}

static void file_rows(const struct cells *c)
{
	columns_tables_table_rows(c, TABLE_FILE, false, file_put);
}

const struct flat_table columns_module = { module_columns, COSTS_SELF, module_rows };
const struct flat_table columns_file = { file_columns, COSTS_SELF, file_rows };

/* ---- phases that the program named ------------------------------------ */

static const struct column phase_columns[] = {
	{ "phase", "as the program named it, after those around it; (no phase): what is in none" },
	{ "of_thread", "true: only of the threads that began it; else of the process" },
	{ "entries", "how often it began" },
	{ "elapsed_ns", "from its begins to its ends, with the phases within it" },
	{ NULL, NULL },
};

void phase_cells(const struct cells *c, uint32_t phase)
{
	const struct view *v = c->report->view;
	const struct view_phase *p = &v->phases[phase];

	cells_take(c, "phase", view_phase_label(v, phase));
	cells_flag(c, "of_thread", p->of_thread);
	entries_cells(c, v->filtered ? 0 : p->entries, p->elapsed_ns, p->elapsed_known);
}

static void phase_put(const struct cells *c, const struct table_row *row)
{
	phase_cells(c, (uint32_t)row->key);
}

static void phase_rows(const struct cells *c)
{
	columns_tables_table_rows(c, TABLE_PHASE, false, phase_put);
}

const struct flat_table columns_phase = { phase_columns, COSTS_SELF, phase_rows };

/* ---- states ---------------------------------------------------------- */

static const struct column state_columns[] = {
	{ "state", "what threads were doing" },
	{ "artificial", "the function that paths show for it" },
	{ "object", "name of the lock or critical section waited for" },
	{ "place", NULL },
	{ NULL, NULL },
};

static void state_put(const struct cells *c, const struct table_row *row)
{
	const enum omp_leaf leaf = (enum omp_leaf)(row->key >> 32);

	cells_text(c, "state", leaf_label(leaf));
	cells_text(c, "artificial", leaf_function(leaf));
	cells_text(c, "object", (const char *)(uintptr_t)row->key2);
	cells_place(c, (uint32_t)row->key);
}

/* A row for each state and line. */
static void state_rows(const struct cells *c)
{
	columns_tables_table_rows(c, TABLE_STATE_LINE, false, state_put);
}

const struct flat_table columns_state = { state_columns, COSTS_SELF, state_rows };

/* ---- paths ----------------------------------------------------------- */

static const struct column path_columns[] = {
	{ "node", "number of the path" },
	{ "parent", "number of the path of its caller; 0: none" },
	{ "depth", "functions on the path" },
	{ "function", FUNCTION_ABOUT },
	{ "linkage", "its symbol" },
	{ "module", MODULE_ABOUT },
	{ "file", "its source file" },
	{ "line", "the line of its definition; with --lines: where the path goes on" },
	{ NULL, NULL },
};

/* A row for each node of the tree, callers before the functions that they call. */
static void path_rows(const struct cells *c)
{
	const struct report *r = c->report;
	const size_t block = r->model->nevents * OMP_CLASSES;
	const struct tree *tree = &r->view->tree;
	uint32_t *depth = alloc_zeroed(tree->n, sizeof(*depth));
	struct cost *self, *inclusive;

	tree_costs(r->view, &self, &inclusive);
	for (size_t i = 1; i < tree->n; i++) {
		const struct tree_node *n = &tree->nodes[i];

		depth[i] = depth[n->parent] + 1;
		if (r->view->kept && cost_is_zero(&inclusive[i * block], r->model->nevents))
			continue;
		cells_number(c, "node", i);
		cells_number(c, "parent", n->parent);
		cells_number(c, "depth", depth[i]);
		function_cells(c, &r->view->names.functions[n->function]);
		if (r->lines) {
			/* With --lines: where in the function the path goes on. */
			const struct line *l = &r->view->names.lines[n->line];

			cells_text(c, "file", l->file);
			cells_number_if(c, "line", l->line != 0, l->line);
		}
		c->costs(c->to, COSTS_INCLUSIVE, &inclusive[i * block]);
		cells_end(c, COSTS_SELF, &self[i * block]);
	}
	free(self);
	free(inclusive);
	free(depth);
}

const struct flat_table columns_path = { path_columns, COSTS_SELF | COSTS_INCLUSIVE, path_rows };

/* ---- memory ----------------------------------------------------------------- */

static const struct column memory_columns[] = {
	{ "kind", "global, stack, block (of the heap), heap, mapped or kernel; none: "
		  "the sample has no address" },
	{ "name", "of a global variable" },
	{ "module", "the program or library that has it" },
	{ "first_address", "of mapped memory: the lowest accessed address" },
	{ "end_address", "of mapped memory: the end of the highest" },
	{ "blocks", "of the heap: blocks that the path allocated" },
	{ "bytes", "their size in all" },
	{ "node", "the path that allocated them: a node of --by path" },
	{ "place", NULL },
	{ "accesses_with_cost", "accesses whose cost was measured" },
	{ "cycles", "their cost in cycles" },
	{ NULL, NULL },
};

static const char *memory_kind(const struct view_memory *m)
{
	static const char *const kinds[] = {
		[PROF_DATA_OTHER] = "mapped",  [PROF_DATA_STACK] = "stack",
		[PROF_DATA_GLOBAL] = "global", [PROF_DATA_HEAP] = "heap",
		[PROF_DATA_KERNEL] = "kernel",
	};

	if (m->kind == VIEW_MEMORY_BLOCK)
		return "block";
	return kinds[m->kind < sizeof(kinds) / sizeof(*kinds) && kinds[m->kind] ? m->kind :
										  PROF_DATA_OTHER];
}

void memory_cells(const struct cells *c, const struct view_memory *m)
{
	cells_text(c, "kind", memory_kind(m));
	cells_text(c, "name", m->name);
	cells_text(c, "module", m->module);
	cells_number_if(c, "first_address", m->hi != 0, m->lo);
	cells_number_if(c, "end_address", m->hi != 0, m->hi);
}

static void memory_rows(const struct cells *c)
{
	struct table t;

	table_build(c->report->view, TABLE_MEMORY, &t);
	table_sort(&t, c->report->event);
	for (size_t i = 0; i < t.n; i++) {
		const struct table_row *row = &t.rows[i];
		const struct view_memory *m = &c->report->view->memory[row->key];

		memory_cells(c, m);
		if (!row->key)
			cells_text(c, "kind", "none");
		if (m->kind == VIEW_MEMORY_BLOCK) {
			cells_number(c, "blocks", m->blocks);
			cells_number(c, "bytes", m->bytes);
			cells_number(c, "node", m->node);
			cells_place(c, m->line);
		}
		cells_number_if(c, "accesses_with_cost", m->measured != 0, m->measured);
		cells_number_if(c, "cycles", m->measured != 0, m->cycles);
		cells_end(c, COSTS_SELF, row->self);
	}
	table_fini(&t);
}

const struct flat_table columns_memory = { memory_columns, COSTS_SELF, memory_rows };

/* SPDX-License-Identifier: BSD-3-Clause */
/* columns_memory.c - accessed memory. */
#include "config.h"

#include "src/output/columns/flat_tables.h"
#include "src/profile/format.h"
#include "src/tables/tables.h"
#include "src/view/view.h"

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

/* SPDX-License-Identifier: BSD-3-Clause */
/* csv_memory.c - accessed memory. */
#include "config.h"

#include "src/output/csv/csv_parts.h"
#include "src/output/csv/csv_table.h"
#include "src/output/output.h"
#include "src/profile/format.h"
#include "src/tables/tables.h"
#include "src/view/view.h"

enum {
	MEMORY_KIND,
	MEMORY_NAME,
	MEMORY_MODULE,
	MEMORY_FIRST,
	MEMORY_END,
	MEMORY_BLOCKS,
	MEMORY_BYTES,
	MEMORY_NODE,
	MEMORY_PLACE,
	MEMORY_MEASURED = MEMORY_PLACE + CSV_PLACES,
	MEMORY_CYCLES,
	MEMORY_COLUMNS
};

static const struct csv_column memory_columns[MEMORY_COLUMNS] = {
	[MEMORY_KIND] = { "kind",
			  "global, stack, block (of the heap), heap, mapped or kernel; none: "
			  "the sample has no address" },
	[MEMORY_NAME] = { "name", "of a global variable" },
	[MEMORY_MODULE] = { "module", "the program or library that has it" },
	[MEMORY_FIRST] = { "first_address", "of mapped memory: the lowest accessed address" },
	[MEMORY_END] = { "end_address", "of mapped memory: the end of the highest" },
	[MEMORY_BLOCKS] = { "blocks", "of the heap: blocks that the path allocated" },
	[MEMORY_BYTES] = { "bytes", "their size in all" },
	[MEMORY_NODE] = { "node", "the path that allocated them: a node of --by path" },
	[MEMORY_MEASURED] = { "accesses_with_cost", "accesses whose cost was measured" },
	[MEMORY_CYCLES] = { "cycles", "their cost in cycles" },
};

static const char *memory_kind(const struct view_memory *m, uint64_t number)
{
	static const char *const kinds[] = {
		[PROF_DATA_OTHER] = "mapped",  [PROF_DATA_STACK] = "stack",
		[PROF_DATA_GLOBAL] = "global", [PROF_DATA_HEAP] = "heap",
		[PROF_DATA_KERNEL] = "kernel",
	};

	if (!number)
		return "none";
	if (m->kind == VIEW_MEMORY_BLOCK)
		return "block";
	return kinds[m->kind < sizeof(kinds) / sizeof(*kinds) && kinds[m->kind] ? m->kind :
										  PROF_DATA_OTHER];
}

static void memory_row(struct csv *c, const struct table_row *row)
{
	const struct view_memory *m = &c->report->view->memory[row->key];

	csv_text(c, MEMORY_KIND, memory_kind(m, row->key));
	csv_text(c, MEMORY_NAME, m->name);
	csv_text(c, MEMORY_MODULE, m->module);
	csv_number_if(c, MEMORY_FIRST, m->hi != 0, m->lo);
	csv_number_if(c, MEMORY_END, m->hi != 0, m->hi);
	if (m->kind == VIEW_MEMORY_BLOCK) {
		csv_number(c, MEMORY_BLOCKS, m->blocks);
		csv_number(c, MEMORY_BYTES, m->bytes);
		csv_number(c, MEMORY_NODE, m->node);
		csv_place(c, MEMORY_PLACE, c->report->view, m->line);
	}
	csv_number_if(c, MEMORY_MEASURED, m->measured != 0, m->measured);
	csv_number_if(c, MEMORY_CYCLES, m->measured != 0, m->cycles);
	csv_self(c, row->self);
	csv_row(c);
}

int csv_memory(FILE *out, const struct report *r)
{
	struct table t;
	struct csv c;
	int err = 0;

	table_build(r->view, TABLE_MEMORY, &t);
	table_sort(&t, r->event);
	err = csv_begin(&c, out, r, memory_columns, MEMORY_COLUMNS, CSV_SELF);
	for (size_t i = 0; i < t.n && !err; i++)
		memory_row(&c, &t.rows[i]);
	table_fini(&t);
	return csv_end(&c, err);
}

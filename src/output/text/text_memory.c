/* SPDX-License-Identifier: BSD-3-Clause */
/* text_memory.c - prints accessed memory: by which lines, and from which level of the memory
   hierarchy. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/path.h"
#include "src/model/model.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/output/text/text.h"
#include "src/tables/tables.h"
#include "src/view/label.h"
#include "src/view/view.h"

#include "src/base/alloc.h"

enum { MEMORY_LINES = 4 };

/* Whether a function is C++'s allocator, which is the same for all blocks. */
static bool memory_is_allocator(const struct view *v, uint32_t node)
{
	static const char *const prefixes[] = { "operator new", "std::", "__gnu_cxx::" };
	const char *name = v->names.functions[v->tree.nodes[node].function].name;

	for (size_t i = 0; name && i < sizeof(prefixes) / sizeof(*prefixes); i++)
		if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	return false;
}

/* The innermost function of the path to an allocation that is not an allocator. */
static uint32_t memory_wanted(const struct view *v, uint32_t node)
{
	uint32_t wanted = node;

	while (wanted && memory_is_allocator(v, wanted))
		wanted = v->tree.nodes[wanted].parent;
	return wanted ? wanted : node;
}

/* "heap: grid (grid.c:12), 2 blocks, 8.0 MiB" */
static char *text_memory_block(const struct view *v, const struct view_memory *m)
{
	const uint32_t wanted = memory_wanted(v, m->node);
	char *name, *place = wanted == m->node || view_called(v, m->node) ?
				     label_line(&v->names, m->line) :
				     label_function(
					     &v->names.functions[v->tree.nodes[wanted].function]);

	name = alloc_printf("heap: %s%s, %s block%s, %s",
			    m->by_runtime ? "the OpenMP runtime's for " : "", place,
			    format_count(m->blocks).s, m->blocks == 1 ? "" : "s",
			    format_bytes(m->bytes).s);
	free(place);
	return name;
}

/* Prints the path of an allocation beneath the block's row. */
static void memory_path(const struct text *t, const struct view_memory *m)
{
	const struct view *v = t->report->view;
	const uint32_t wanted = memory_wanted(v, m->node);
	const bool shorter = v->tree.nodes[m->node].parent != wanted;
	const size_t used = text_cells_width(t);
	char *path, *whole;

	if (m->kind != VIEW_MEMORY_BLOCK || !m->node)
		return;
	path = text_tail_with(v, wanted, 0);
	if (wanted == m->node)
		whole = alloc_printf("    allocated in %s", path);
	else
		whole = alloc_printf("    allocated in %s%s > %s", path, shorter ? " > ..." : "",
				     v->names.functions[v->tree.nodes[m->node].function].name);
	free(path);
	fprintf(t->out, "%*s", (int)used, "");
	text_last(t, whole);
	free(whole);
}

/* The name of an object of memory; malloc'ed. */
static char *memory_name(const struct view *v, const struct view_memory *m)
{
	const char *module = m->module ? path_base(m->module) : "?";

	switch (m->kind) {
	case 0: return alloc_text("(no address known)");
	case PROF_DATA_STACK: return alloc_text("the thread's own stack");
	case PROF_DATA_GLOBAL:
		return alloc_printf("%s [%s]", m->name ? m->name : "(data without a name)", module);
	case PROF_DATA_HEAP: return alloc_text("the heap");
	case VIEW_MEMORY_BLOCK: return text_memory_block(v, m);
	case PROF_DATA_KERNEL: return alloc_text("the kernel's memory");
	}
	if (v->model->nprocesses < 2)
		return alloc_printf("mapped memory from 0x%" PRIx64 ", %s", m->lo,
				    format_bytes(m->hi - m->lo).s);
	return alloc_printf("process %u's mapped memory from 0x%" PRIx64 ", %s", m->process, m->lo,
			    format_bytes(m->hi - m->lo).s);
}

/* Prints an object's most expensive lines or sources, from a table of all. */
static void memory_details(const struct text *t, const struct table *details, uint64_t memory,
			   bool lines)
{
	size_t shown = 0;

	for (size_t i = 0; i < details->n && shown < MEMORY_LINES; i++) {
		const struct table_row *row = &details->rows[i];
		char *what, *name;

		if (row->key != memory || !text_shows(t, row->self, 0))
			continue;
		what = lines ? table_line_label(t->report->view, row->key2) :
			       alloc_text(view_source_name((unsigned)row->key2));
		name = alloc_printf("    %s %s", lines ? "by" : "from", what);
		text_cells(t, row->self);
		text_last(t, name);
		free(what);
		free(name);
		shown++;
	}
}

/* Whether samples have addresses, or sources of their data. */
static bool memory_is_known(const struct view *v, bool source)
{
	for (size_t i = 0; i < v->nrecords; i++)
		if (source ? v->records[i].source : v->records[i].memory)
			return true;
	return false;
}

static void memory_print(const struct text *t, const struct table *all, const struct table *lines,
			 const struct table *sources)
{
	const bool sourced = memory_is_known(t->report->view, true);
	struct text_rest rest = { 0 };
	size_t shown = 0;

	text_titles(t, sourced ? "memory, where it was found, and the lines that accessed it" :
				 "memory, and the lines that accessed it");
	for (size_t i = 0; i < all->n; i++) {
		const struct table_row *row = &all->rows[i];

		if (!text_shows(t, row->self, shown++)) {
			text_rest_add(t, &rest, row->self);
			continue;
		}

		const struct view *v = t->report->view;
		const struct view_memory *m = &v->memory[row->key];
		char *name = memory_name(v, m), *whole = NULL;

		whole = m->measured ? alloc_printf("%s, %.0f cycles an access", name,
						   (double)m->cycles / (double)m->measured) :
				      alloc_printf("%s", name);
		free(name);
		text_cells(t, row->self);
		text_last(t, whole);
		free(whole);
		memory_path(t, &t->report->view->memory[row->key]);
		if (sourced && row->key)
			memory_details(t, sources, row->key, false);
		if (row->key)
			memory_details(t, lines, row->key, true);
	}
	text_rest_print(t, &rest, 0);
}

void text_memory(const struct text *t)
{
	static const enum table_key keys[] = { TABLE_MEMORY, TABLE_MEMORY_LINE,
					       TABLE_MEMORY_SOURCE };
	struct table tables[3] = { { 0 } };

	if (!memory_is_known(t->report->view, false)) {
		fputs("No sample has an address: sample page-faults, or precise events "
		      "(:p) if the machine has them.\n",
		      t->out);
		return;
	}
	for (size_t i = 0; i < 3; i++) {
		table_build(t->report->view, keys[i], &tables[i]);
		table_sort(&tables[i], t->report->event);
	}
	memory_print(t, &tables[0], &tables[1], &tables[2]);
	for (size_t i = 0; i < 3; i++)
		table_fini(&tables[i]);
}

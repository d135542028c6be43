/* SPDX-License-Identifier: BSD-3-Clause */
/* columns_detail.c - one function or file in detail. */
#include "config.h"

#include "src/answers/lookup.h"
#include "src/output/columns/flat_tables.h"
#include "src/output/formats.h"
#include "src/tables/annotate.h"
#include "src/tables/calls.h"
#include "src/tables/insns.h"
#include "src/view/view.h"

/* ---- callers and callees --------------------------------------------- */

static const struct column call_columns[] = {
	{ "relation", "caller; callee; self: the function without callees; function: with them" },
	{ "function", "the caller or callee; empty: none, it is outermost" },
	{ "module", "the program or library that has it" },
	{ "file", "its source file" },
	{ "line", "the line of its definition" },
	{ NULL, NULL },
};

static void call_rows_of(const struct cells *c, struct table *t, const char *relation,
			 const char *none)
{
	table_sort(t, c->report->event);
	for (size_t i = 0; i < t->n; i++) {
		const struct function *f = &c->report->view->names.functions[t->rows[i].key];

		cells_text(c, "relation", t->rows[i].key ? relation : none);
		cells_text(c, "function", f->name);
		cells_definition(c, f);
		cells_end(c, COSTS_SELF, t->rows[i].self);
	}
}

static void call_rows(const struct cells *c)
{
	struct calls *calls = c->of->calls;

	call_rows_of(c, &calls->callers, "caller", "caller");
	cells_text(c, "relation", "function");
	cells_text(c, "function", c->of->target->name);
	cells_end(c, COSTS_SELF, calls->inclusive);
	call_rows_of(c, &calls->callees, "callee", "self");
}

const struct flat_table columns_calls = { call_columns, COSTS_SELF, call_rows };

/* ---- source lines ---------------------------------------------------- */

static const struct column source_columns[] = {
	{ "file", "the source file" },
	{ "line", "the line; only lines with costs have a row" },
	{ NULL, NULL },
};

static void source_rows(const struct cells *c)
{
	const struct annotate *a = c->of->annotate;

	for (size_t i = 0; i < a->nlines; i++) {
		cells_text(c, "file", a->lines[i].file);
		cells_number(c, "line", a->lines[i].line);
		c->costs(c->to, COSTS_INCLUSIVE, a->lines[i].inclusive);
		cells_end(c, COSTS_SELF, a->lines[i].self);
	}
}

const struct flat_table columns_annotate = { source_columns, COSTS_SELF | COSTS_INCLUSIVE,
					     source_rows };

/* ---- machine code ---------------------------------------------------- */

static const struct column insn_columns[] = {
	{ "function", "the function" },
	{ "module", "the program or library that has it" },
	{ "address", "the instruction's address in that file (of waits in a call its last byte's); "
		     "only those with costs have a row" },
	{ "file", "the source file of the instruction" },
	{ "line", "its line" },
	{ NULL, NULL },
};

static void insn_row(const struct cells *c, const struct insns_piece *p, const struct insn *insn)
{
	const uint64_t loc = PROF_LOC(p->module, insn->address);
	const struct resolver *r = &c->of->target->lookup->resolver;
	const struct sym_location *at = ask(r, p->file, QUERY_RESOLVE, loc, true).location;

	cells_text(c, "function", p->function);
	cells_text(c, "module", p->path);
	cells_number(c, "address", insn->address);
	if (at && at->nframes) {
		cells_text(c, "file", at->frames[0].file);
		cells_number_if(c, "line", at->frames[0].line != 0, at->frames[0].line);
	}
	cells_end(c, COSTS_SELF, insn->self);
}

static void insn_rows(const struct cells *c)
{
	const struct insns *insns = c->of->insns;

	for (size_t p = 0; p < insns->npieces; p++)
		for (size_t i = 0; i < insns->pieces[p].ninsns; i++)
			insn_row(c, &insns->pieces[p], &insns->pieces[p].insns[i]);
}

const struct flat_table columns_asm = { insn_columns, COSTS_SELF, insn_rows };

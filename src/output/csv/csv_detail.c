/* SPDX-License-Identifier: BSD-3-Clause */
/* csv_detail.c - one function or file in detail. */
#include "config.h"

#include <stdlib.h>

#include "src/answers/lookup.h"
#include "src/output/csv/csv_table.h"
#include "src/output/detail.h"
#include "src/output/formats.h"
#include "src/output/output.h"
#include "src/tables/annotate.h"
#include "src/tables/calls.h"
#include "src/tables/insns.h"
#include "src/view/view.h"

/* ---- callers and callees --------------------------------------------- */

enum { CALL_RELATION, CALL_FUNCTION, CALL_MODULE, CALL_FILE, CALL_LINE, CALL_COLUMNS };

static const struct csv_column call_columns[CALL_COLUMNS] = {
	[CALL_RELATION] = { "relation", "caller; callee; self: the function without callees; "
					"function: with them" },
	[CALL_FUNCTION] = { "function", "the caller or callee; empty: none, it is outermost" },
	[CALL_MODULE] = { "module", "the program or library that has it" },
	[CALL_FILE] = { "file", "its source file" },
	[CALL_LINE] = { "line", "the line of its definition" },
};

static void call_rows(struct csv *c, struct table *t, const char *relation, const char *none)
{
	table_sort(t, c->report->event);
	for (size_t i = 0; i < t->n; i++) {
		const struct function *f = &c->report->view->names.functions[t->rows[i].key];

		csv_text(c, CALL_RELATION, t->rows[i].key ? relation : none);
		csv_text(c, CALL_FUNCTION, f->name);
		csv_text(c, CALL_MODULE, f->module);
		csv_text(c, CALL_FILE, f->file);
		csv_number_if(c, CALL_LINE, f->line != 0, f->line);
		csv_self(c, t->rows[i].self);
		csv_row(c);
	}
}

int csv_calls(FILE *out, const struct report *r, const struct detail_target *target)
{
	struct calls calls;
	struct csv c;
	int err = calls_build(r->view, target->name, &calls);

	if (err)
		return err;
	err = csv_begin(&c, out, r, call_columns, CALL_COLUMNS, CSV_SELF);
	if (!err) {
		call_rows(&c, &calls.callers, "caller", "caller");
		csv_text(&c, CALL_RELATION, "function");
		csv_text(&c, CALL_FUNCTION, target->name);
		csv_self(&c, calls.inclusive);
		csv_row(&c);
		call_rows(&c, &calls.callees, "callee", "self");
	}
	calls_fini(&calls);
	return csv_end(&c, err);
}

/* ---- source lines ---------------------------------------------------- */

enum { SOURCE_FILE, SOURCE_LINE, SOURCE_COLUMNS };

static const struct csv_column source_columns[SOURCE_COLUMNS] = {
	[SOURCE_FILE] = { "file", "the source file" },
	[SOURCE_LINE] = { "line", "the line; only lines with costs have a row" },
};

int csv_annotate(FILE *out, const struct report *r, const struct detail_target *target)
{
	struct annotate a;
	struct csv c;
	int err = annotate_build(r->view, &target->lookup->resolver, target->name, &a);

	if (err)
		return err;
	err = csv_begin(&c, out, r, source_columns, SOURCE_COLUMNS, CSV_SELF | CSV_INCLUSIVE);
	for (size_t i = 0; i < a.nlines && !err; i++) {
		csv_text(&c, SOURCE_FILE, a.lines[i].file);
		csv_number(&c, SOURCE_LINE, a.lines[i].line);
		csv_self(&c, a.lines[i].self);
		csv_inclusive(&c, a.lines[i].inclusive);
		csv_row(&c);
	}
	annotate_fini(&a);
	return csv_end(&c, err);
}

/* ---- machine code ---------------------------------------------------- */

enum { INSN_FUNCTION, INSN_MODULE, INSN_ADDRESS, INSN_FILE, INSN_LINE, INSN_COLUMNS };

static const struct csv_column insn_columns[INSN_COLUMNS] = {
	[INSN_FUNCTION] = { "function", "the function" },
	[INSN_MODULE] = { "module", "the program or library that has it" },
	[INSN_ADDRESS] = { "address", "the instruction's address in that file; only those with "
				      "costs have a row" },
	[INSN_FILE] = { "file", "the source file of the instruction" },
	[INSN_LINE] = { "line", "its line" },
};

static void insn_row(struct csv *c, const struct insns_piece *p, const struct insn *insn,
		     const struct resolver *r)
{
	const uint64_t loc = PROF_LOC(p->module, insn->address);
	const struct sym_location *at = ask(r, p->file, QUERY_RESOLVE, loc, true).location;

	csv_text(c, INSN_FUNCTION, p->function);
	csv_text(c, INSN_MODULE, p->path);
	csv_number(c, INSN_ADDRESS, insn->address);
	if (at && at->nframes) {
		csv_text(c, INSN_FILE, at->frames[0].file);
		csv_number_if(c, INSN_LINE, at->frames[0].line != 0, at->frames[0].line);
	}
	csv_self(c, insn->self);
	csv_row(c);
}

int csv_asm(FILE *out, const struct report *r, const struct detail_target *target)
{
	struct insns insns;
	struct csv c;
	int err = insns_build(r->view, target->lookup->symbols, target->name, &insns);

	if (err)
		return err;
	err = csv_begin(&c, out, r, insn_columns, INSN_COLUMNS, CSV_SELF);
	for (size_t p = 0; p < insns.npieces && !err; p++)
		for (size_t i = 0; i < insns.pieces[p].ninsns; i++)
			insn_row(&c, &insns.pieces[p], &insns.pieces[p].insns[i],
				 &target->lookup->resolver);
	insns_fini(&insns);
	return csv_end(&c, err);
}

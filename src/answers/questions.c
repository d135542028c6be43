/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/answers/questions.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "src/answers/lookup.h"
#include "src/base/interner.h"
#include "src/callsite/callsite.h"
#include "src/code/flow.h"
#include "src/profile/format.h"
#include "src/symbols/symbols.h"
#include "src/toolchain/toolchain.h"

/* ---- names ----------------------------------------------------------- */

static void files_resolve(struct lookup *l, const struct question *q, struct answer *a)
{
	a->location = symbols_resolve(l->symbols, q->file, q->loc, q->exact);
}

static void files_object(struct lookup *l, const struct question *q, struct answer *a)
{
	a->text = symbols_object(l->symbols, q->file, q->loc);
}

static void files_critical(struct lookup *l, const struct question *q, struct answer *a)
{
	a->text = callsites_critical(l->callsites, q->file, q->loc);
}

static void files_called(struct lookup *l, const struct question *q, struct answer *a)
{
	struct callsite_code code;
	struct flow_insn i;
	const char *called = NULL;

	if (!callsites_code(l->callsites, q->file, q->loc, &code))
		return;
	if (!q->exact)
		called = callsites_called(l->callsites, q->file, &code, q->loc);
	else if (flow_decode(&code, PROF_LOC_ADDRESS(q->loc), &i) &&
		 (i.kind == FLOW_JUMP || i.kind == FLOW_CALL))
		called = callsites_name(l->callsites, q->file,
					PROF_LOC(PROF_LOC_MODULE(q->loc), i.target));
	a->known = called && *called && *called != '@';
	if (a->known)
		a->text = intern(&l->names, called, strcspn(called, "@"));
}

static void files_place(struct lookup *l, const struct question *q, struct answer *a)
{
	uint64_t entry;
	const bool known = callsites_entry(l->callsites, q->file, q->loc, q->exact, &entry);

	a->text = symbols_place(l->symbols, q->file, known ? entry : q->loc);
}

/* ---- places ---------------------------------------------------------- */

static void files_begin(struct lookup *l, const struct question *q, struct answer *a)
{
	uint64_t lo, hi;

	a->known = symbols_code_around(l->symbols, q->file, q->loc - 1, &lo, &hi);
	if (a->known)
		a->at = PROF_LOC(PROF_LOC_MODULE(q->loc), lo);
}

static void files_start(struct lookup *l, const struct question *q, struct answer *a)
{
	a->known = symbols_start(l->symbols, q->file, q->loc, &a->at);
}

static void files_entry(struct lookup *l, const struct question *q, struct answer *a)
{
	a->known = callsites_entry(l->callsites, q->file, q->loc, q->exact, &a->at);
}

static void files_tail(struct lookup *l, const struct question *q, struct answer *a)
{
	a->known = callsites_tail(l->callsites, q->file, q->loc, &a->at, &a->construct);
}

static void files_body(struct lookup *l, const struct question *q, struct answer *a)
{
	struct callsite_body body = { 0 };

	a->known = callsites_body(l->callsites, q->file, q->loc, q->exact, q->callee, &body);
	a->entry = body.entry;
	a->at = body.at;
	a->end = body.end;
}

/* ---- constructs ------------------------------------------------------ */

static void files_barrier(struct lookup *l, const struct question *q, struct answer *a)
{
	a->barrier = callsites_barrier(l->callsites, q->file, q->loc);
}

static void files_gnu_barrier(struct lookup *l, const struct question *q, struct answer *a)
{
	a->barrier = callsites_gnu_barrier(l->callsites, q->file, q->loc, &a->construct, &a->at);
}

static void files_construct(struct lookup *l, const struct question *q, struct answer *a)
{
	a->construct = callsites_construct(l->callsites, q->file, q->loc);
}

static void files_sections(struct lookup *l, const struct question *q, struct answer *a)
{
	a->count = callsites_sections(l->callsites, q->file, q->loc);
}

static void files_single(struct lookup *l, const struct question *q, struct answer *a)
{
	a->known = callsites_single(l->callsites, q->file, q->loc, q->exact, &a->at, &a->single);
}

static void files_way(struct lookup *l, const struct question *q, struct answer *a)
{
	a->way = callsites_way(l->callsites, q->file, q->loc);
}

static void files_loop(struct lookup *l, const struct question *q, struct answer *a)
{
	a->known = callsites_loop(l->callsites, q->file, q->loc, q->exact, &a->at);
}

/* ---- lines ----------------------------------------------------------- */

static void files_loop_lines(struct lookup *l, const struct question *q, struct answer *a)
{
	struct sym_lines lines = { 0 };
	struct sym_where where = { .own = true };
	struct callsite_loop loop;

	a->known = callsites_loop_code(l->callsites, q->file, q->loc, &loop);
	if (!a->known)
		return;
	where.before = loop.before;
	where.pieces = loop.pieces;
	where.n = loop.n;
	symbols_lines(l->symbols, q->file, q->loc, &where, &lines);
	a->last = lines.first ? lines.last : 0;
	a->text = loop.file;
	a->first = loop.line;
	/* Or that is the place of what comes before. */
	where.unplaced = true;
	if (!loop.line || symbols_strays(l->symbols, q->file, q->loc, &where)) {
		a->text = lines.file;
		a->first = lines.first;
	}
}

/* What the call before loc is of, if its line is that of the code before; else NULL. */
static const char *files_unplaced(const struct lookup *l, const struct prof_file *f, uint64_t loc)
{
	struct callsite_code code;
	const char *called;

	if (!callsites_code(l->callsites, f, loc, &code))
		return NULL;
	called = callsites_called(l->callsites, f, &code, loc);
	return toolchain_entry(called)->flags & ENTRY_UNPLACED ? called : NULL;
}

static void files_span(struct lookup *l, const struct question *q, struct answer *a)
{
	const struct prof_file *f = q->file;
	struct sym_lines lines = { 0 };
	struct flow_piece *pieces;
	struct sym_where where = { 0 };
	const char *unplaced;

	if (!callsites_span(l->callsites, f, q->loc, &a->at, &pieces, &where.n))
		return;
	unplaced = files_unplaced(l, f, a->at);
	where.pieces = pieces;
	where.unplaced = unplaced;
	where.loop = unplaced && strstr(unplaced, "_loop_");
	a->known = symbols_lines(l->symbols, f, a->at - 1, &where, &lines);
	a->text = lines.file;
	a->first = lines.first;
	a->last = lines.last;
	free(pieces);
}

static void files_strays(struct lookup *l, const struct question *q, struct answer *a)
{
	enum construct_kind ends = CONSTRUCT_FOR_STATIC;
	struct callsite_loop loop = { 0 };
	struct sym_where where = { .unplaced = true };
	struct flow_piece *own = NULL, behind = { .lo = PROF_LOC_ADDRESS(q->loc) };
	uint64_t begin = q->loc, lo;

	if (!q->exact && files_unplaced(l, q->file, q->loc)) {
		callsites_span(l->callsites, q->file, q->loc, &begin, &own, &where.n);
	} else {
		if (!q->exact)
			callsites_gnu_barrier(l->callsites, q->file, q->loc, &ends, &begin);
		if (ends == CONSTRUCT_SINGLE)
			callsites_single_code(l->callsites, q->file, begin, &own, &where.n);
		else if (ends == CONSTRUCT_FOR_STATIC)
			callsites_loop_code(l->callsites, q->file, begin, &loop);
	}
	where.pieces = own ? own : loop.pieces;
	if (!own)
		where.n = loop.n;
	if (!where.n && !q->exact &&
	    callsites_entry(l->callsites, q->file, q->loc, false, &begin) &&
	    symbols_code_around(l->symbols, q->file, q->loc - 1, &lo, &behind.hi)) {
		/* A call alone: it is in functions that have the code before and that behind it. */
		where.pieces = &behind;
		where.n = 1;
		where.next = true;
	}
	if (where.n)
		a->count = symbols_strays(l->symbols, q->file, q->loc - !q->exact, &where);
	free(own);
}

static void files_cancels(struct lookup *l, const struct question *q, struct answer *a)
{
	a->known = callsites_cancels(l->callsites, q->file, q->loc);
}

static void files_extent(struct lookup *l, const struct question *q, struct answer *a)
{
	(void)l;
	a->known = symbols_extent(q->function, &a->first, &a->last);
}

/* ---- all ------------------------------------------------------------- */

const struct question_row question_rows[QUERIES] = {
	[QUERY_RESOLVE] = { "R", false, files_resolve },
	[QUERY_OBJECT] = { "t", false, files_object },
	[QUERY_BARRIER] = { "r", false, files_barrier },
	[QUERY_GNU_BARRIER] = { "rc@", false, files_gnu_barrier },
	[QUERY_LOOP] = { "b@", false, files_loop },
	[QUERY_LOOP_LINES] = { "btfl", false, files_loop_lines },
	[QUERY_CRITICAL] = { "t", false, files_critical },
	[QUERY_CONSTRUCT] = { "c", false, files_construct },
	[QUERY_SECTIONS] = { "n", false, files_sections },
	[QUERY_SPAN] = { "b@tfl", false, files_span },
	[QUERY_TAIL] = { "b@c", false, files_tail },
	[QUERY_WAY] = { "w", false, files_way },
	[QUERY_BODY] = { "b<@>", true, files_body },
	[QUERY_CALLED] = { "bt", false, files_called },
	[QUERY_BEGIN] = { "b@", false, files_begin },
	[QUERY_ENTRY] = { "b@", false, files_entry },
	[QUERY_PLACE] = { "t", false, files_place },
	[QUERY_START] = { "b@", false, files_start },
	[QUERY_SINGLE] = { "b@e", false, files_single },
	[QUERY_STRAYS] = { "n", false, files_strays },
	[QUERY_CANCELS] = { "b", false, files_cancels },
	[QUERY_EXTENT] = { "bfl", false, files_extent },
};

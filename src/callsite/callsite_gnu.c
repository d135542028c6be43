/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * callsite_gnu.c - which of gcc's calls of GOMP_barrier are barrier directives.
 *
 * The compiler adds the call at the end of a construct without a place in the source, so it
 * has that of the code before it.  A directive's call has a place of its own: the first
 * instruction of that place is the call.
 */
#include "config.h"

#include "src/callsite/callsite_gnu.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/grow.h"

enum {
	FUNCTION_BYTES = 1 << 20, /* that are examined of a function */
	STRAIGHT_INSNS = 48,	  /* between a loop and its barrier */
	PLAIN_INSNS = 4,
	RETRY_INSNS = 6,
};

/* ---- instructions ---------------------------------------------------- */

static uint8_t gnu_called(const struct gnu_function *g, uint64_t target)
{
	return toolchain_entry(symbols_code_symbol(callsites_symbols(g->callsites), g->file,
						   PROF_LOC(g->module, target)))
		->gnu;
}

/* All instructions, as far as they are known. */
static void gnu_decode(struct gnu_function *g)
{
	struct flow_insn i;

	for (uint64_t at = g->lo; at < g->hi && flow_decode(&g->code, at, &i); at += i.bytes) {
		struct gnu_insn *next;
		const bool out = i.target < g->lo || i.target >= g->hi;

		g->insns = grow(g->insns, g->ninsns, &g->insns_room, sizeof(*g->insns));
		next = &g->insns[g->ninsns++];
		*next = (struct gnu_insn){
			.at = at,
			.target = i.target,
			.bytes = (uint8_t)i.bytes,
			.kind = (uint8_t)i.kind,
		};
		if (i.kind == FLOW_CALL || (i.kind == FLOW_JUMP && out))
			next->call = gnu_called(g, i.target);
		if (next->call == GNU_BARRIER) {
			g->barriers = grow(g->barriers, g->nbarriers, &g->barriers_room,
					   sizeof(*g->barriers));
			g->barriers[g->nbarriers++] = (struct gnu_barrier){
				.at = next->at,
				.end = next->at + next->bytes,
			};
		}
	}
}

const struct gnu_insn *gnu_insn_at(const struct gnu_function *g, uint64_t at)
{
	size_t lo = 0, hi = g->ninsns;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (g->insns[mid].at < at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < g->ninsns && g->insns[lo].at == at ? &g->insns[lo] : NULL;
}

/* Whether a branch tries an atomic update again, in code that began at from. */
static bool gnu_is_retry(const struct gnu_function *g, uint64_t from, const struct gnu_insn *branch)
{
	const struct gnu_insn *i = branch;
	uint64_t to = branch->target;

	for (int n = 0; n < RETRY_INSNS && i; n++) {
		if (to >= from && to <= branch->at)
			return true;
		i = gnu_insn_at(g, to);
		if (i && i->kind != FLOW_NEXT && i->kind != FLOW_JUMP)
			return false;
		if (i)
			to = i->kind == FLOW_JUMP ? i->target : i->at + i->bytes;
	}
	return false;
}

struct gnu_barrier *gnu_straight(struct gnu_function *g, uint64_t at, bool plain)
{
	uint64_t from = at;

	for (int n = 0; n < (plain ? PLAIN_INSNS : STRAIGHT_INSNS); n++) {
		const struct gnu_insn *i = gnu_insn_at(g, at);

		if (!i || (i->call && i->call != GNU_BARRIER && i->call != GNU_ATOMIC))
			return NULL;
		for (size_t k = 0; k < g->nbarriers && i->call == GNU_BARRIER; k++)
			if (g->barriers[k].at == i->at)
				return &g->barriers[k];
		if (i->call == GNU_BARRIER)
			return NULL;
		at += i->bytes;
		if (i->kind == FLOW_JUMP)
			from = at = i->target;
		else if (plain)
			return NULL;
		else if (i->kind == FLOW_BRANCH && !gnu_is_retry(g, from, i))
			return NULL;
		else if (i->kind != FLOW_BRANCH && i->kind != FLOW_NEXT && !i->call)
			return NULL;
	}
	return NULL;
}

/* ---- the code from an address on ------------------------------------- */

static enum flow_answer reach_call(void *arg, uint64_t return_address, uint64_t target)
{
	const struct gnu_function *g = arg;
	const char *name;

	if (return_address == g->around)
		return FLOW_STOP;
	for (size_t i = 0; i < g->nbarriers && !g->past; i++)
		if (g->barriers[i].end == return_address)
			return FLOW_STOP;
	if (g->until && gnu_called(g, target) == g->until)
		return FLOW_STOP;
	name = callsites_name(g->callsites, g->file, PROF_LOC(g->module, target));
	return toolchain_lists(LIST_NORETURN, name) ? FLOW_STOP : FLOW_GO_ON;
}

static enum flow_answer reach_jump(void *arg, uint64_t target)
{
	const struct gnu_function *g = arg;

	return target >= g->lo && target < g->hi ? FLOW_GO_ON : FLOW_STOP;
}

int gnu_reach(struct gnu_function *g, uint64_t from, struct flow_piece **pieces, size_t *n)
{
	const struct flow_guide guide = { .call = reach_call, .jump = reach_jump, .arg = g };

	return flow_reach(&g->code, from, &guide, pieces, n);
}

/* ---- places in the source -------------------------------------------- */

const struct sym_row *gnu_row(const struct gnu_function *g, uint64_t at)
{
	size_t lo = 0, hi = g->nrows;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (g->rows[mid].lo <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && g->rows[lo - 1].line ? &g->rows[lo - 1] : NULL;
}

bool gnu_same_place(const struct sym_row *a, const struct sym_row *b)
{
	return a->line == b->line && a->column == b->column &&
	       (a->file == b->file || (a->file && b->file && !strcmp(a->file, b->file)));
}

/*
 * Whether rows that begin statements show no instruction's place: optimizing C and C++, gcc
 * emits such a row where a statement began in the source, and others for the instructions.
 * For Fortran the others only repeat a place.
 */
static bool gnu_has_markers(const struct gnu_function *g)
{
	for (size_t i = 1; i < g->nrows; i++)
		if (!g->rows[i].statement && !gnu_same_place(&g->rows[i - 1], &g->rows[i]))
			return true;
	return false;
}

/* Whether other code than barriers has the same line: a directive's line has none. */
static bool gnu_line_has_more(const struct gnu_function *g, const struct sym_row *line, uint64_t at)
{
	for (size_t i = 0; i < g->nrows; i++) {
		const struct gnu_insn *first = g->rows[i].lo != at &&
							       gnu_same_place(&g->rows[i], line) ?
						       gnu_insn_at(g, g->rows[i].lo) :
						       NULL;

		if (first && first->call != GNU_BARRIER)
			return true;
	}
	return false;
}

static bool gnu_is_explicit(const struct gnu_function *g, const struct gnu_barrier *b)
{
	const struct sym_row *run = NULL;
	const struct gnu_insn *first;

	for (size_t i = 0; i < g->nrows && g->rows[i].lo <= b->at; i++) {
		if (g->markers && g->rows[i].statement)
			continue;
		if (run && gnu_same_place(run, &g->rows[i]))
			continue;
		run = &g->rows[i];
	}
	/* The first row of a piece of a function may repeat another piece's last place. */
	first = run && run->lo > g->lo && run->line ? gnu_insn_at(g, run->lo) : NULL;
	return first && first->call == GNU_BARRIER && !gnu_line_has_more(g, run, first->at);
}

/* ---- ends of single -------------------------------------------------- */

/* Without lines, only a barrier directly behind is taken for the end. */
static void gnu_end_single(struct gnu_function *g, const struct gnu_insn *start)
{
	const uint64_t begin = start->at + start->bytes;
	uint64_t zero, other;
	struct gnu_barrier *b;

	if (start->kind != FLOW_CALL || !flow_if_zero(&g->code, begin, &zero, &other))
		return;
	b = gnu_straight(g, start->call == GNU_SINGLE ? zero : other, !g->nrows);
	if (!b || b->kind != BARRIER_UNKNOWN)
		return;
	b->kind = BARRIER_IMPLICIT;
	b->ends = CONSTRUCT_SINGLE;
	b->begin = begin;
}

/* ---- a function ------------------------------------------------------ */

static void gnu_examine(struct gnu_function *g)
{
	/* What worksharing constructs begin with, which may end in a barrier or, with firstprivate
	   and lastprivate, begin with one. A scope begins without a call, and so does a region with
	   copyin: these barriers can't be distinguished from a directive. */
	bool constructs = false, any;

	gnu_decode(g);
	any = g->nbarriers;
	for (size_t i = 0; i < g->ninsns; i++) {
		const uint8_t call = g->insns[i].call;
		const bool begins = call == GNU_SHARE_OF || call == GNU_NUM_THREADS ||
				    call == GNU_SINGLE;

		any = any || begins;
		constructs = constructs || begins || call == GNU_THREAD_NUM ||
			     call == GNU_SINGLE_COPY || call == GNU_SHARE;
	}
	if (!any)
		return;
	g->nrows = symbols_rows_of(callsites_symbols(g->callsites), g->file,
				   PROF_LOC(g->module, g->lo), g->hi, &g->rows);
	g->markers = gnu_has_markers(g);
	for (size_t i = 0; i < g->nbarriers; i++)
		if (g->nrows ? gnu_is_explicit(g, &g->barriers[i]) : !constructs)
			g->barriers[i].kind = BARRIER_EXPLICIT;
	for (size_t i = 0; i < g->ninsns; i++)
		if (g->insns[i].call == GNU_SINGLE || g->insns[i].call == GNU_SINGLE_COPY)
			gnu_end_single(g, &g->insns[i]);
	gnu_find_singles(g);
	if (g->nrows)
		gnu_find_loops(g);
}

struct gnu_function *gnu_function_new(struct callsites *c, const struct prof_file *f, uint64_t loc,
				      uint64_t lo, uint64_t hi)
{
	struct gnu_function *g = alloc_zeroed(1, sizeof(*g));

	*g = (struct gnu_function){
		.callsites = c,
		.file = f,
		.module = PROF_LOC_MODULE(loc),
		.lo = lo,
		.hi = hi - lo > FUNCTION_BYTES ? lo + FUNCTION_BYTES : hi,
	};
	if (callsites_code(c, f, loc, &g->code))
		gnu_examine(g);
	free(g->insns);
	free(g->rows);
	g->insns = NULL;
	g->rows = NULL;
	g->ninsns = g->nrows = 0;
	return g;
}

void gnu_function_free(struct gnu_function *g)
{
	for (size_t i = 0; i < g->nloops; i++)
		free(g->loops[i].loop.pieces);
	for (size_t i = 0; i < g->nsingles; i++) {
		free(g->singles[i].pieces);
		free(g->singles[i].behind);
	}
	free(g->singles);
	free(g->loops);
	free(g->barriers);
	free(g);
}

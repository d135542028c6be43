/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * callsite_loop.c - gcc's loops with a static schedule.
 *
 * The code of such a loop computes the thread's share from omp_get_num_threads and
 * omp_get_thread_num (GCC 17: from one call that returns both), goes around the loop if that is
 * empty, and ends in a barrier unless it is nowait.  So a loop is found
 *
 *   - from the barrier: whatever branch leads either straight to it or into code that goes
 *     round and comes only there is the loop's.  The calls are not needed for that: they are
 *     made once for several loops, and the share is computed once;
 *   - without a barrier, from the two calls, if they have one place in the source, as those
 *     have that the compiler added: by the first branch behind them of which one way goes
 *     round in code that the other way does not reach.
 */
#include "config.h"

#include <stdlib.h>

#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/callsite/callsite_gnu.h"

enum { SHARE_INSNS = 96 }; /* from the calls to the branch around the loop */

/* ---- code that goes round ---------------------------------------------- */

/* Whether code goes round, and whether it returns from the function. */
static void pieces_way(const struct gnu_function *g, const struct flow_piece *p, size_t n,
		       bool *round, bool *returns)
{
	struct flow_insn i;

	*round = *returns = false;
	for (size_t k = 0; k < n; k++)
		for (uint64_t at = p[k].lo; at < p[k].hi; at += i.bytes) {
			if (!flow_decode(&g->code, at, &i))
				break;
			*returns = *returns || i.kind == FLOW_RETURN;
			*round = *round || ((i.kind == FLOW_JUMP || i.kind == FLOW_BRANCH) &&
					    i.target <= at && flow_has(p, n, i.target));
		}
}

/* ---- loops ----------------------------------------------------------- */

/* Notes the code of a loop, which may be more of one that is known; returns its number. */
static size_t loop_add(struct gnu_function *g, uint64_t at, enum gnu_sight sight,
		       const struct flow_piece *p, size_t n)
{
	struct flow_piece *pieces;
	struct gnu_loop *l;
	size_t id = 0;

	while (id < g->nloops && !flow_meet(g->loops[id].loop.pieces, g->loops[id].loop.n, p, n))
		id++;
	g->loops = grow(g->loops, g->nloops, &g->loops_room, sizeof(*g->loops));
	l = &g->loops[id];
	if (id == g->nloops) {
		*l = (struct gnu_loop){ .at = at, .sight = sight };
		g->nloops++;
	}
	pieces = alloc_resize(l->loop.pieces, (l->loop.n + n) * sizeof(*pieces));
	for (size_t i = 0; i < n; i++)
		pieces[l->loop.n + i] = p[i];
	l->loop.pieces = pieces;
	l->loop.n = flow_join(pieces, l->loop.n + n);
	if (sight > l->sight || (sight == l->sight && at < l->at)) {
		l->at = at;
		l->sight = sight;
	}
	return id;
}

/* ---- from the barrier ------------------------------------------------ */

/* The branch leads to a barrier or to into.  The loop's number, from 1; 0: none. */
static size_t loop_before(struct gnu_function *g, const struct gnu_insn *branch, uint64_t into)
{
	struct flow_piece *p;
	bool round, returns, guard;
	size_t n, loop = 0;

	if (gnu_reach(g, into, &p, &n))
		return 0;
	pieces_way(g, p, n, &round, &returns);
	guard = !flow_has(p, n, branch->at);
	if (round && !returns)
		loop = 1 +
		       loop_add(g, guard ? branch->at : into, guard ? GNU_GUARD : GNU_INSIDE, p, n);
	free(p);
	return loop;
}

static void loops_before(struct gnu_function *g, const struct gnu_insn *branch)
{
	const uint64_t ways[] = { branch->target, branch->at + branch->bytes };

	for (int i = 0; i < 2; i++) {
		struct gnu_barrier *b = gnu_straight(g, ways[i], false);
		const size_t loop = !b || b->kind == BARRIER_EXPLICIT ||
						    b->ends == CONSTRUCT_SINGLE ?
					    0 :
					    loop_before(g, branch, ways[1 - i]);

		if (!loop)
			continue;
		b->kind = BARRIER_IMPLICIT;
		b->ends = CONSTRUCT_FOR_STATIC;
		b->begin = loop; /* its number: the loop may yet get another beginning */
	}
}

/* ---- from the calls -------------------------------------------------- */

/* Whether code is reached from an address, and not from other, and goes round there; *p is the
   caller's then. */
static bool loop_rounds(struct gnu_function *g, uint64_t from, uint64_t other,
			struct flow_piece **p, size_t *n)
{
	struct flow_piece *others;
	bool round = false, returns;
	size_t nothers;

	if (gnu_reach(g, from, p, n))
		return false;
	if (!gnu_reach(g, other, &others, &nothers)) {
		*n = flow_without(p, *n, others, nothers);
		free(others);
		pieces_way(g, *p, *n, &round, &returns);
	}
	if (!round)
		free(*p);
	return round;
}

/*
 * gfortran gives the calls of a combined construct the line of the directive, as it does the
 * beginning of the body, and the code that computes the share that of the loop.
 */
static bool is_combined_guard(const struct gnu_function *g, const struct sym_row *place,
			      const struct sym_row *row)
{
	const struct sym_location *l = symbols_resolve(callsites_symbols(g->callsites), g->file,
						       PROF_LOC(g->module, g->lo), true);
	const struct sym_row *first = gnu_row(g, g->lo);
	const struct sym_row *behind = place + 1;

	if (g->markers || l->frames[l->nframes - 1].function->outlined != SYM_OUTLINED_REGION)
		return false;
	while (behind < g->rows + g->nrows && behind->line == place->line)
		behind++;
	return first && first->line == place->line && behind < g->rows + g->nrows &&
	       behind->line == row->line;
}

/*
 * Whether a branch may be the one around the loop behind the calls. Without optimization it has
 * their place. With it, it has that or the place of the code before them: gcc 15 gives the calls
 * the place of the loop's statement, and the rest none.
 */
static bool is_guard(const struct gnu_function *g, const struct gnu_insn *num,
		     const struct gnu_insn *branch)
{
	const struct sym_row *place = gnu_row(g, num->at), *row = gnu_row(g, branch->at);
	const struct sym_row *before = NULL;

	if (branch->kind != FLOW_BRANCH || !row)
		return false;
	if (row->line == place->line || is_combined_guard(g, place, row))
		return true;
	for (size_t i = 0; g->markers && i < g->nrows && g->rows[i].lo <= num->at; i++)
		if (!g->rows[i].statement)
			before = &g->rows[i];
	return before && before->line == row->line;
}

static void loop_behind(struct gnu_function *g, size_t num, size_t id)
{
	const size_t last = id + SHARE_INSNS < g->ninsns ? id + SHARE_INSNS : g->ninsns;
	const struct sym_row *a = gnu_row(g, g->insns[num].at), *b = gnu_row(g, g->insns[id].at);
	bool found = false;

	/* The calls are next to each other and of one place. */
	for (size_t i = num + 1; i < id; i++)
		if (g->insns[i].kind != FLOW_NEXT)
			return;
	if (!a || !b || !gnu_same_place(a, b))
		return;
	g->around = g->insns[num].at + g->insns[num].bytes;
	for (size_t i = id + 1; i < last && !found; i++) {
		const struct gnu_insn *insn = &g->insns[i];

		if (insn->kind != FLOW_NEXT && insn->kind != FLOW_BRANCH)
			break;
		if (is_guard(g, &g->insns[num], insn)) {
			/* Looks for the loop around which the branch leads, behind the calls at an
			   address. False: another branch does. */
			const uint64_t next = insn->at + insn->bytes;
			struct flow_piece *taken, *passed;
			size_t ntaken, npassed;
			const bool one = loop_rounds(g, insn->target, next, &taken, &ntaken);
			const bool two = loop_rounds(g, next, insn->target, &passed, &npassed);

			if (one && !two)
				loop_add(g, g->insns[num].at, GNU_CALLS, taken, ntaken);
			else if (two && !one)
				loop_add(g, g->insns[num].at, GNU_CALLS, passed, npassed);
			if (one)
				free(taken);
			if (two)
				free(passed);
			found = one || two;
		}
	}
	g->around = 0;
}

/* ---- lines ----------------------------------------------------------- */

/* Whether the code is optimized: only then some rows do not begin a statement. Those of gcc 7
   and earlier, which have no columns, say nothing: a row that repeats a place begins none. */
static bool is_optimized(const struct gnu_function *g)
{
	for (size_t i = 0; i < g->nrows; i++)
		if (!g->rows[i].statement && g->rows[i].column)
			return true;
	return false;
}

/* Whether the row has code before the address, or before the loop's calls there, that is of another
   statement: a call or a branch. */
static bool is_of_before(const struct gnu_function *g, const struct sym_row *row, uint64_t at)
{
	const struct gnu_insn *i = gnu_insn_at(g, row->lo);

	while (i && i->at < at && i->kind == FLOW_NEXT)
		i = gnu_insn_at(g, i->at + i->bytes);
	return !i || (i->at < at && i->call != GNU_SHARE_OF && i->call != GNU_NUM_THREADS &&
		      i->call != GNU_THREAD_NUM);
}

/* ---- all ------------------------------------------------------------- */

static bool has_call(const struct gnu_function *g, enum gnu_call call)
{
	for (size_t i = 0; i < g->ninsns; i++)
		if (g->insns[i].call == call)
			return true;
	return false;
}

void gnu_find_loops(struct gnu_function *g)
{
	size_t num = SIZE_MAX;

	if (!has_call(g, GNU_SHARE_OF) &&
	    (!has_call(g, GNU_NUM_THREADS) || !has_call(g, GNU_THREAD_NUM)))
		return;
	for (size_t i = 0; i < g->ninsns; i++)
		if (g->insns[i].kind == FLOW_BRANCH)
			loops_before(g, &g->insns[i]);
	for (size_t i = 0; i < g->ninsns; i++) {
		if (g->insns[i].call == GNU_SHARE_OF)
			loop_behind(g, i, i);
		else if (g->insns[i].call == GNU_NUM_THREADS)
			num = i;
		else if (g->insns[i].call == GNU_THREAD_NUM && num != SIZE_MAX)
			loop_behind(g, num, i);
	}
	for (size_t i = 0; i < g->nbarriers; i++)
		if (g->barriers[i].ends == CONSTRUCT_FOR_STATIC)
			g->barriers[i].begin = g->loops[g->barriers[i].begin - 1].at;
	for (size_t i = 0; i < g->nloops; i++) {
		struct gnu_loop *l = &g->loops[i];

		if (l->sight == GNU_CALLS)
			l->end = l->at + gnu_insn_at(g, l->at)->bytes;
		/* Without optimization the loop's own instructions have the place of the directive,
		   or, if no code is for that, of the statement before. With it they have that of
		   the code before them, but for C and C++ gcc marks where the loop's statement
		   begins. */
		const struct sym_row *row = gnu_row(g, l->at);
		const uint64_t end = l->at + (l->sight != GNU_INSIDE);

		l->loop.before = row && is_of_before(g, row, l->at) ? row->line : 0;
		if (l->loop.before || is_optimized(g))
			row = NULL;
		for (size_t k = 0; g->markers && k < g->nrows && g->rows[k].lo < end; k++)
			if (g->rows[k].statement && g->rows[k].line)
				row = &g->rows[k];
		l->loop.file = row ? row->file : NULL;
		l->loop.line = row ? row->line : 0;
	}
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * callsite_single.c - where gcc's singles end.
 *
 * gcc calls GOMP_single_start at the beginning alone. The end is a barrier unless the
 * directive is nowait; then only the code shows what is in it: all that the thread that enters
 * reaches, and the others don't. The compiler may have made copies of what follows, one for
 * each. Their lines are the same.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/grow.h"
#include "src/callsite/callsite_gnu.h"
#include "src/profile/format.h"

enum { LAST_INSNS = 16 }; /* at most, to leave a function */

/* A place in the source of the function itself: that of the call for inlined code. */
struct callsite_single_place {
	const char *file;
	unsigned line;
};

struct callsite_single_places {
	struct callsite_single_place *all;
	size_t n, room;
};

/* ---- code ------------------------------------------------------------ */

/* Whether code goes on elsewhere other than by a call: in a function that is called last, or
   in the rest of a function that the compiler split. */
static bool single_is_left(const struct gnu_function *g, const struct gnu_single *s)
{
	for (size_t i = 0; i < s->n; i++) {
		uint64_t at = s->pieces[i].lo;
		const struct gnu_insn *insn;

		for (; at < s->pieces[i].hi && (insn = gnu_insn_at(g, at)); at += insn->bytes) {
			const bool jump = insn->kind == FLOW_JUMP || insn->kind == FLOW_BRANCH;

			if (jump && (insn->target < g->lo || insn->target >= g->hi))
				return true;
		}
		if (at < s->pieces[i].hi)
			return true;
	}
	return false;
}

/* Whether who does not enter just returns. */
static bool single_is_last(const struct gnu_function *g, const struct flow_piece *p, size_t n)
{
	size_t met = 0;

	for (size_t i = 0; i < n; i++)
		for (uint64_t at = p[i].lo; at < p[i].hi;) {
			const struct gnu_insn *insn = gnu_insn_at(g, at);
			const bool inside = insn && insn->target >= g->lo && insn->target < g->hi;

			if (!insn || ++met > LAST_INSNS ||
			    !(insn->kind == FLOW_NEXT || insn->kind == FLOW_RETURN ||
			      (insn->kind == FLOW_JUMP && inside)))
				return false;
			at += insn->bytes;
		}
	return true;
}

/* ---- copies ---------------------------------------------------------- */

static struct callsite_single_place place_at(const struct gnu_function *g, uint64_t at)
{
	const struct sym_location *l = symbols_resolve(callsites_symbols(g->callsites), g->file,
						       PROF_LOC(g->module, at), true);
	const struct sym_frame *own = &l->frames[l->nframes - 1];

	return (struct callsite_single_place){ own->file, own->line };
}

static bool places_have(const struct callsite_single_places *p,
			const struct callsite_single_place *place)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->all[i].line == place->line && p->all[i].file && place->file &&
		    !strcmp(p->all[i].file, place->file))
			return true;
	return false;
}

/* Where the code from at on has another place than before, or hi. */
static uint64_t place_end(const struct gnu_function *g, uint64_t at, uint64_t hi)
{
	for (size_t i = 0; i < g->nrows; i++)
		if (g->rows[i].lo > at && g->rows[i].lo < hi)
			return g->rows[i].lo;
	return hi;
}

static void piece_add(struct flow_piece **all, size_t *n, size_t *room, uint64_t lo, uint64_t hi)
{
	*all = grow(*all, *n, room, sizeof(**all));
	(*all)[(*n)++] = (struct flow_piece){ lo, hi };
}

/* Takes away code that has the place of others' code, unless that is all: it is behind. */
static void single_without_copies(const struct gnu_function *g, struct gnu_single *s,
				  const struct flow_piece *others, size_t nothers)
{
	struct flow_piece *kept = NULL, *copies = NULL;
	struct callsite_single_places places = { 0 };
	size_t n = 0, room = 0, ncopies = 0, copies_room = 0;

	for (size_t i = 0; i < nothers; i++) {
		for (uint64_t at = others[i].lo; at < others[i].hi;
		     at = place_end(g, at, others[i].hi)) {
			const struct callsite_single_place place = place_at(g, at);

			if (!place.line || places_have(&places, &place))
				continue;
			places.all = grow(places.all, places.n, &places.room, sizeof(*places.all));
			places.all[places.n++] = place;
		}
	}
	for (size_t i = 0; i < s->n; i++) {
		uint64_t at = s->pieces[i].lo, end;

		for (; at < s->pieces[i].hi; at = end) {
			const struct callsite_single_place place = place_at(g, at);

			end = place_end(g, at, s->pieces[i].hi);
			if (places_have(&places, &place))
				piece_add(&copies, &ncopies, &copies_room, at, end);
			else
				piece_add(&kept, &n, &room, at, end);
		}
	}
	for (size_t i = 0, behind = s->nbehind; i < ncopies && n; i++)
		piece_add(&s->behind, &s->nbehind, &behind, copies[i].lo, copies[i].hi);
	free(copies);
	free(places.all);
	if (!n) {
		free(kept);
		s->end = SINGLE_END_VAGUE;
		return;
	}
	free(s->pieces);
	s->pieces = kept;
	s->n = flow_join(kept, n);
}

/* ---- a single -------------------------------------------------------- */

static bool single_meets_barrier(const struct gnu_function *g, const struct gnu_single *s)
{
	for (size_t i = 0; i < g->nbarriers; i++)
		if (g->barriers[i].ends == CONSTRUCT_SINGLE && g->barriers[i].begin == s->begin)
			return true;
	return false;
}

/* What of the code that who enters reaches is the single's; the others reach the rest. */
static void single_code(struct gnu_function *g, struct gnu_single *s,
			const struct flow_piece *others, size_t nothers)
{
	if (single_meets_barrier(g, s)) {
		/* Code that the thread that enters comes to alone may have a copy of the barrier at
		   the end: what is in the single has none. */
		for (size_t i = 0; i < g->nbarriers; i++) {
			struct gnu_barrier *b = &g->barriers[i];

			if (b->kind != BARRIER_UNKNOWN || !flow_has(s->pieces, s->n, b->at))
				continue;
			b->kind = BARRIER_IMPLICIT;
			b->ends = CONSTRUCT_SINGLE;
			b->begin = s->begin;
		}
	}
	s->n = flow_without(&s->pieces, s->n, others, nothers);
	if (!s->n)
		return;
	s->end = g->nrows ? SINGLE_END_CODE : SINGLE_END_VAGUE;
	if (g->nrows)
		single_without_copies(g, s, others, nothers);
	if (s->end == SINGLE_END_CODE && single_is_left(g, s))
		s->end = single_is_last(g, others, nothers) ? SINGLE_END_LAST : SINGLE_END_LEFT;
}

/* Follows both ways from the call. What can't be followed stays unknown. */
static void single_examine(struct gnu_function *g, struct gnu_single *s)
{
	struct flow_piece *others = NULL;
	uint64_t around, into;
	size_t nothers = 0;

	if (!flow_if_zero(&g->code, s->begin, &around, &into))
		return;
	/* The next single, or the same once more. */
	g->until = GNU_SINGLE;
	g->past = true;
	if (gnu_reach(g, around, &s->behind, &s->nbehind)) {
		s->behind = NULL;
		s->nbehind = 0;
	}
	g->past = false;
	if (!gnu_reach(g, around, &others, &nothers) && !gnu_reach(g, into, &s->pieces, &s->n))
		single_code(g, s, others, nothers);
	g->until = GNU_NONE;
	free(others);
	if (single_meets_barrier(g, s))
		s->end = s->end == SINGLE_END_UNKNOWN || s->end == SINGLE_END_VAGUE ?
				 SINGLE_END_ALONE :
				 SINGLE_END_BARRIER;
}

void gnu_find_singles(struct gnu_function *g)
{
	for (size_t i = 0; i < g->ninsns; i++) {
		const struct gnu_insn *call = &g->insns[i];
		struct gnu_single *s;

		if ((call->call != GNU_SINGLE && call->call != GNU_SINGLE_COPY) ||
		    call->kind != FLOW_CALL)
			continue;
		g->singles = grow(g->singles, g->nsingles, &g->singles_room, sizeof(*g->singles));
		s = &g->singles[g->nsingles++];
		*s = (struct gnu_single){ .begin = call->at + call->bytes };
		/* A call shows the end of one with copyprivate. */
		if (call->call == GNU_SINGLE_COPY)
			s->end = SINGLE_END_ALONE;
		else
			single_examine(g, s);
		/* The compiler may jump to one single's code from copies of the call. */
		s->first = s->begin;
		for (size_t k = 0; k + 1 < g->nsingles && s->first == s->begin; k++)
			if (flow_meet(s->pieces, s->n, g->singles[k].pieces, g->singles[k].n))
				s->first = g->singles[k].first;
	}
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* flow.c - a walk along all ways that lead on from a place. */
#include "config.h"

#include "src/code/flow.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/base/map.h"
#include "src/code/callsite_code.h"
#include "src/code/flow_table.h"

enum {
	INSNS_MAX = 1 << 15,
	PATH_MAX_INSNS = 512, /* that are looked at behind an indirect jump */
	NOWHERE = INSNS_MAX,  /* where the first way comes from */
};

/* Where a way begins, and by which instruction it came there. */
struct way {
	uint64_t at;
	uint32_t from; /* number of one that was met, or NOWHERE */
};

struct flow_walk {
	const struct callsite_code *code;
	const struct flow_guide *guide;
	struct flow_piece *seen; /* an instruction each */
	size_t nseen, seen_room;
	uint32_t *from; /* of each: the one that first led to it */
	size_t from_room;
	struct map met; /* by address */
	struct way *todo;
	size_t ntodo, todo_room;
};

static void walk_later(struct flow_walk *w, uint64_t address, uint32_t from)
{
	w->todo = grow(w->todo, w->ntodo, &w->todo_room, sizeof(*w->todo));
	w->todo[w->ntodo++] = (struct way){ address, from };
}

/* 1: it was not met before. */
static int walk_meet(struct flow_walk *w, uint64_t address, unsigned bytes, uint32_t from)
{
	uint32_t id;

	w->seen = grow(w->seen, w->nseen, &w->seen_room, sizeof(*w->seen));
	w->from = grow(w->from, w->nseen, &w->from_room, sizeof(*w->from));
	if (w->nseen == INSNS_MAX)
		return -E2BIG;
	if (!map_add(&w->met, address, 0, (uint32_t)w->nseen, &id))
		return 0;
	w->from[w->nseen] = from;
	w->seen[w->nseen++] = (struct flow_piece){ address, address + bytes };
	return 1;
}

static bool walk_follows(const struct flow_walk *w, uint64_t target)
{
	return w->guide->jump(w->guide->arg, target) != FLOW_STOP;
}

/* After a call: *next is where the way goes on, 0: nowhere. */
static int walk_call(struct flow_walk *w, const struct flow_insn *i, uint64_t *next)
{
	const enum flow_answer answer = w->guide->call(w->guide->arg, *next, i->target);
	uint64_t zero, other;

	/* A call that does not return may be the last instruction of its function. */
	if (answer == FLOW_STOP || (answer == FLOW_GO_ON && !walk_follows(w, *next)))
		*next = 0;
	if (answer != FLOW_IF_NOT_ZERO)
		return 0;
	if (!flow_if_zero(w->code, *next, &zero, &other))
		return -ENOENT;
	*next = other;
	return 0;
}

/* What the jump is; if it goes by a table, by which. */
static enum flow_jump flow_table_find(const struct callsite_code *c, const struct flow_path *p,
				      struct flow_table *t)
{
	enum flow_jump is = FLOW_JUMP_UNKNOWN;

	*t = (struct flow_table){ 0 };
	if (c->machine == EM_X86_64)
		is = flow_table_x86_64(c, p, t);
	else if (c->machine == EM_AARCH64)
		is = flow_table_aarch64(c, p, t);
	if (is == FLOW_JUMP_TABLE && (!t->n || t->n > FLOW_TABLE_MAX))
		return FLOW_JUMP_UNKNOWN;
	return is;
}

/* Where the table's entry i leads to; false: it is not there. */
static bool flow_table_target(const struct callsite_code *c, const struct flow_table *t, unsigned i,
			      uint64_t *target)
{
	const unsigned char *p = c->at(c->self, t->entries + (uint64_t)i * t->bytes, t->bytes);
	uint64_t entry = 0;

	if (!p)
		return false;
	/* Little-endian both; the file's and, as the loader's mapping is, ours. */
	memcpy(&entry, p, t->bytes);
	if (t->is_signed && t->bytes < 8 && entry >> (t->bytes * 8 - 1))
		entry |= UINT64_MAX << (t->bytes * 8);
	*target = t->base + (entry << t->shift);
	return true;
}

/* All targets of the indirect jump that was met last.  A target outside of the function
   shows that the table was not found, or that it is shorter than was thought. */
static int walk_table(struct flow_walk *w)
{
	const uint32_t jump = (uint32_t)w->nseen - 1;
	uint64_t at[PATH_MAX_INSNS], target;
	struct flow_path path = { .at = at };
	struct flow_table table;

	for (uint32_t i = jump; i != NOWHERE && path.n < PATH_MAX_INSNS; i = w->from[i])
		at[path.n++] = w->seen[i].lo;
	switch (flow_table_find(w->code, &path, &table)) {
	case FLOW_JUMP_AWAY: return 0;
	case FLOW_JUMP_UNKNOWN: return -ENOENT;
	case FLOW_JUMP_TABLE: break;
	}
	for (unsigned i = 0; i < table.n; i++) {
		if (!flow_table_target(w->code, &table, i, &target) || !walk_follows(w, target))
			return -ENOENT;
		if (!map_get(&w->met, target, 0, 0))
			walk_later(w, target, jump);
	}
	return 0;
}

/* One way, until it ends or meets another. */
static int walk_way(struct flow_walk *w, struct way way)
{
	uint64_t at = way.at;
	struct flow_insn i;
	int err = 0;

	while (at && !err) {
		if (!flow_decode(w->code, at, &i))
			return -ENOENT;
		err = walk_meet(w, at, i.bytes, way.from);
		if (err != 1)
			return err;
		err = 0;
		way.from = (uint32_t)w->nseen - 1;
		at += i.bytes;
		if (i.kind == FLOW_CALL)
			err = walk_call(w, &i, &at);
		else if (i.kind == FLOW_BRANCH && walk_follows(w, i.target))
			walk_later(w, i.target, way.from);
		else if (i.kind == FLOW_JUMP)
			at = walk_follows(w, i.target) ? i.target : 0;
		else if (i.kind == FLOW_INDIRECT_JUMP)
			err = walk_table(w);
		if (i.kind == FLOW_RETURN || i.kind == FLOW_TRAP || i.kind == FLOW_INDIRECT_JUMP)
			at = 0;
	}
	return err;
}

bool flow_meet(const struct flow_piece *a, size_t na, const struct flow_piece *b, size_t nb)
{
	for (size_t i = 0; i < na; i++)
		for (size_t k = 0; k < nb; k++)
			if (a[i].lo < b[k].hi && b[k].lo < a[i].hi)
				return true;
	return false;
}

bool flow_has(const struct flow_piece *p, size_t n, uint64_t address)
{
	for (size_t i = 0; i < n; i++)
		if (address >= p[i].lo && address < p[i].hi)
			return true;
	return false;
}

static int flow_by_address(const void *a, const void *b)
{
	const struct flow_piece *x = a, *y = b;

	return x->lo < y->lo ? -1 : x->lo > y->lo;
}

size_t flow_join(struct flow_piece *p, size_t n)
{
	size_t kept = 0;

	if (n)
		qsort(p, n, sizeof(*p), flow_by_address);
	for (size_t i = 0; i < n; i++) {
		if (kept && p[kept - 1].hi >= p[i].lo) {
			if (p[i].hi > p[kept - 1].hi)
				p[kept - 1].hi = p[i].hi;
		} else {
			p[kept++] = p[i];
		}
	}
	return kept;
}

size_t flow_without(struct flow_piece **pieces, size_t n, const struct flow_piece *others,
		    size_t nothers)
{
	struct flow_piece *left = alloc_zeroed(n + nothers + 1, sizeof(*left));
	size_t kept = 0, k = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t lo = (*pieces)[i].lo;
		const uint64_t hi = (*pieces)[i].hi;

		while (k < nothers && others[k].hi <= lo)
			k++;
		for (size_t m = k; m < nothers && others[m].lo < hi; m++) {
			if (others[m].lo > lo)
				left[kept++] = (struct flow_piece){ lo, others[m].lo };
			lo = others[m].hi;
		}
		if (lo < hi)
			left[kept++] = (struct flow_piece){ lo, hi };
	}
	free(*pieces);
	*pieces = left;
	return kept;
}

int flow_reach(const struct callsite_code *c, uint64_t from, const struct flow_guide *g,
	       struct flow_piece **pieces, size_t *n)
{
	struct flow_walk w = { .code = c, .guide = g };
	int err = 0;

	walk_later(&w, from, NOWHERE);
	while (!err && w.ntodo)
		err = walk_way(&w, w.todo[--w.ntodo]);
	free(w.todo);
	free(w.from);
	map_free(&w.met);
	if (err) {
		free(w.seen);
		return err;
	}
	*pieces = w.seen;
	*n = flow_join(w.seen, w.nseen);
	return 0;
}

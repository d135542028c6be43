/* flow.c - a walk over all ways that lead on from a place. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/analysis/callsite_code.h"
#include "src/analysis/flow.h"
#include "src/analysis/grow.h"
#include "src/analysis/idmap.h"

enum { INSNS_MAX = 1 << 15 };

struct walk {
	const struct callsite_code *code;
	const struct flow_guide *guide;
	struct flow_piece *seen;	/* an instruction each */
	size_t nseen, seen_room;
	struct idmap met;		/* by address */
	uint64_t *todo;			/* where ways begin */
	size_t ntodo, todo_room;
};

static int walk_later(struct walk *w, uint64_t address)
{
	uint64_t *room = grow(w->todo, w->ntodo, &w->todo_room, sizeof(*room));

	if (!room)
		return -ENOMEM;
	w->todo = room;
	w->todo[w->ntodo++] = address;
	return 0;
}

/* 1: it was not met before. */
static int walk_meet(struct walk *w, uint64_t address, unsigned bytes)
{
	struct flow_piece *room = grow(w->seen, w->nseen, &w->seen_room, sizeof(*room));
	uint32_t id;
	int added;

	if (!room)
		return -ENOMEM;
	w->seen = room;
	if (w->nseen == INSNS_MAX)
		return -E2BIG;
	added = idmap_add(&w->met, address, 0, (uint32_t)w->nseen, &id);
	if (added == 1)
		w->seen[w->nseen++] = (struct flow_piece){ address, address + bytes };
	return added;
}

/* After a call: *next is where the way goes on, 0: nowhere. */
static int walk_call(struct walk *w, const struct flow_insn *i, uint64_t *next)
{
	const enum flow_answer answer = w->guide->call(w->guide->arg, *next, i->target);
	uint64_t zero, other;

	if (answer == FLOW_STOP)
		*next = 0;
	if (answer != FLOW_IF_NOT_ZERO)
		return 0;
	if (!flow_if_zero(w->code, *next, &zero, &other))
		return -ENOENT;
	*next = other;
	return 0;
}

static bool walk_follows(const struct walk *w, uint64_t target)
{
	return w->guide->jump(w->guide->arg, target) != FLOW_STOP;
}

/* One way, until it ends or meets another. */
static int walk_way(struct walk *w, uint64_t at)
{
	struct flow_insn i;
	int err = 0;

	while (at && !err) {
		if (!flow_decode(w->code, at, &i) || i.kind == FLOW_ANYWHERE)
			return -ENOENT;
		err = walk_meet(w, at, i.bytes);
		if (err != 1)
			return err;
		err = 0;
		at += i.bytes;
		if (i.kind == FLOW_CALL)
			err = walk_call(w, &i, &at);
		else if (i.kind == FLOW_BRANCH && walk_follows(w, i.target))
			err = walk_later(w, i.target);
		else if (i.kind == FLOW_JUMP)
			at = walk_follows(w, i.target) ? i.target : 0;
		else if (i.kind == FLOW_END)
			at = 0;
	}
	return err;
}

static int by_address(const void *a, const void *b)
{
	const struct flow_piece *x = a, *y = b;

	return x->lo < y->lo ? -1 : x->lo > y->lo;
}

/* Neighbours become one. */
static size_t pieces_join(struct flow_piece *p, size_t n)
{
	size_t kept = 0;

	if (n)
		qsort(p, n, sizeof(*p), by_address);
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

int flow_reach(const struct callsite_code *c, uint64_t from, const struct flow_guide *g,
	       struct flow_piece **pieces, size_t *n)
{
	struct walk w = { .code = c, .guide = g };
	int err = walk_later(&w, from);

	while (!err && w.ntodo)
		err = walk_way(&w, w.todo[--w.ntodo]);
	free(w.todo);
	idmap_fini(&w.met);
	if (err) {
		free(w.seen);
		return err;
	}
	*pieces = w.seen;
	*n = pieces_join(w.seen, w.nseen);
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/model/moments.h"

#include <stdlib.h>

#include "src/base/alloc.h"
#include "src/base/map.h"
#include "src/profile/reader/reader.h"

enum {
	NONE = UINT32_MAX,
	ABOVE_MOST = 64, /* nodes with cells above a leaf; the library writes cells of three */
};

/* Samples that are left to be placed. */
struct amount {
	uint64_t weight, samples;
};

/* The cells of one node, event and state. */
struct key {
	uint32_t node, number;
	uint32_t first, n; /* its cells, in order */
	uint32_t leaves;   /* the first of a list by next; NONE: it is empty */
	struct amount sum;
};

struct share {
	uint32_t target;
	struct amount left;
};

struct placer {
	const struct moments *m;
	const struct prof_file *f;
	struct map numbers; /* of keys */
	struct key *keys;
	uint32_t *order; /* of cells: those of a key are neighbours */
	uint32_t *near;	 /* by node: the nearest one at or above it that has cells */
	/* By leaf */
	uint32_t *node;
	uint32_t *next;
	uint8_t *tries;
	struct amount *left;
	/* Of one key */
	struct share *shares;
	size_t nshares;
	uint32_t *by_target; /* its number + 1 in shares */
};

size_t moments_leaves(const struct prof_file *f)
{
	size_t n = 0;

	for (size_t i = 0; i < f->nnodes; i++)
		n += f->nodes[i].kind == PROF_NODE_LEAF;
	return n;
}

static uint32_t key_word(uint8_t event, uint8_t state)
{
	return PROF_CELL_KEY(event, state);
}

/* ---- the keys ---------------------------------------------------------- */

/* Appends the leaf to the list of the nearest key above node. */
static void leaf_assign(struct placer *p, uint32_t leaf, uint32_t node)
{
	const struct prof_rnode *nodes = p->f->nodes, *l = &nodes[p->node[leaf]];

	while (node != PROF_NONE && p->tries[leaf]++ < ABOVE_MOST) {
		const uint32_t at = p->near[node];

		if (at == NONE)
			return;
		const uint32_t k = map_get(&p->numbers, at, key_word(l->event, l->state), NONE);

		if (k != NONE) {
			p->next[leaf] = p->keys[k].leaves;
			p->keys[k].leaves = leaf;
			return;
		}
		node = nodes[at].parent;
	}
}

static void leaves_build(struct placer *p)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->f->nnodes; i++) {
		const struct prof_rnode *l = &p->f->nodes[i];

		if (l->kind != PROF_NODE_LEAF)
			continue;
		p->node[n] = i;
		p->left[n] = (struct amount){ l->b, l->a };
		leaf_assign(p, n++, l->parent);
	}
}

/* ---- sharing ----------------------------------------------------------- */

/*
 * Shares `what` among several that have `all` together, in whole numbers: each one up to some
 * gets together with those before it what their part is, rounded down.  So no one gets more
 * than it has, and the sum is exact.
 */
struct sharing {
	uint64_t what, all;
	uint64_t had, given; /* so far */
};

static uint64_t moments_share_of(struct sharing *s, uint64_t has)
{
	uint64_t due, share;

	s->had += has;
	due = s->all ? (uint64_t)((unsigned __int128)s->what * s->had / s->all) : 0;
	share = due - s->given;
	s->given = due;
	return share;
}

static uint64_t moments_least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static void moments_share_add(struct placer *p, uint32_t target, uint64_t weight, uint64_t samples)
{
	if (target == MOMENTS_NOWHERE || target >= p->m->ntargets)
		target = (uint32_t)p->m->ntargets;
	if (!p->by_target[target]) {
		p->shares[p->nshares] = (struct share){ .target = target };
		p->by_target[target] = (uint32_t)++p->nshares;
	}
	struct share *s = &p->shares[p->by_target[target] - 1];

	s->left.weight += weight;
	s->left.samples += samples;
}

/* Takes what the key's cells have from its leaves. */
static struct amount leaves_take(struct placer *p, const struct key *k)
{
	struct amount all = { 0 }, taken;

	for (uint32_t l = k->leaves; l != NONE; l = p->next[l]) {
		all.weight = prof_add(all.weight, p->left[l].weight);
		all.samples = prof_add(all.samples, p->left[l].samples);
	}
	taken = (struct amount){ moments_least(all.weight, k->sum.weight),
				 moments_least(all.samples, k->sum.samples) };
	struct sharing weights = { .what = taken.weight, .all = all.weight };
	struct sharing samples = { .what = taken.samples, .all = all.samples };

	for (uint32_t l = k->leaves; l != NONE; l = p->next[l]) {
		struct amount *left = &p->left[l];
		const struct amount part = { moments_share_of(&weights, left->weight),
					     moments_share_of(&samples, left->samples) };

		left->weight -= part.weight;
		left->samples -= part.samples;
		moments_share_add(p, p->m->target[l], part.weight, part.samples);
	}
	return taken;
}

static void key_place(struct placer *p, struct key *k)
{
	struct amount all;

	p->nshares = 0;
	all = leaves_take(p, k);
	for (size_t i = 0; i < p->nshares; i++)
		p->by_target[p->shares[i].target] = 0;
	for (uint32_t i = 0; i < k->n; i++) {
		/* Shares one cell among the targets; *all is what they have together. */
		const struct moment_cell *c = &p->m->cells[p->order[k->first + i]];
		const struct amount cell = { moments_least(c->weight, all.weight),
					     moments_least(c->samples, all.samples) };
		struct sharing weights = { .what = cell.weight, .all = all.weight };
		struct sharing samples = { .what = cell.samples, .all = all.samples };

		all.weight -= cell.weight;
		all.samples -= cell.samples;
		for (size_t j = 0; j < p->nshares; j++) {
			struct share *s = &p->shares[j];
			const struct amount part = { moments_share_of(&weights, s->left.weight),
						     moments_share_of(&samples, s->left.samples) };

			s->left.weight -= part.weight;
			s->left.samples -= part.samples;
			if (s->target < p->m->ntargets && (part.weight || part.samples))
				p->m->add(p->m->arg, c, s->target, part.weight, part.samples);
		}
	}
	/* Leaves of which something is left go to the next key above. */
	const uint32_t parent = p->f->nodes[k->node].parent;
	uint32_t next;

	for (uint32_t l = k->leaves; l != NONE; l = next) {
		next = p->next[l];
		if (p->left[l].weight || p->left[l].samples)
			leaf_assign(p, l, parent);
	}
	k->leaves = NONE;
}

/* Nodes follow their parents. */
static int key_deeper(const void *a, const void *b)
{
	const struct key *const *x = a, *const *y = b;

	if ((*x)->node != (*y)->node)
		return (*x)->node < (*y)->node ? 1 : -1;
	return (*x)->number < (*y)->number ? -1 : 1;
}

static void keys_place(struct placer *p)
{
	struct key **sorted = alloc_zeroed(p->numbers.count + 1, sizeof(*sorted));

	for (size_t i = 0; i < p->numbers.count; i++)
		sorted[i] = &p->keys[i];
	if (p->numbers.count)
		qsort(sorted, p->numbers.count, sizeof(*sorted), key_deeper);
	for (size_t i = 0; i < p->numbers.count; i++)
		key_place(p, sorted[i]);
	free(sorted);
}

/* ---- the whole --------------------------------------------------------- */

/* Sorts the cells by keys, and keeps their order. */
static void cells_sort(struct placer *p)
{
	uint32_t *key_of = alloc_zeroed(p->m->ncells + 1, sizeof(*key_of)), at = 0, n = 0;

	for (size_t i = 0; i < p->m->ncells; i++) {
		const struct moment_cell *c = &p->m->cells[i];
		struct key *k;

		if (map_add(&p->numbers, c->node, key_word(c->event, c->state), n, &key_of[i]))
			p->keys[n++] = (struct key){ .node = c->node, .leaves = NONE };
		k = &p->keys[key_of[i]];
		k->n++;
		k->sum.weight = prof_add(k->sum.weight, c->weight);
		k->sum.samples = prof_add(k->sum.samples, c->samples);
	}
	for (size_t k = 0; k < p->numbers.count; k++) {
		p->keys[k].number = (uint32_t)k;
		p->keys[k].first = at;
		at += p->keys[k].n;
		p->keys[k].n = 0;
	}
	for (size_t i = 0; i < p->m->ncells; i++) {
		struct key *k = &p->keys[key_of[i]];

		p->order[k->first + k->n++] = (uint32_t)i;
	}
	free(key_of);
}

void moments_place(const struct moments *m)
{
	struct placer p = { .m = m, .f = m->file };

	const size_t leaves = moments_leaves(p.f), targets = p.m->ntargets + 1;

	p.keys = alloc_zeroed(p.m->ncells + 1, sizeof(*p.keys));
	p.order = alloc_zeroed(p.m->ncells + 1, sizeof(*p.order));
	p.near = alloc_zeroed(p.f->nnodes + 1, sizeof(*p.near));
	p.node = alloc_zeroed(leaves + 1, sizeof(*p.node));
	p.next = alloc_zeroed(leaves + 1, sizeof(*p.next));
	p.tries = alloc_zeroed(leaves + 1, sizeof(*p.tries));
	p.left = alloc_zeroed(leaves + 1, sizeof(*p.left));
	p.shares = alloc_zeroed(targets, sizeof(*p.shares));
	p.by_target = alloc_zeroed(targets, sizeof(*p.by_target));
	cells_sort(&p);
	for (size_t i = 0; i < p.f->nnodes; i++)
		p.near[i] = NONE;
	for (size_t k = 0; k < p.numbers.count; k++)
		p.near[p.keys[k].node] = p.keys[k].node;
	for (size_t i = 0; i < p.f->nnodes; i++)
		if (p.near[i] == NONE && p.f->nodes[i].parent != PROF_NONE)
			p.near[i] = p.near[p.f->nodes[i].parent];
	leaves_build(&p);
	keys_place(&p);
	map_free(&p.numbers);
	free(p.keys);
	free(p.order);
	free(p.near);
	free(p.node);
	free(p.next);
	free(p.tries);
	free(p.left);
	free(p.shares);
	free(p.by_target);
}

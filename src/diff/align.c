/* SPDX-License-Identifier: BSD-3-Clause */
/* align.c - an alignment of two sequences by dynamic programming. */
#include "config.h"

#include "src/diff/align.h"

#include <stdlib.h>

#include "src/base/alloc.h"
#include "src/base/map.h"

/* A match is worth more than one edit and less than two: a single line is not moved there and
   back for its own sake. */
enum { MATCH = 4, EDIT = 3 };

/* Longer sequences, which no function written by a person has, are matched without edits. */
enum { CELLS_MAX = 1 << 22 };

/* The best alignment that ends with a pair, as a number of the pair (a's index * nb + b's). */
enum { FIRST = UINT32_MAX };

struct align_cell {
	int32_t score;	 /* of the alignment that ends with this pair */
	uint32_t before; /* the pair before it, or FIRST */
	uint32_t best;	 /* the best pair up to here in both sequences, or FIRST */
};

struct align_table {
	const int64_t *a, *b;
	size_t nb;
	struct align_cell *cells;
	struct map diagonals; /* by distance: index into ends */
	uint32_t *ends;	      /* the best pair so far with that distance */
};

static int32_t score(const struct align_table *t, uint32_t pair)
{
	return pair == FIRST ? 0 : t->cells[pair].score;
}

static uint32_t align_better(const struct align_table *t, uint32_t p, uint32_t q)
{
	return score(t, q) > score(t, p) ? q : p;
}

static void pair(struct align_table *t, size_t i, size_t j)
{
	const int64_t distance = t->b[j] - t->a[i];
	const uint32_t up = i && j ? t->cells[(i - 1) * t->nb + j - 1].best : FIRST;
	struct align_cell *c = &t->cells[i * t->nb + j];
	uint32_t diagonal;
	const bool added = map_add(&t->diagonals, (uint64_t)distance, 0,
				   (uint32_t)t->diagonals.count, &diagonal);

	c->before = up;
	c->score = score(t, up) - EDIT;
	if (distance == 0 && c->score < 0) {
		c->before = FIRST;
		c->score = 0;
	}
	if (!added && score(t, t->ends[diagonal]) > c->score) {
		c->before = t->ends[diagonal];
		c->score = score(t, c->before);
	}
	c->score += MATCH;
	if (added || c->score > score(t, t->ends[diagonal]))
		t->ends[diagonal] = (uint32_t)(i * t->nb + j);
	c->best = (uint32_t)(i * t->nb + j);
	if (i)
		c->best = align_better(t, t->cells[(i - 1) * t->nb + j].best, c->best);
	if (j)
		c->best = align_better(t, t->cells[i * t->nb + j - 1].best, c->best);
}

void align(const int64_t *a, size_t na, const int64_t *b, size_t nb, uint32_t *match)
{
	size_t j = 0;

	for (size_t i = 0; i < na; i++)
		match[i] = ALIGN_NONE;
	if (na && nb && na <= CELLS_MAX / nb) {
		struct align_table t = {
			.a = a,
			.b = b,
			.nb = nb,
			.cells = alloc_zeroed(na * nb, sizeof(*t.cells)),
			.ends = alloc_zeroed(na * nb, sizeof(*t.ends)),
		};

		for (size_t i = 0; i < na; i++) {
			for (size_t k = 0; k < nb; k++)
				pair(&t, i, k);
		}
		for (uint32_t p = t.cells[na * nb - 1].best; p != FIRST; p = t.cells[p].before)
			match[p / nb] = (uint32_t)(p % nb);
		map_free(&t.diagonals);
		free(t.cells);
		free(t.ends);
		return;
	}
	for (size_t i = 0; i < na; i++) {
		while (j < nb && b[j] < a[i])
			j++;
		if (j < nb && b[j] == a[i])
			match[i] = (uint32_t)j;
	}
}

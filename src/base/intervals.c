/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/base/intervals.h"

#include <stdlib.h>

#include "src/base/grow.h"

void intervals_free(struct intervals *v)
{
	free(v->at);
	*v = (struct intervals){ 0 };
}

void intervals_add(struct intervals *v, uint64_t lo, uint64_t hi, uint32_t value)
{
	if (lo >= hi)
		return;
	v->at = grow(v->at, v->count, &v->room, sizeof(*v->at));
	v->at[v->count++] = (struct interval){ lo, hi, value, INTERVALS_NONE };
}

/* Enclosing intervals first. */
static int intervals_compare(const void *a, const void *b)
{
	const struct interval *x = a, *y = b;

	if (x->lo != y->lo)
		return x->lo < y->lo ? -1 : 1;
	if (x->hi != y->hi)
		return x->hi > y->hi ? -1 : 1;
	return (x->value > y->value) - (x->value < y->value);
}

void intervals_sort(struct intervals *v)
{
	uint32_t open = INTERVALS_NONE;

	if (v->count)
		qsort(v->at, v->count, sizeof(*v->at), intervals_compare);
	for (size_t i = 0; i < v->count; i++) {
		while (open != INTERVALS_NONE && v->at[open].hi <= v->at[i].lo)
			open = v->at[open].up;
		v->at[i].up = open;
		open = (uint32_t)i;
	}
}

const struct interval *intervals_find(const struct intervals *v, uint64_t address)
{
	size_t lo = 0, hi = v->count;

	while (lo < hi) { /* the first that starts after address */
		size_t mid = lo + (hi - lo) / 2;

		if (v->at[mid].lo <= address)
			lo = mid + 1;
		else
			hi = mid;
	}

	uint32_t i = lo ? (uint32_t)(lo - 1) : INTERVALS_NONE;

	while (i != INTERVALS_NONE && address >= v->at[i].hi)
		i = v->at[i].up;
	return i == INTERVALS_NONE ? NULL : &v->at[i];
}

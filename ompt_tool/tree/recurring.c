/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A hash table whose chains link the path's entries, the newest first: an entry
 * that is removed from the path's end is always the first of its chain.
 */
#include "config.h"

#include "ompt_tool/tree/recurring.h"

#include "ompt_tool/tree/cct.h"
#include "src/profile/format.h"

enum { GENERATION_SHIFT = 16, GENERATIONS = 1 << 16, PLACE_MASK = 0xffff };

static uint16_t bucket_of(uint32_t info, uint64_t value)
{
	return (uint16_t)((value ^ info) * UINT64_C(0x9e3779b97f4a7c15) >> 56 &
			  (RECURRING_BUCKETS - 1));
}

/* The first entry of a bucket's chain: place + 1; 0: none. */
static uint16_t first_in(const struct recurring *r, uint16_t bucket)
{
	const uint32_t word = r->bucket[bucket];

	return word >> GENERATION_SHIFT == r->generation ? (uint16_t)(word & PLACE_MASK) : 0;
}

static void set_first(struct recurring *r, uint16_t bucket, uint16_t place)
{
	r->bucket[bucket] = r->generation << GENERATION_SHIFT | place;
}

void recurring_push(struct recurring *r, const struct prof_writer *w, uint32_t node)
{
	const struct prof_node *p = cct_node(w, node);
	const uint16_t bucket = bucket_of(p->info, p->value);

	if (r->n == RECURRING_MAX)
		return;
	r->path[r->n].node = node;
	r->path[r->n].bucket = bucket;
	r->path[r->n].next = first_in(r, bucket);
	set_first(r, bucket, (uint16_t)++r->n);
	r->steps++;
}

static void renew(struct recurring *r)
{
	r->n = r->steps = 0;
	if (++r->generation < GENERATIONS)
		return;
	r->generation = 1;
	for (int i = 0; i < RECURRING_BUCKETS; i++)
		((volatile uint32_t *)r->bucket)[i] = 0;
}

void recurring_begin(struct recurring *r, const struct prof_writer *w, uint32_t node)
{
	uint32_t n = 0;

	renew(r);
	for (; node != 0 && n < RECURRING_MAX; node = cct_link(w, cct_node(w, node)->parent))
		r->path[RECURRING_MAX - ++n].node = node;
	r->steps = n;
	for (uint32_t i = RECURRING_MAX - n; i < RECURRING_MAX; i++)
		recurring_push(r, w, r->path[i].node);
}

uint32_t recurring_find(struct recurring *r, const struct prof_writer *w, uint32_t info,
			uint64_t value)
{
	for (uint16_t place = first_in(r, bucket_of(info, value)); place != 0;
	     place = r->path[place - 1].next) {
		const struct prof_node *p = cct_node(w, r->path[place - 1].node);

		r->steps++;
		if (p->info != info || p->value != value)
			continue;
		for (; r->n > place; r->n--)
			set_first(r, r->path[r->n - 1].bucket, r->path[r->n - 1].next);
		return r->path[place - 1].node;
	}
	return 0;
}

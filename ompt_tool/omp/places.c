/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/omp/places.h"

#include "ompt_tool/omp/region.h"

void places_begin(struct places *p)
{
	p->n = 1;
	p->deeper = 0;
	p->at[0].begun = (struct begun){ 0 };
	p->at[0].context = 0;
	p->at[0].home = p->at[0].part = PROF_PART_WORK;
}

static void push(struct places *p, uint64_t token, uint32_t context, uint8_t home)
{
	p->at[p->n].begun = (struct begun){ .token = token };
	p->at[p->n].context = context;
	p->at[p->n].home = p->at[p->n].part = home;
	p->n++;
}

static void drop_over(struct places *p)
{
	const uint32_t n = begun_lasting(p->at, sizeof(*p->at), p->n, 0);

	if (n == p->n)
		return;
	p->n = n;
	p->deeper = 0;
}

bool places_enter(struct places *p, uint64_t token, uint32_t context)
{
	drop_over(p);
	/* The nesting is deeper than the array: the innermost place is replaced. */
	const bool room = p->n < PLACES_DEPTH;

	if (!room)
		p->n--;
	push(p, token, context, PROF_PART_WORK);
	return room;
}

void places_leave(struct places *p, uint64_t token)
{
	const uint32_t i = begun_by_task(p->at, sizeof(*p->at), p->n, token);

	if (i <= 1)
		return;
	p->n = i - 1;
	p->deeper = 0;
}

void places_wait(struct places *p, bool begins)
{
	p->at[p->n - 1].part = begins ? PROF_PART_WAIT : p->at[p->n - 1].home;
}

/*
 * Tasks on one thread end in the reverse order of their beginnings, but untied ones
 * may resume here without a beginning. Tasks created at one place have the same
 * token: the nearest one is taken.
 */
bool places_switch(struct places *p, uint64_t token, bool begins)
{
	if (!begins && p->deeper != 0) {
		p->deeper--;
		return true;
	}
	const uint32_t i = !begins ? begun_by_task(p->at, sizeof(*p->at), p->n - 1, token) : 0;

	if (i != 0) {
		p->n = i;
		return true;
	}
	if (!begins &&
	    (!token_is_task(token) || token_same_task(p->at[p->n - 1].begun.token, token)))
		return true;
	if (p->n == PLACES_DEPTH) {
		p->deeper++;
		return false;
	}
	push(p, token, p->at[p->n - 1].context, PROF_PART_TASK);
	return true;
}

bool places_over(const struct places *p)
{
	return token_is_over(p->at[p->n - 1].begun.token);
}

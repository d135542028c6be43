/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/stack/stack_rules.h"

#include <stdlib.h>

#include "src/base/alloc.h"
#include "src/base/grow.h"

static struct stack_finding *add_finding(struct stack_findings *found, size_t n,
					 enum stack_finding_kind kind)
{
	struct stack_finding *f;

	found->all = grow(found->all, found->n, &found->room, sizeof(*found->all));
	f = &found->all[found->n++];
	f->kind = kind;
	f->rows = alloc_zeroed(n + 1, sizeof(*f->rows));
	f->missing = alloc_zeroed(n + 1, sizeof(*f->missing));
	return f;
}

void stack_findings_free(struct stack_findings *found)
{
	for (size_t i = 0; i < found->n; i++) {
		free(found->all[i].rows);
		free(found->all[i].missing);
	}
	free(found->all);
	*found = (struct stack_findings){ .n = 0 };
}

/* ---- circles of owners -------------------------------------------------------------- */

/* The thread that a row waits for, or n. */
static size_t next_of(const struct stack_row *rows, size_t n, size_t i)
{
	for (size_t k = 0; rows[i].owner && k < n; k++)
		if (rows[k].tid == rows[i].owner)
			return k;
	return n;
}

/* ---- nobody goes on --------------------------------------------------------------------- */

struct stack_rules_waits {
	size_t locks;
	bool any_goes_on; /* or may, without the others */
	bool all_firm;
};

static struct stack_rules_waits waits_of(const struct stack_row *rows, size_t n)
{
	struct stack_rules_waits w = { .all_firm = true };

	for (size_t i = 0; i < n; i++) {
		w.locks += rows[i].wait == STACK_LOCK;
		w.any_goes_on |= rows[i].wait == STACK_RUNS || rows[i].wait == STACK_CALL;
		w.all_firm &= rows[i].firm;
	}
	return w;
}

bool stack_rules_doubt(const struct stack_row *rows, size_t n)
{
	const struct stack_rules_waits w = waits_of(rows, n);

	return !w.any_goes_on && w.locks && !w.all_firm;
}

/* Circles say more of the same. */
static void find_stuck(const struct stack_row *rows, size_t n, bool moved,
		       struct stack_findings *found)
{
	const struct stack_rules_waits w = waits_of(rows, n);
	struct stack_finding *f;

	if (!n || found->n || w.any_goes_on || !(w.all_firm || (w.locks && !moved)))
		return;
	f = add_finding(found, n, STACK_STUCK);
	f->sure = w.all_firm;
	for (size_t i = 0; i < n; i++)
		if (!w.locks || rows[i].wait == STACK_LOCK)
			f->rows[f->n++] = i;
}

/* ---- barriers ------------------------------------------------------------------------------ */

static bool waits_for_team(const struct stack_row *r)
{
	return r->team && (r->wait == STACK_BARRIER || r->wait == STACK_END);
}

static bool waits_there(const struct stack_row *r, const struct stack_row *first)
{
	return r->team == first->team && r->wait == first->wait && r->place == first->place;
}

/* The threads that wait where row i is the first one to do so, and those of its team that do
   not. */
static void find_missing(const struct stack_row *rows, size_t n, size_t i,
			 struct stack_findings *found)
{
	struct stack_finding *f;
	bool missing = false;

	for (size_t k = 0; k < i; k++)
		if (waits_there(&rows[k], &rows[i]))
			return;
	for (size_t k = 0; k < n; k++)
		missing |= rows[k].team == rows[i].team && !waits_there(&rows[k], &rows[i]);
	if (!missing)
		return;
	f = add_finding(found, n, STACK_MISSING);
	f->sure = true;
	for (size_t k = 0; k < n; k++)
		if (waits_there(&rows[k], &rows[i]))
			f->rows[f->n++] = k;
		else if (rows[k].team == rows[i].team)
			f->missing[f->nmissing++] = k;
}

void stack_rules(const struct stack_row *rows, size_t n, bool moved, struct stack_findings *found)
{
	*found = (struct stack_findings){ .n = 0 };
	/* By row: the walk that met it, from 1 on. */
	size_t *met = alloc_zeroed(n + 1, sizeof(*met));
	size_t *next = alloc_zeroed(n + 1, sizeof(*next));

	for (size_t i = 0; i < n; i++)
		next[i] = next_of(rows, n, i);
	for (size_t i = 0; i < n; i++) {
		struct stack_finding *f;
		size_t at = i;

		for (; at < n && !met[at]; at = next[at])
			met[at] = i + 1;
		if (at == n || met[at] != i + 1)
			continue;
		f = add_finding(found, n, STACK_CYCLE);
		f->sure = true;
		for (size_t k = at; !f->n || k != at; k = next[k])
			f->rows[f->n++] = k;
	}
	free(next);
	free(met);
	find_stuck(rows, n, moved, found);
	for (size_t i = 0; i < n; i++)
		if (waits_for_team(&rows[i]))
			find_missing(rows, n, i, found);
}

/* ---- order ---------------------------------------------------------------------------------- */

struct stack_rules_ranked {
	size_t row, finding, members, first;
};

static int stack_rules_by_rank(const void *a, const void *b)
{
	const struct stack_rules_ranked *x = a, *y = b;

	if (x->finding != y->finding)
		return x->finding < y->finding ? -1 : 1;
	if (x->members != y->members)
		return x->members < y->members ? -1 : 1;
	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

/* The first finding about row i.  Who is missing comes before those that wait. */
static size_t finding_of(const struct stack_findings *found, size_t i)
{
	for (size_t k = 0; k < found->n; k++) {
		const struct stack_finding *f = &found->all[k];

		for (size_t m = 0; m < f->nmissing; m++)
			if (f->missing[m] == i)
				return 2 * k;
		for (size_t m = 0; m < f->n; m++)
			if (f->rows[m] == i)
				return 2 * k + (f->kind == STACK_MISSING);
	}
	return 2 * found->n;
}

void stack_rules_order(const struct stack_row *rows, size_t n, const struct stack_findings *found,
		       size_t *order)
{
	struct stack_rules_ranked *ranked = alloc_zeroed(n + 1, sizeof(*ranked));
	struct stack_rules_ranked *looks = alloc_zeroed(n + 1, sizeof(*looks));

	for (size_t i = 0; i < n; i++) {
		struct stack_rules_ranked *of = &looks[rows[i].look];
		const size_t finding = finding_of(found, i);

		if (!of->members++)
			*of = (struct stack_rules_ranked){ .finding = finding,
							   .members = 1,
							   .first = i };
		of->finding = of->finding < finding ? of->finding : finding;
	}
	for (size_t i = 0; i < n; i++) {
		ranked[i] = looks[rows[i].look];
		ranked[i].row = i;
	}
	qsort(ranked, n, sizeof(*ranked), stack_rules_by_rank);
	for (size_t i = 0; i < n; i++)
		order[i] = ranked[i].row;
	free(ranked);
	free(looks);
}

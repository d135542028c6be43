/* SPDX-License-Identifier: BSD-3-Clause */
/* text_sort.c - the order of a table's rows, where the default is not asked for. */
#include "config.h"

#include <stdbool.h>
#include <stdlib.h>

#include "src/output/output.h"
#include "src/output/text/text.h"
#include "src/tables/constructs.h"
#include "src/tables/losses.h"
#include "src/tables/regions.h"
#include "src/tables/tables.h"
#include "src/tables/thread_spread.h"
#include "src/view/view.h"

uint64_t text_sort_weight(const struct text *t, const struct cost *block)
{
	const enum output_sort sort = t->report->sort;

	if (sort < SORT_WORK || sort > SORT_BLOCKED)
		return cost_sum(block, t->report->event).weight;
	return cost_at(block, t->report->event, (enum omp_class)(sort - SORT_WORK))->weight;
}

/* Of two rows with equal keys the costlier one is first; of equal ones before decides. */
static int sort_by(const struct text *t, double x, double y, const struct cost *a,
		   const struct cost *b, int before)
{
	const uint64_t u = cost_sum(a, t->report->event).weight;
	const uint64_t v = cost_sum(b, t->report->event).weight;

	if (x < y || x > y)
		return x < y ? 1 : -1;
	if (u != v)
		return u < v ? 1 : -1;
	return before;
}

static void sort_all(const struct text *t, void *all, size_t n, size_t size,
		     int (*order)(const void *, const void *, void *))
{
	if (t->report->sort != SORT_DEFAULT && n)
		qsort_r(all, n, size, order, (void *)(uintptr_t)t);
}

static int sort_rows(const void *a, const void *b, void *arg)
{
	const struct table_row *x = a, *y = b;
	const struct text *t = arg;
	const bool inclusive = t->report->sort == SORT_INCLUSIVE && x->inclusive && y->inclusive;

	return sort_by(t, (double)text_sort_weight(t, inclusive ? x->inclusive : x->self),
		       (double)text_sort_weight(t, inclusive ? y->inclusive : y->self), x->self,
		       y->self, x->key < y->key ? -1 : x->key > y->key);
}

void text_sort_table(const struct text *t, struct table *table)
{
	sort_all(t, table->rows, table->n, sizeof(*table->rows), sort_rows);
}

static double sort_of_region(const struct text *t, const struct region *r)
{
	const struct losses *l = t->report->losses;
	uint32_t slowest;

	switch (t->report->sort) {
	case SORT_IMBALANCE: return region_imbalance(r, t->report->event, &slowest);
	case SORT_ENTRIES: return (double)r->counts.entries;
	case SORT_GAIN: return l && !l->unknown && l->parallel ? losses_gain(l, r, NULL) : 0;
	default: return (double)text_sort_weight(t, r->self);
	}
}

static int sort_regions(const void *a, const void *b, void *arg)
{
	const struct region *x = a, *y = b;

	return sort_by(arg, sort_of_region(arg, x), sort_of_region(arg, y), x->self, y->self,
		       x->line < y->line ? -1 : x->line > y->line);
}

void text_sort_regions(const struct text *t, struct regions *regions)
{
	sort_all(t, regions->all, regions->n, sizeof(*regions->all), sort_regions);
}

static double sort_of_construct(const struct text *t, const struct construct *c)
{
	const struct spread_work w = construct_work(c, t->report->event);

	switch (t->report->sort) {
	case SORT_IMBALANCE: return w.mean > 0 ? (double)w.most / w.mean : 0;
	case SORT_ENTRIES: return (double)c->what->entries;
	default: return (double)text_sort_weight(t, c->self);
	}
}

static int sort_constructs(const void *a, const void *b, void *arg)
{
	const struct construct *x = a, *y = b;

	return sort_by(arg, sort_of_construct(arg, x), sort_of_construct(arg, y), x->self, y->self,
		       x->what < y->what ? -1 : x->what > y->what);
}

void text_sort_constructs(const struct text *t, struct constructs *constructs)
{
	sort_all(t, constructs->all, constructs->n, sizeof(*constructs->all), sort_constructs);
}

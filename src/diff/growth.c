/* SPDX-License-Identifier: BSD-3-Clause */
/* growth.c - see growth.h. */
#include "config.h"

#include "src/diff/growth.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/diff/noise.h"
#include "src/diff/side.h"

/* The work of an item; NULL: none. */
static struct noise_mean work_mean(const struct side *s, const struct side_item *item)
{
	double *values = alloc_zeroed(2 * s->nruns + 1, sizeof(*values));

	for (size_t run = 0; run < s->nruns; run++) {
		const struct cost none = { 0 };
		const struct cost *work =
			item ? &side_cost(s, (size_t)(item - s->items), run)[OMP_WORK] : &none;

		values[run] = (double)work->weight;
		values[s->nruns + run] = side_sampling(s, run, work);
	}
	const struct noise_mean mean = noise_mean(values, values + s->nruns, s->nruns);

	free(values);
	return mean;
}

static const struct side_item *growth_item_like(const struct side *s, const struct side_item *like)
{
	for (size_t i = 0; i < s->nitems; i++)
		if (side_same(&s->items[i], like))
			return &s->items[i];
	return NULL;
}

static void item_compare(struct growth *g, const struct side *sides[2],
			 const struct side_item *item, double all, size_t *room)
{
	struct noise_mean before, after = work_mean(sides[1], item);

	if (after.mean < GROWTH_SHARE_LEAST * all)
		return;
	before = work_mean(sides[0], growth_item_like(sides[0], item));
	noise_share(&before, sides[0]->nruns, &after, sides[1]->nruns);
	if (after.mean < GROWTH_FACTOR_LEAST * before.mean ||
	    after.mean - before.mean <= noise_bound(&before, &after))
		return;
	g->rows = grow(g->rows, g->n, room, sizeof(*g->rows));
	g->rows[g->n++] = (struct growth_row){
		.item = item,
		.before = before.mean,
		.after = after.mean,
		.factor = before.mean > 0 ? after.mean / before.mean : 0,
		.share = after.mean / all,
	};
}

/* Regions come before their lines, which have no more work. */
static int row_order(const void *a, const void *b)
{
	const struct growth_row *x = a, *y = b;
	const double p = x->after - x->before, q = y->after - y->before;

	if (p != q)
		return p > q ? -1 : 1;
	return x->item->by != y->item->by ? (int)x->item->by - (int)y->item->by :
					    strcmp(x->item->name, y->item->name);
}

void growth_build(struct growth *g, const struct side *before, const struct side *after)
{
	const struct side *sides[2] = { before, after };
	const double all = side_mean(after, 0);
	size_t room = 0;

	*g = (struct growth){ 0 };
	for (size_t i = 0; i < after->nitems && all > 0; i++) {
		const struct side_item *item = &after->items[i];

		if (item->by == DIFF_REGION || item->by == DIFF_LINE)
			item_compare(g, sides, item, all, &room);
	}
	if (g->n)
		qsort(g->rows, g->n, sizeof(*g->rows), row_order);
}

void growth_fini(struct growth *g)
{
	free(g->rows);
	*g = (struct growth){ 0 };
}

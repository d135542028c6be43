/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * finding_nested.c - work of a team's threads in regions of their own.
 *
 * A nested region of one thread, as with nesting off, is executed by a thread of the team around
 * it. It has a row of its own, but its work is that of the team.
 */
#include "config.h"

#include <stdlib.h>

#include "src/base/map.h"
#include "src/base/pinned.h"
#include "src/tables/finding_evidence.h"
#include "src/view/view.h"

#include "src/base/alloc.h"

/* The region in whose team the threads of each region are. Parents have lower numbers. */
static uint32_t *hosts_of(const struct view *v)
{
	uint32_t *host = alloc_zeroed(v->nregions + 1, sizeof(*host));

	for (uint32_t i = 0; i < v->nregions; i++) {
		const struct view_region *r = &v->regions[i];

		host[i] = r->counts.team_most == 1 && r->parent >= REGION_SPECIALS ?
				  host[r->parent] :
				  i;
	}
	return host;
}

/* Each region's row. */
static uint32_t *rows_of(const struct finding_evidence *e)
{
	uint32_t *row = alloc_zeroed(e->view->nregions + 1, sizeof(*row));

	for (uint32_t i = 0; i < e->regions.n; i++)
		for (size_t c = 0; c < e->regions.all[i].ncontexts; c++)
			row[e->regions.all[i].contexts[c]] = i;
	return row;
}

struct adding {
	struct finding_evidence *e;
	struct map by_thread; /* (row, thread): index of e->nested */
	size_t room;
};

static void add(struct adding *a, uint32_t row, uint32_t thread, double ns)
{
	struct finding_evidence *e = a->e;
	struct finding_share *room =
		pinned_grow(e->nested, e->nnested, &a->room, sizeof(*e->nested));
	uint32_t at;
	int added;

	e->nested = room;
	added = map_add(&a->by_thread, row, thread, (uint32_t)e->nnested, &at);
	if (added)
		room[e->nnested++] = (struct finding_share){ .unit = row, .thread = thread };
	room[at].work += ns;
}

static int by_row_and_thread(const void *a, const void *b)
{
	const struct finding_share *x = a, *y = b;

	if (x->unit != y->unit)
		return x->unit < y->unit ? -1 : 1;
	return (x->thread > y->thread) - (x->thread < y->thread);
}

/* Sets of each row the work in regions of other rows inside of its regions: a region that enters
   itself has one row. */
static void fill_inside(struct finding_evidence *e, const uint32_t *row)
{
	const struct view *v = e->view;
	uint32_t *added = alloc_zeroed(e->regions.n + 1, sizeof(*added)); /* the region, last */

	for (uint32_t i = REGION_SPECIALS; i < v->nregions; i++) {
		const double work = e->losses->region[i].work;
		uint32_t outer = work > 0 ? v->regions[i].parent : REGION_SERIAL;

		added[row[i]] = i;
		for (; outer >= REGION_SPECIALS; outer = v->regions[outer].parent) {
			if (added[row[outer]] != i)
				e->rows[row[outer]].inside += work;
			added[row[outer]] = i;
		}
	}
	free(added);
}

void finding_nested_build(struct finding_evidence *e)
{
	uint32_t *host = hosts_of(e->view), *row = rows_of(e);
	struct adding a = { .e = e };
	size_t n;
	const struct view_record *parts = view_parts(e->view, &n);

	for (size_t i = 0; i < n; i++) {
		const struct view_record *r = &parts[i];
		enum loss loss;

		/* In a recursion they are one row. */
		if (r->event != e->losses->event || row[host[r->region]] == row[r->region])
			continue;
		const double ns = losses_of_record(e->losses, e->view, r, &loss);

		if (loss == LOSSES)
			add(&a, row[host[r->region]], r->thread, ns);
	}
	fill_inside(e, row);
	free(host);
	free(row);
	map_free(&a.by_thread);
	if (e->nnested)
		qsort(e->nested, e->nnested, sizeof(*e->nested), by_row_and_thread);
}

const struct finding_share *finding_nested_of(const struct finding_evidence *e, uint32_t row,
					      size_t *n)
{
	size_t first = 0, end = e->nnested;

	while (first < end) {
		const size_t middle = first + (end - first) / 2;

		if (e->nested[middle].unit < row)
			first = middle + 1;
		else
			end = middle;
	}
	while (end < e->nnested && e->nested[end].unit == row)
		end++;
	*n = end - first;
	return e->nested + first;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* thread_spread.c - groups rows by key with a counting sort. */
#include "config.h"

#include "src/tables/thread_spread.h"

#include <stdlib.h>

#include "src/base/alloc.h"
#include "src/base/map.h"

static int spread_order(const void *a, const void *b)
{
	const struct spread_thread *x = a, *y = b;

	return x->thread < y->thread ? -1 : x->thread > y->thread;
}

void spread_build(struct spread *s, const struct table *threads, const struct map *rows,
		  size_t nrows)
{
	size_t *first = alloc_zeroed(nrows + 2, sizeof(*first));

	*s = (struct spread){ .all = alloc_zeroed(threads->n + 1, sizeof(*s->all)),
			      .first = first };
	/* While filling, first[i + 1] is where row i's next thread goes; at the end it is the
	   end of row i. */
	for (size_t i = 0; i < threads->n; i++)
		first[map_get(rows, threads->rows[i].key, 0, 0) + 2]++;
	for (size_t i = 2; i < nrows + 2; i++)
		first[i] += first[i - 1];
	for (size_t i = 0; i < threads->n; i++) {
		const struct table_row *t = &threads->rows[i];
		size_t *next = &first[map_get(rows, t->key, 0, 0) + 1];

		s->all[(*next)++] = (struct spread_thread){
			.thread = (uint32_t)t->key2,
			.self = t->self,
		};
	}
	for (size_t i = 0; i < nrows; i++)
		if (first[i + 1] > first[i])
			qsort(&s->all[first[i]], first[i + 1] - first[i], sizeof(*s->all),
			      spread_order);
}

void spread_fini(struct spread *s)
{
	free(s->all);
	free(s->first);
	*s = (struct spread){ 0 };
}

struct spread_work spread_work(const struct spread_thread *threads, size_t n, size_t took_part,
			       size_t event)
{
	struct spread_work w = {
		.least = took_part > n || !n ? 0 : UINT64_MAX,
		.nthreads = took_part > n ? took_part : n,
	};

	for (size_t i = 0; i < n; i++) {
		const struct cost *self = cost_at(threads[i].self, event, OMP_WORK);
		const uint64_t work = self->weight;

		if (work > w.most)
			w.samples = self->samples;
		w.mean += (double)work / (double)w.nthreads;
		w.least = work < w.least ? work : w.least;
		w.most = work > w.most ? work : w.most;
	}
	return w;
}

double spread_imbalance(const struct spread_thread *threads, size_t n, size_t took_part,
			size_t event, uint32_t *slowest)
{
	const struct spread_work w = spread_work(threads, n, took_part, event);

	*slowest = UINT32_MAX;
	for (size_t i = 0; i < n && w.most && *slowest == UINT32_MAX; i++)
		if (cost_at(threads[i].self, event, OMP_WORK)->weight == w.most)
			*slowest = threads[i].thread;
	return w.mean > 0 ? (double)w.most / w.mean : 0;
}

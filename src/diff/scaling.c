/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/diff/scaling.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/diff/noise.h"
#include "src/diff/runs.h"
#include "src/diff/side.h"

/* Several processes have each as many: only the ratio counts. */
bool scaling_comparable(const struct scaling *s, size_t i)
{
	const uint64_t first = side_threads(&s->sides[0]), had = side_threads(&s->sides[i]);

	return !first || !had || had * s->threads[0] == first * s->threads[i];
}

bool scaling_is_beyond(const struct scaling *s, size_t i)
{
	return s->how.cpus && s->threads[i] > s->how.cpus;
}

/* How many times as large the problem is. */
static double grown_by(const struct scaling *s, size_t from, size_t to)
{
	return s->how.weak ? (double)s->threads[to] / s->threads[from] : 1;
}

double scaling_speedup(const struct scaling *s, const struct scaling_row *row, size_t i)
{
	if (row->mean_ns[0] <= 0 || row->mean_ns[i] <= 0 || !scaling_comparable(s, i))
		return 0;
	return grown_by(s, 0, i) * row->mean_ns[0] / row->mean_ns[i];
}

double scaling_efficiency(const struct scaling *s, const struct scaling_row *row, size_t i)
{
	return scaling_speedup(s, row, i) * s->threads[0] / s->threads[i];
}

/* A mean is known if the time is known in each run. */
static void row_mean(struct scaling_row *row, const struct side *s, size_t item, size_t i)
{
	double *values = alloc_zeroed(2 * s->nruns + 1, sizeof(*values));
	bool known = s->nruns > 0;

	for (size_t run = 0; run < s->nruns; run++) {
		const uint64_t ns = row->item ? side_elapsed(s, item, run) :
						s->runs[run].elapsed_ns;

		values[run] = (double)ns;
		known = known && ns;
	}
	if (known) {
		const struct noise_mean m = noise_mean(values, values + s->nruns, s->nruns);

		row->mean_ns[i] = m.mean;
		row->deviation_ns[i] = m.deviation;
	}
	free(values);
}

static void row_init(const struct scaling *s, struct scaling_row *row)
{
	row->mean_ns = alloc_zeroed(s->n + 1, sizeof(double));
	row->deviation_ns = alloc_zeroed(s->n + 1, sizeof(double));
}

static void row_fini(struct scaling_row *row)
{
	free(row->mean_ns);
	free(row->deviation_ns);
}

static void row_stops(const struct scaling *s, struct scaling_row *row)
{
	for (size_t i = 1; i < s->n && !row->stops; i++) {
		const double before = row->mean_ns[i - 1], after = row->mean_ns[i];
		const double ideal = (double)s->threads[i] / s->threads[i - 1];

		if (!scaling_comparable(s, i) || !scaling_comparable(s, i - 1))
			continue;
		if (before > 0 && after > 0 &&
		    grown_by(s, i - 1, i) * before / after - 1 < SCALING_GAIN * (ideal - 1))
			row->stops = i;
	}
}

struct scaling_amdahl scaling_amdahl(const struct scaling *s, const struct scaling_row *row)
{
	/* T(n) = serial + shared / n, divided by T(n): sums of the normal equations. */
	double xx = 0, xy = 0, yy = 0, x1 = 0, y1 = 0;
	struct scaling_amdahl a = { .limit = INFINITY };
	size_t n = 0;

	for (size_t i = 0; i < s->n && !s->how.weak; i++) {
		const double x = 1 / row->mean_ns[i], y = x / s->threads[i];

		if (!(row->mean_ns[i] > 0) || scaling_is_beyond(s, i) || !scaling_comparable(s, i))
			continue;
		xx += x * x, xy += x * y, yy += y * y, x1 += x, y1 += y;
		n++;
	}
	if (n < 2 || !(row->mean_ns[0] > 0))
		return a;
	const double determinant = xx * yy - xy * xy;
	const double serial = fmax(0, (x1 * yy - y1 * xy) / determinant);
	const double shared = serial > 0 ? (y1 * xx - x1 * xy) / determinant : y1 / yy;

	/* More threads that are slower are another law's. */
	a.known = determinant > 0 && shared > 0;
	a.serial = fmin(1, serial / (serial + shared));
	if (serial > 0)
		a.limit = fmax(1, row->mean_ns[0] / serial);
	return a;
}

/* ---- regions --------------------------------------------------------- */

/* The row of a region, which may be new. */
static struct scaling_row *row_of(struct scaling *s, const struct side_item *item, size_t *room)
{
	for (size_t i = 0; i < s->nregions; i++)
		if (side_same(s->regions[i].item, item))
			return &s->regions[i];
	s->regions = grow(s->regions, s->nregions, room, sizeof(*s->regions));
	s->regions[s->nregions] = (struct scaling_row){ .item = item };
	row_init(s, &s->regions[s->nregions++]);
	return &s->regions[s->nregions - 1];
}

static bool any_time(const struct side *s, size_t item)
{
	for (size_t run = 0; run < s->nruns; run++)
		if (side_elapsed(s, item, run))
			return true;
	return false;
}

/* The costliest with the most threads come first; equal ones by their names. */
static int scaling_compare_rows(const void *a, const void *b, void *last)
{
	const struct scaling_row *x = a, *y = b;
	const double p = x->mean_ns[*(size_t *)last], q = y->mean_ns[*(size_t *)last];

	return p > q ? -1 : p < q ? 1 : strcmp(x->item->name, y->item->name);
}

static void scaling_grown(struct scaling *s)
{
	const size_t last = s->n - 1;

	if (s->how.weak)
		s->growth_unknown = "the problem grows with them";
	else if (!last)
		s->growth_unknown = "there is one number of threads";
	else if (!scaling_comparable(s, last))
		s->growth_unknown = "the program sets its number of threads itself";
	else if (!s->event->time)
		s->growth_unknown = "the event does not measure time: use -e cpu-clock";
	if (!s->growth_unknown)
		growth_build(&s->growth, &s->sides[0], &s->sides[last]);
}

void scaling_build(struct scaling *s, const uint32_t *threads, const struct side *sides, size_t n,
		   const struct runs_event *event, const struct scaling_how *how)
{
	size_t room = 0, last = n - 1;

	*s = (struct scaling){
		.how = *how, .threads = threads, .sides = sides, .n = n, .event = event
	};
	row_init(s, &s->total);
	for (size_t i = 0; i < n; i++) {
		row_mean(&s->total, &sides[i], 0, i);

		const struct side *side = &s->sides[i];

		for (size_t k = 0; k < side->nitems; k++) {
			struct scaling_row *row;

			if (side->items[k].by != DIFF_REGION || !any_time(side, k))
				continue;
			row = row_of(s, &side->items[k], &room);
			row_mean(row, side, k, i);
		}
	}
	row_stops(s, &s->total);
	for (size_t i = 0; i < s->nregions; i++)
		row_stops(s, &s->regions[i]);
	if (s->nregions)
		qsort_r(s->regions, s->nregions, sizeof(*s->regions), scaling_compare_rows, &last);
	scaling_grown(s);
}

void scaling_fini(struct scaling *s)
{
	row_fini(&s->total);
	for (size_t i = 0; i < s->nregions; i++)
		row_fini(&s->regions[i]);
	free(s->regions);
	growth_fini(&s->growth);
	*s = (struct scaling){ 0 };
}

/* ---- growth ------------------------------------------------------------ */

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

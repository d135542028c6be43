/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/diff/history.h"

#include <math.h>
#include <stdlib.h>

#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/base/map.h"
#include "src/diff/diff.h"
#include "src/diff/lasting.h"
#include "src/diff/noise.h"
#include "src/diff/points.h"
#include "src/diff/side.h"

/* Fewer points before the newest one show less than their runs how much runs differ. */
enum { POINTS_LEAST = 3 };

enum { NEEDED_MOST = 32 };

static const double REGION_LEAST = 0.005; /* of the run, in some point: what has a series */

/* ---- series ------------------------------------------------------------ */

struct history_building {
	struct history *history;
	size_t room;
	double *values; /* of a point's runs, and as many zeros */
};

static struct history_series *series_new(struct history_building *b, enum history_measure measure)
{
	struct history *h = b->history;
	struct history_series *s;

	h->series = grow(h->series, h->nseries, &b->room, sizeof(*h->series));
	s = &h->series[h->nseries++];
	s->measure = measure;
	s->mean = alloc_zeroed(h->n + 1, sizeof(*s->mean));
	s->deviation = alloc_zeroed(h->n + 1, sizeof(*s->deviation));
	for (size_t i = 0; i < h->n; i++)
		s->mean[i] = s->deviation[i] = NAN;
	return s;
}

/* b->values has those of the point's runs. */
static void series_point(const struct history_building *b, struct history_series *s, size_t point)
{
	const size_t n = b->history->points[point].side.nruns;
	double *zeros = alloc_zeroed(n + 1, sizeof(*zeros));
	const struct noise_mean m = noise_mean(b->values, zeros, n);

	s->mean[point] = m.mean;
	s->deviation[point] = m.deviation;
	s->known += !isnan(m.mean);
	free(zeros);
}

static double whole_of(const struct side *s, size_t run, bool elapsed)
{
	return elapsed ? (double)s->runs[run].elapsed_ns : side_total(s, 0, run);
}

static void add_whole(struct history_building *b)
{
	const struct history *h = b->history;
	bool elapsed = true;

	for (size_t i = 0; i < h->n; i++)
		for (size_t run = 0; run < h->points[i].side.nruns; run++)
			elapsed = elapsed && h->points[i].side.runs[run].elapsed_ns;
	struct history_series *s = series_new(b, elapsed ? HISTORY_ELAPSED : HISTORY_TOTAL);

	s->time = elapsed;
	for (size_t i = 0; i < h->n; i++) {
		const struct side *side = &h->points[i].side;

		for (size_t run = 0; run < side->nruns; run++)
			b->values[run] = whole_of(side, run, elapsed);
		series_point(b, s, i);
	}
}

static void add_shares(struct history_building *b, enum history_measure measure, enum loss loss)
{
	struct history *h = b->history;
	struct history_series *s = series_new(b, measure);
	double most = 0;

	s->loss = loss;
	s->share = true;
	for (size_t i = 0; i < h->n; i++) {
		const struct side *side = &h->points[i].side;

		for (size_t run = 0; run < side->nruns; run++)
			b->values[run] = measure == HISTORY_LOST ? side->runs[run].lost[loss] :
								   side->runs[run].efficiency;
		series_point(b, s, i);
		most = fmax(most, s->mean[i]);
	}
	if (s->known && most >= HISTORY_LEAST)
		return;
	free(s->mean);
	free(s->deviation);
	*s = (struct history_series){ 0 };
	h->nseries--;
}

/* ---- regions ----------------------------------------------------------- */

/* One region from point to point: lines move, so each pair of points is matched. */
struct track {
	const struct side_item **items; /* by point; NULL: it is not there */
	const struct side_item *last;
	double sum, share; /* mean costs of all points; the largest share of a point */
};

struct tracks {
	struct track *all;
	size_t n, room;
	struct map of; /* items of the point before: index of their track */
};

static struct track *track_new(struct tracks *t, size_t points)
{
	t->all = grow(t->all, t->n, &t->room, sizeof(*t->all));
	t->all[t->n].items = alloc_zeroed(points + 1, sizeof(*t->all->items));
	return &t->all[t->n++];
}

/* The track of an item that the point before has not: one that ended, or a new one. */
static struct track *track_again(struct tracks *t, const struct side_item *item, size_t points)
{
	for (size_t i = 0; i < t->n; i++)
		if (side_same(t->all[i].last, item))
			return &t->all[i];
	return track_new(t, points);
}

static void track_add(struct tracks *t, struct track *track, const struct history *h, size_t point,
		      const struct side_item *item, struct map *of)
{
	const struct side *s = &h->points[point].side;
	const double mean = side_mean(s, (size_t)(item - s->items)), all = side_mean(s, 0);
	uint32_t number;

	map_add(of, (uintptr_t)item, 0, (uint32_t)(track - t->all), &number);
	track->items[point] = track->last = item;
	track->sum += mean;
	if (all > 0)
		track->share = fmax(track->share, mean / all);
}

static void tracks_follow(struct tracks *t, const struct history *h, size_t point)
{
	struct map of = { 0 };
	struct diff diff;
	const struct diff_table *rows = &diff.by[DIFF_REGION];

	diff_build(&diff, &h->points[point - 1].side, &h->points[point].side, DIFF_STRONG);
	for (size_t i = 0; i < rows->n; i++) {
		const struct side_item *before = rows->rows[i].side[BEFORE].item;
		const struct side_item *after = rows->rows[i].side[AFTER].item;

		if (before && after)
			track_add(t, &t->all[map_get(&t->of, (uintptr_t)before, 0, 0)], h, point,
				  after, &of);
	}
	for (size_t i = 0; i < rows->n; i++) {
		const struct side_item *after = rows->rows[i].side[AFTER].item;

		if (after && !rows->rows[i].side[BEFORE].item)
			track_add(t, track_again(t, after, h->n), h, point, after, &of);
	}
	diff_fini(&diff);
	map_free(&t->of);
	t->of = of;
}

static int by_sum(const void *a, const void *b)
{
	const struct track *x = a, *y = b;

	return (x->sum < y->sum) - (x->sum > y->sum);
}

/* Whether the time from fork to join is known wherever the region is. */
static bool track_is_timed(const struct track *t, const struct history *h)
{
	for (size_t i = 0; i < h->n; i++) {
		const struct side *s = &h->points[i].side;

		for (size_t run = 0; run < s->nruns && t->items[i]; run++)
			if (!side_elapsed(s, (size_t)(t->items[i] - s->items), run))
				return false;
	}
	return true;
}

static void add_region(struct history_building *b, const struct track *t)
{
	const struct history *h = b->history;
	struct history_series *s = series_new(b, HISTORY_REGION);

	s->item = t->last;
	s->time = track_is_timed(t, h);
	for (size_t i = 0; i < h->n; i++) {
		const struct side *side = &h->points[i].side;
		const size_t item = t->items[i] ? (size_t)(t->items[i] - side->items) : 0;

		for (size_t run = 0; run < side->nruns; run++)
			b->values[run] = s->time ? (double)side_elapsed(side, item, run) :
						   side_total(side, item, run);
		if (t->items[i])
			series_point(b, s, i);
	}
}

static void history_add_regions(struct history_building *b)
{
	struct history *h = b->history;
	struct tracks t = { 0 };
	size_t shown = 0;
	const struct side *s = &h->points[0].side;

	for (size_t i = 0; i < s->nitems; i++)
		if (s->items[i].by == DIFF_REGION)
			track_add(&t, track_new(&t, h->n), h, 0, &s->items[i], &t.of);
	for (size_t i = 1; i < h->n; i++)
		tracks_follow(&t, h, i);
	if (t.n)
		qsort(t.all, t.n, sizeof(*t.all), by_sum);
	for (size_t i = 0; i < t.n; i++) {
		const bool shows = shown < HISTORY_REGIONS && t.all[i].share >= REGION_LEAST;

		if (shows)
			add_region(b, &t.all[i]);
		shown += shows;
		free(t.all[i].items);
	}
	h->nregions_left = t.n - shown;
	map_free(&t.of);
	free(t.all);
}

/* ---- changes ----------------------------------------------------------- */

double history_percent(const struct history_series *s, double before, double after)
{
	return 100 * (s->share ? after - before : (after - before) / before);
}

static bool is_worse(const struct history_series *s, double before, double after)
{
	return s->measure == HISTORY_EFFICIENCY ? after < before : after > before;
}

/* Levels between places, of which those that change too little are removed. */
static void series_changes(struct history_series *s, const double *values, const size_t *points,
			   size_t *at, size_t n)
{
	s->changes = alloc_zeroed(n + 1, sizeof(*s->changes));
	at[n] = s->known;
	for (size_t i = 0; i < n;) {
		const size_t from = i ? at[i - 1] : 0;
		const double before = lasting_median(values + from, at[i] - from);
		const double after = lasting_median(values + at[i], at[i + 1] - at[i]);

		s->changes[i] = (struct history_change){
			.at = points[at[i]],
			.before = before,
			.after = after,
			.worse = is_worse(s, before, after),
		};
		if (fabs(history_percent(s, before, after)) >= 100 * HISTORY_LEAST) {
			i++;
			continue;
		}
		for (size_t k = i; k < n; k++)
			at[k] = at[k + 1];
		n--;
		/* The level before is longer now. */
		i -= i > 0;
	}
	s->nchanges = n;
}

static void series_find(struct history_series *s, size_t n, struct lasting *lasting, double chance)
{
	double *values = alloc_zeroed(n + 1, sizeof(*values));
	size_t *points = alloc_zeroed(n + 1, sizeof(*points));
	size_t *at = alloc_zeroed(n + 1, sizeof(*at)), known = 0;

	for (size_t i = 0; i < n; i++) {
		if (isnan(s->mean[i]))
			continue;
		values[known] = s->mean[i];
		points[known++] = i;
	}
	series_changes(s, values, points, at, lasting_find(lasting, values, known, chance, at));
	free(values);
	free(points);
	free(at);
}

static bool is_whole(const struct history_series *s)
{
	return s->measure < HISTORY_LOST;
}

/* ---- the newest point -------------------------------------------------- */

/* Of points, or of the runs of points where these are few. */
static struct noise_mean mean_of(const struct history *h, size_t from, size_t to, bool runs,
				 size_t *n)
{
	const struct history_series *s = &h->series[0];
	size_t room = 0;

	for (size_t i = from; i < to; i++)
		room += h->points[i].side.nruns;
	double *values = alloc_zeroed(2 * room + 1, sizeof(*values));

	*n = 0;
	for (size_t i = from; i < to; i++) {
		const struct side *side = &h->points[i].side;

		for (size_t run = 0; run < side->nruns && runs; run++)
			values[(*n)++] = whole_of(side, run, s->time);
		if (!runs)
			values[(*n)++] = s->mean[i];
	}
	const struct noise_mean m = noise_mean(values, values + room, *n);

	free(values);
	return m;
}

/* A new level that has only the newest point is none to compare that with. */
static size_t level_begin(const struct history_series *s, size_t newest)
{
	for (size_t i = s->nchanges; i-- > 0;)
		if (s->changes[i].at < newest)
			return s->changes[i].at;
	return 0;
}

static void judge_latest(struct history *h)
{
	const size_t newest = h->n - 1, from = level_begin(&h->series[0], newest);
	const bool runs = newest - from < POINTS_LEAST;
	const uint32_t threads = side_threads(&h->points[newest].side);
	struct history_latest *l = &h->latest;
	size_t nbefore, nafter;

	*l = (struct history_latest){ .after = h->series[0].mean[newest],
				      .before = NAN,
				      .noise = NAN };
	if (!newest) {
		l->unknown = "it is the only point";
		return;
	}
	l->points = newest - from;
	struct noise_mean before = mean_of(h, from, newest, runs, &nbefore);
	struct noise_mean after = mean_of(h, newest, h->n, runs, &nafter);

	l->before = before.mean;
	for (size_t i = from; i < newest; i++)
		if (side_threads(&h->points[i].side) != threads)
			l->unknown = "the numbers of threads differ";
	noise_share(&before, nbefore, &after, nafter);
	if (nbefore > 1 || nafter > 1)
		l->noise = noise_bound(&before, &after);
}

bool history_within_noise(const struct history *h)
{
	return fabs(h->latest.after - h->latest.before) <= h->latest.noise;
}

bool history_is_above(const struct history *h, double percent)
{
	const struct history_latest *l = &h->latest;

	return !l->unknown && !history_within_noise(h) &&
	       history_percent(&h->series[0], l->before, l->after) > percent;
}

/* ---- the whole --------------------------------------------------------- */

static void find_differing(struct history *h)
{
	h->differs = alloc_zeroed(h->n, sizeof(*h->differs));
	for (size_t i = 1; i < h->n; i++) {
		const struct side *a = &h->points[i - 1].side, *b = &h->points[i].side;

		if (side_arguments(a) != side_arguments(b))
			h->differs[i] |= HISTORY_ARGUMENTS;
		if (side_host(a) != side_host(b))
			h->differs[i] |= HISTORY_HOST;
		if (side_threads(a) != side_threads(b))
			h->differs[i] |= HISTORY_THREADS;
	}
}

void history_build(struct history *h, const struct point *points, size_t n)
{
	size_t most = 0;

	for (size_t i = 0; i < n; i++)
		if (points[i].side.nruns > most)
			most = points[i].side.nruns;
	struct history_building b = {
		.history = h,
		.values = alloc_zeroed(most + 1, sizeof(double)),
	};

	*h = (struct history){ .points = points, .n = n };
	add_whole(&b);
	add_shares(&b, HISTORY_EFFICIENCY, 0);
	for (unsigned i = 0; i < LOSSES; i++)
		add_shares(&b, HISTORY_LOST, (enum loss)i);
	history_add_regions(&b);
	free(b.values);
	find_differing(h);

	struct lasting lasting = { 0 };
	size_t whole = 0;

	for (size_t i = 0; i < h->nseries; i++)
		whole += is_whole(&h->series[i]);
	for (size_t i = 0; i < h->nseries; i++) {
		struct history_series *s = &h->series[i];
		const size_t shared = is_whole(s) ? whole : h->nseries - whole;

		series_find(s, h->n, &lasting, HISTORY_CHANCE / 2 / (double)shared);
	}
	h->needed = lasting_needed(&lasting, HISTORY_CHANCE / 2 / (double)whole, NEEDED_MOST);
	lasting_fini(&lasting);
	judge_latest(h);
}

void history_fini(struct history *h)
{
	for (size_t i = 0; i < h->nseries; i++) {
		free(h->series[i].mean);
		free(h->series[i].deviation);
		free(h->series[i].changes);
	}
	free(h->series);
	free(h->differs);
	*h = (struct history){ 0 };
}

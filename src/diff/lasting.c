/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lasting.c - changes of level, by permutation.
 *
 * Values become the scores that their ranks have in a normal distribution: so outliers weigh little
 * more than others, and a few values together on another level weigh enough.  Two statistics are
 * computed from them: the largest standardized difference between what is before and after a place
 * (a step), and between what is inside of an interval and outside (a level that was there for a
 * while, which a step does not show).  Random orders of the scores show how large these are by
 * chance.  A sequence that has one is divided there, and its parts are searched.
 */
#include "config.h"

#include "src/diff/lasting.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/grow.h"

enum {
	ORDERS = 30000, /* random ones */
	EXACT = 32,	/* lengths up to this have orders of their own; others those of a length
			   that is larger by up to a fourth, whose chance is a little larger */
};

struct lasting_null {
	size_t length;
	float *steps, *intervals; /* of each order, ascending */
};

/* ---- scores ------------------------------------------------------------ */

struct lasting_ranked {
	double value;
	size_t at;
};

static int by_value(const void *a, const void *b)
{
	const struct lasting_ranked *x = a, *y = b;

	return (x->value > y->value) - (x->value < y->value);
}

/* Scores with a mean of 0 and a sum of squares of 1; equal values have the same.  False: all are
   equal. */
static bool scores_of(const double *values, size_t n, double *scores)
{
	struct lasting_ranked *ranked = alloc_zeroed(n + 1, sizeof(*ranked));
	double squares = 0;

	for (size_t i = 0; i < n; i++)
		ranked[i] = (struct lasting_ranked){ values[i], i };
	qsort(ranked, n, sizeof(*ranked), by_value);
	for (size_t from = 0, to; from < n; from = to) {
		for (to = from; to < n && !by_value(&ranked[from], &ranked[to]); to++)
			;

		const double chance = ((double)(from + to) / 2) / (double)n;
		/* The value that a standard normal number is below of with that chance. */
		double least = -10, most = 10;

		for (int i = 0; i < 50; i++) {
			const double middle = (least + most) / 2;

			if (erfc(-middle / sqrt(2)) / 2 < chance)
				least = middle;
			else
				most = middle;
		}
		const double score = (least + most) / 2;

		for (size_t i = from; i < to; i++)
			scores[ranked[i].at] = score;
	}
	free(ranked);
	double mean = 0;

	for (size_t i = 0; i < n; i++)
		mean += scores[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		squares += (scores[i] - mean) * (scores[i] - mean);
	for (size_t i = 0; i < n; i++)
		scores[i] = (scores[i] - mean) / sqrt(squares);
	return squares > 1e-9;
}

/* ---- statistics -------------------------------------------------------- */

/* sums[i]: of the first i scores; weights[i]: what makes the sum of i scores a standardized
   number. */
struct lasting_scan {
	size_t n;
	double *sums, *weights;
};

static void scan_init(struct lasting_scan *s, size_t n)
{
	s->n = n;
	s->sums = alloc_zeroed(n + 1, sizeof(*s->sums));
	s->weights = alloc_zeroed(n + 1, sizeof(*s->weights));
	for (size_t i = 1; i < n; i++)
		s->weights[i] = sqrt((double)n * (double)(n - 1) / ((double)i * (double)(n - i)));
}

static void scan_fini(struct lasting_scan *s)
{
	free(s->sums);
	free(s->weights);
}

static void scan_sum(struct lasting_scan *s, const double *scores)
{
	for (size_t i = 0; i < s->n; i++)
		s->sums[i + 1] = s->sums[i] + scores[i];
}

static double scan_step(const struct lasting_scan *s, size_t *at)
{
	double most = 0;

	for (size_t i = 1; i < s->n; i++) {
		const double size = fabs(s->sums[i]) * s->weights[i];

		if (size > most) {
			most = size;
			*at = i;
		}
	}
	return most;
}

/* Of one length. */
static double scan_length(const struct lasting_scan *s, size_t length, size_t *at)
{
	double most = 0;

	for (size_t i = 0; i + length <= s->n; i++) {
		const double size = fabs(s->sums[i + length] - s->sums[i]);

		if (size > most) {
			most = size;
			*at = i;
		}
	}
	return most * s->weights[length];
}

/* Of some lengths, each a seventh above the one before; or of all. */
static double scan_interval(const struct lasting_scan *s, bool all, size_t *from, size_t *to)
{
	double most = 0;

	for (size_t length = 2; length + 1 < s->n; length += all || length < 7 ? 1 : length / 7) {
		size_t at = 0;
		const double size = scan_length(s, length, &at);

		if (size > most) {
			most = size;
			*from = at;
			*to = at + length;
		}
	}
	return most;
}

/* ---- chance ------------------------------------------------------------ */

/* The same numbers each time: a report of the same profiles is the same. */
static uint64_t random_next(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *state >> 32;
}

static int by_size(const void *a, const void *b)
{
	const float x = *(const float *)a, y = *(const float *)b;

	return (x > y) - (x < y);
}

static size_t null_length(size_t n)
{
	size_t length = EXACT;

	if (n <= EXACT)
		return n;
	while (length < n)
		length += length / 4;
	return length;
}

static const struct lasting_null *null_of(struct lasting *l, size_t n)
{
	const size_t length = null_length(n);
	struct lasting_scan scan;
	size_t from, to;

	for (size_t i = 0; i < l->n; i++)
		if (l->all[i].length == length)
			return &l->all[i];
	l->all = grow(l->all, l->n, &l->room, sizeof(*l->all));

	struct lasting_null *null = &l->all[l->n];
	double *scores = alloc_zeroed(length + 1, sizeof(*scores));
	uint64_t state = length;

	*null = (struct lasting_null){
		.length = length,
		.steps = alloc_zeroed(ORDERS, sizeof(float)),
		.intervals = alloc_zeroed(ORDERS, sizeof(float)),
	};
	for (size_t i = 0; i < length; i++)
		scores[i] = (double)i;
	scan_init(&scan, length);
	scores_of(scores, length, scores);
	for (size_t i = 0; i < ORDERS; i++) {
		for (size_t j = length; j > 1; j--) {
			const size_t k = (size_t)(random_next(&state) * j >> 32);
			const double one = scores[j - 1];

			scores[j - 1] = scores[k];
			scores[k] = one;
		}
		scan_sum(&scan, scores);
		null->steps[i] = (float)scan_step(&scan, &from);
		null->intervals[i] = (float)scan_interval(&scan, false, &from, &to);
	}
	qsort(null->steps, ORDERS, sizeof(float), by_size);
	qsort(null->intervals, ORDERS, sizeof(float), by_size);
	scan_fini(&scan);
	free(scores);
	return &l->all[l->n++];
}

/* The share of orders, that which is judged among them, with as large a number.  A float's
   rounding decides nothing. */
static double lasting_share_of(const float *sizes, double size)
{
	size_t least = 0, most = ORDERS;

	while (least < most) {
		const size_t middle = (least + most) / 2;

		if ((double)sizes[middle] < size - 1e-5)
			least = middle + 1;
		else
			most = middle;
	}
	return (double)(ORDERS - least + 1) / (ORDERS + 1);
}

/* ---- where one ends ---------------------------------------------------- */

double lasting_median(const double *values, size_t n)
{
	struct lasting_ranked *ranked = alloc_zeroed(n, sizeof(*ranked));

	for (size_t i = 0; i < n; i++)
		ranked[i].value = values[i];
	qsort(ranked, n, sizeof(*ranked), by_value);
	const double median = (ranked[(n - 1) / 2].value + ranked[n / 2].value) / 2;

	free(ranked);
	return median;
}

/* Ranks show that there are two levels; where one ends, values show more exactly: each is nearer to
   its own.  Between from and to are a level, and from *at on another. */
static void place_exactly(const double *values, size_t from, size_t *at, size_t to)
{
	const double first = lasting_median(values + from, *at - from);
	const double second = lasting_median(values + *at, to - *at);
	double sum = 0, least = INFINITY;

	for (size_t i = from + 1; i < to; i++) {
		sum += fabs(values[i - 1] - first) - fabs(values[i - 1] - second);
		if (sum < least) {
			least = sum;
			*at = i;
		}
	}
}

/* ---- finding ----------------------------------------------------------- */

struct lasting_search {
	struct lasting *lasting;
	const double *values;
	double chance;
	size_t *at, n;
};

static void search_part(struct lasting_search *s, size_t from, size_t to);

static void search_found(struct lasting_search *s, size_t from, size_t at)
{
	if (at > from)
		s->at[s->n++] = at;
}

/* Divides what is from `from` to `to` at what was found within, in order. */
static void search_divided(struct lasting_search *s, size_t from, size_t first, size_t second,
			   size_t to)
{
	search_part(s, from, first);
	search_found(s, from, first);
	if (second < to) {
		search_part(s, first, second);
		search_found(s, first, second);
		search_part(s, second, to);
	} else {
		search_part(s, first, to);
	}
}

static void search_part(struct lasting_search *s, size_t from, size_t to)
{
	const size_t n = to - from;
	size_t first = 0, second = n;
	struct lasting_scan scan;

	if (n < LASTING_LEAST)
		return;
	double *scores = alloc_zeroed(n, sizeof(*scores));
	bool found = false;

	scan_init(&scan, n);
	if (scores_of(s->values + from, n, scores)) {
		const struct lasting_null *null = null_of(s->lasting, n);

		/* Each has half of the chance. */
		scan_sum(&scan, scores);
		found = lasting_share_of(null->steps, scan_step(&scan, &first)) <= s->chance / 2;
		if (!found) {
			found = lasting_share_of(null->intervals,
						 scan_interval(&scan, false, &first, &second)) <=
				s->chance / 2;
			if (found)
				scan_interval(&scan, true, &first, &second);
		}
	}
	scan_fini(&scan);
	free(scores);
	if (found)
		search_divided(s, from, from + first, from + second, to);
}

/* The chance of as large a difference between what is before and after `at`, of what is from `from`
   to `to`. */
static double chance_of(const struct lasting_search *s, size_t from, size_t at, size_t to)
{
	const size_t n = to - from;
	double *scores = alloc_zeroed(n, sizeof(*scores)), chance = 1;
	struct lasting_scan scan;

	scan_init(&scan, n);
	if (scores_of(s->values + from, n, scores)) {
		scan_sum(&scan, scores);
		chance = lasting_share_of(null_of(s->lasting, n)->steps,
					  fabs(scan.sums[at - from]) * scan.weights[at - from]);
	}
	scan_fini(&scan);
	free(scores);
	return chance;
}

/* A step that divided what later proved to be several levels may lie within one of them: removes
   the one that is most likely chance.  False: none is. */
static bool search_remove(struct lasting_search *s, size_t n)
{
	double most = s->chance;
	size_t which = s->n;

	for (size_t i = 0; i < s->n; i++) {
		const double chance = chance_of(s, i ? s->at[i - 1] : 0, s->at[i],
						i + 1 < s->n ? s->at[i + 1] : n);

		if (chance > most) {
			most = chance;
			which = i;
		}
	}
	if (which == s->n)
		return false;
	s->n--;
	memmove(&s->at[which], &s->at[which + 1], (s->n - which) * sizeof(*s->at));
	return true;
}

size_t lasting_find(struct lasting *l, const double *values, size_t n, double chance, size_t *at)
{
	struct lasting_search s = { .lasting = l, .values = values, .chance = chance, .at = at };

	search_part(&s, 0, n);
	while (search_remove(&s, n))
		;
	for (size_t i = 0; i < s.n; i++)
		place_exactly(values, i ? at[i - 1] : 0, &at[i], i + 1 < s.n ? at[i + 1] : n);
	return s.n;
}

void lasting_fini(struct lasting *l)
{
	for (size_t i = 0; i < l->n; i++) {
		free(l->all[i].steps);
		free(l->all[i].intervals);
	}
	free(l->all);
	*l = (struct lasting){ 0 };
}

/* Of so many values in two halves, all of one below all of the other. */
static bool can_be_found(struct lasting *l, size_t n, double chance)
{
	double *values = alloc_zeroed(n, sizeof(*values));
	size_t *at = alloc_zeroed(n, sizeof(*at));

	for (size_t i = 0; i < n; i++)
		values[i] = (double)(i < n / 2 ? i : n + i);
	const bool found = lasting_find(l, values, n, chance, at) > 0;

	free(values);
	free(at);
	return found;
}

size_t lasting_needed(struct lasting *l, double chance, size_t most)
{
	size_t n = LASTING_LEAST;

	while (n <= most && !can_be_found(l, n, chance))
		n++;
	return n;
}

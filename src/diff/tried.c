/* SPDX-License-Identifier: BSD-3-Clause */
/* tried.c - see tried.h. */
#include "config.h"

#include "src/diff/tried.h"

#include <math.h>
#include <stdlib.h>

static int tried_by_number(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static int tried_by_time(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The chance that exactly u of the n * m pairs are in the one order, where both have the same
   distribution. The largest of all n + m values is one of the n, and then in m of these pairs, or
   one of the m, and then in none. */
static void pair_chances(size_t n, size_t m, double (*chances)[GAIN_RUNS * GAIN_RUNS + 1])
{
	for (size_t j = 0; j <= m; j++)
		for (size_t u = 0; u <= n * m; u++)
			chances[j][u] = u ? 0 : 1;
	for (size_t i = 1; i <= n; i++) {
		for (size_t j = 1; j <= m; j++) {
			for (size_t u = i * j + 1; u-- > 0;) {
				const double fewer = u >= j ? chances[j][u - j] : 0;

				chances[j][u] =
					((double)i * fewer + (double)j * chances[j - 1][u]) /
					(double)(i + j);
			}
		}
	}
}

/* How many of the pairs at either end lie outside of the bounds; 0: no bounds have that chance. */
static size_t pairs_outside(size_t n, size_t m, double chance)
{
	static double chances[GAIN_RUNS + 1][GAIN_RUNS * GAIN_RUNS + 1];
	double sum = 0;
	size_t u = 0;

	pair_chances(n, m, chances);
	while (u < n * m && sum + chances[m][u] <= chance / 2)
		sum += chances[m][u++];
	return u;
}

bool gain_of(const uint64_t *before, size_t n, const uint64_t *after, size_t m, double chance,
	     struct gain *g)
{
	static double gains[GAIN_RUNS * GAIN_RUNS];
	const size_t all = n * m, outside = pairs_outside(n, m, chance);

	for (size_t i = 0; i < all; i++)
		gains[i] = 1 - (double)after[i % m] / (double)before[i / m];
	qsort(gains, all, sizeof(*gains), tried_by_number);
	*g = (struct gain){
		.gain = (gains[(all - 1) / 2] + gains[all / 2]) / 2,
		.least = outside ? gains[outside - 1] : -INFINITY,
		.most = outside ? gains[all - outside] : INFINITY,
	};
	return outside != 0;
}

size_t gain_runs(double chance)
{
	double both = 1; /* of n and n values, that all of the one precede all of the others */
	size_t n = 0;

	while (n < GAIN_RUNS && 2 * both > chance) {
		n++;
		both *= (double)n / (double)(4 * n - 2);
	}
	return n;
}

static double median(uint64_t *ns, size_t n)
{
	qsort(ns, n, sizeof(*ns), tried_by_time);
	return ((double)ns[(n - 1) / 2] + (double)ns[n / 2]) / 2;
}

/* So that all gains of n sides are within their bounds at once. */
static double chance_of_each(size_t n)
{
	return TRIED_CHANCE / (double)(n - 1);
}

size_t tried_fit(size_t n, size_t runs, size_t *rounds)
{
	if (n > TRIED_SIDES)
		n = TRIED_SIDES;
	while (n > 1 && n * gain_runs(chance_of_each(n)) > runs)
		n--;
	*rounds = runs / n < GAIN_RUNS ? runs / n : GAIN_RUNS;
	return n;
}

size_t tried_least(void)
{
	return 2 * gain_runs(chance_of_each(2));
}

void tried_judge(struct tried *t)
{
	const struct tried_side *base = &t->sides[0];

	for (size_t i = 0; i < t->n; i++) {
		struct tried_side *s = &t->sides[i];

		s->median_ns = s->nruns ? median(s->ns, s->nruns) : 0;
		if (i && s->nruns && base->nruns)
			s->known = gain_of(base->ns, base->nruns, s->ns, s->nruns,
					   chance_of_each(t->n), &s->gain);
	}
}

const struct tried_side *tried_best(const struct tried *t)
{
	const struct tried_side *best = NULL;

	for (size_t i = 1; i < t->n; i++) {
		const struct tried_side *s = &t->sides[i];

		if (s->known && !s->refused[0] && s->gain.least > 0 &&
		    s->gain.gain >= TRIED_WORTH && (!best || s->gain.gain > best->gain.gain))
			best = s;
	}
	return best;
}

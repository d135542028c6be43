/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * phases.c - see phases.h.
 *
 * Ward's clustering along the axis of time: of all pairs of neighbours the most similar one is
 * merged, until what is left differs.  The cost of a merger is n1 n2 / (n1 + n2) times the
 * squared distance of their shares, n in samples; by chance alone it is below 1 on average.
 */
#include "config.h"

#include "src/tables/phases.h"

#include <math.h>
#include <stdlib.h>

#include "src/base/alloc.h"
#include "src/tables/lanes.h"

#define COST_BY_CHANCE 12.0 /* far more than that */
#define COST_OF_ALL 0.003   /* of all samples: less is no phase of its own */
#define COST_OF_BUCKETS 2.0 /* buckets: so no single one is a phase, where there are many */
enum { BUCKETS_MANY = 64 };
#define KEY_NOTHING UINT64_MAX /* in place of a region and class: no samples */

/* Samples in one region and class. */
struct phases_part {
	uint64_t key;
	double n;
};

struct phases_stretch {
	uint32_t first, end;
	struct phases_part *parts; /* by key */
	size_t nparts;
	double n;
	double merging; /* the cost of merging it with the next one; INFINITY: there is none */
};

static double square(double x)
{
	return x * x;
}

static double merging_cost(const struct phases_stretch *a, const struct phases_stretch *b)
{
	double distance = 0;

	if (a->n <= 0 || b->n <= 0)
		return 0;
	for (size_t i = 0, k = 0; i < a->nparts || k < b->nparts;) {
		const uint64_t x = i < a->nparts ? a->parts[i].key : UINT64_MAX;
		const uint64_t y = k < b->nparts ? b->parts[k].key : UINT64_MAX;
		const double of_a = x <= y && i < a->nparts ? a->parts[i].n / a->n : 0;
		const double of_b = y <= x && k < b->nparts ? b->parts[k].n / b->n : 0;

		distance += square(of_a - of_b);
		i += x <= y && i < a->nparts;
		k += y <= x && k < b->nparts;
	}
	return a->n * b->n / (a->n + b->n) * distance;
}

/* Adds b's parts to a, and frees b. */
static void merge(struct phases_stretch *a, struct phases_stretch *b)
{
	struct phases_part *sum = alloc_zeroed(a->nparts + b->nparts + 1, sizeof(*sum));
	size_t n = 0, i = 0, k = 0;

	while (i < a->nparts || k < b->nparts) {
		const bool of_a = k == b->nparts ||
				  (i < a->nparts && a->parts[i].key <= b->parts[k].key);
		const struct phases_part p = of_a ? a->parts[i++] : b->parts[k++];

		if (n && sum[n - 1].key == p.key)
			sum[n - 1].n += p.n;
		else
			sum[n++] = p;
	}
	free(a->parts);
	free(b->parts);
	b->parts = NULL;
	a->parts = sum;
	a->nparts = n;
	a->n += b->n;
	a->end = b->end;
}

/* ---- from cells to one stretch for each bucket ------------------------- */

static int part_order(const void *a, const void *b)
{
	const struct phases_part *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

static void parts_settle(struct phases_stretch *s)
{
	size_t n = 0;

	if (s->nparts)
		qsort(s->parts, s->nparts, sizeof(*s->parts), part_order);
	for (size_t i = 0; i < s->nparts; i++) {
		s->n += s->parts[i].n;
		if (n && s->parts[n - 1].key == s->parts[i].key)
			s->parts[n - 1].n += s->parts[i].n;
		else
			s->parts[n++] = s->parts[i];
	}
	s->nparts = n;
}

/* ---- merging ----------------------------------------------------------- */

static void merging_update(struct phases_stretch *s, size_t n, size_t i)
{
	s[i].merging = i + 1 < n ? merging_cost(&s[i], &s[i + 1]) : INFINITY;
}

static void stretches_merge(struct phases_stretch *s, size_t *n)
{
	double all = 0, least;

	for (size_t i = 0; i < *n; i++) {
		all += s[i].n;
		merging_update(s, *n, i);
	}
	least = fmax(all * COST_OF_ALL, COST_BY_CHANCE);
	if (*n >= BUCKETS_MANY)
		least = fmax(least, all * COST_OF_BUCKETS / (double)*n);
	while (*n > 1) {
		size_t at = 0;

		for (size_t i = 1; i < *n; i++)
			if (s[i].merging < s[at].merging)
				at = i;

		if (s[at].merging >= least && *n <= PHASES_MOST)
			break;
		merge(&s[at], &s[at + 1]);
		for (size_t i = at + 1; i + 1 < *n; i++)
			s[i] = s[i + 1];
		s[--*n].parts = NULL;
		merging_update(s, *n, at);
		if (at)
			merging_update(s, *n, at - 1);
	}
}

/* ---- the result -------------------------------------------------------- */

static void phases_fill(const struct lanes *l, const struct phases_stretch *s, size_t n,
			struct phase *to)
{
	uint32_t regions = 0;

	for (size_t i = 0; i < l->ncells; i++)
		if (l->cells[i].region >= regions)
			regions = l->cells[i].region + 1;
	for (size_t i = 0; i < n; i++) {
		uint64_t *by_region = alloc_zeroed((size_t)regions + 1, sizeof(*by_region));

		struct phase *p = &to[i];

		*p = (struct phase){ .first = s[i].first, .end = s[i].end };
		for (size_t k = 0; k < l->ncells; k++) {
			const struct lane_cell *c = &l->cells[k];
			const struct cost cost = { .samples = c->samples, .weight = c->weight };

			if (c->bucket < p->first || c->bucket >= p->end)
				continue;
			cost_plus(&p->cost[c->class], &cost);
			by_region[c->region] += c->weight;
			if (by_region[c->region] > p->region_weight) {
				p->region_weight = by_region[c->region];
				p->region = c->region;
			}
		}
		free(by_region);
	}
}

/* Fills in a stretch for each bucket. */
static void stretches_fill(const struct lanes *l, struct phases_stretch *s)
{
	size_t *count = alloc_zeroed(l->nbuckets + 1, sizeof(*count));
	double samples = 0, weight = 0, all = 0, unit, mean;

	for (size_t i = 0; i < l->ncells; i++)
		count[l->cells[i].bucket]++;
	for (uint32_t i = 0; i < l->nbuckets; i++) {
		s[i] = (struct phases_stretch){ .first = i, .end = i + 1, .merging = INFINITY };
		s[i].parts = alloc_zeroed(count[i] + 1, sizeof(*s[i].parts));
	}
	free(count);
	/* In the unit of samples, by weight: samples of one event may stand for different
	   numbers. */
	for (unsigned c = 0; c < OMP_CLASSES; c++) {
		samples += (double)l->placed[c].samples;
		weight += (double)l->placed[c].weight;
	}
	unit = weight > 0 ? samples / weight : 0;
	for (size_t i = 0; i < l->ncells; i++) {
		const struct lane_cell *c = &l->cells[i];
		struct phases_stretch *to = &s[c->bucket];

		to->parts[to->nparts++] = (struct phases_part){ (uint64_t)c->region << 8 | c->class,
								(double)c->weight * unit };
	}
	for (size_t i = 0; i < l->nbuckets; i++) {
		parts_settle(&s[i]);
		all += s[i].n;
	}
	/* What a bucket has less than the mean is a part of its own: the program slept, or fewer
	   threads ran. */
	mean = all / (double)l->nbuckets;
	for (size_t i = 0; i < l->nbuckets; i++)
		if (s[i].n < mean) {
			s[i].parts[s[i].nparts++] =
				(struct phases_part){ KEY_NOTHING, mean - s[i].n };
			s[i].n = mean;
		}
}

void phases_build(const struct lanes *l, struct phase **phases, size_t *n)
{
	const size_t buckets = l->ncells ? l->nbuckets : 0;
	struct phases_stretch *s = alloc_zeroed(buckets + 1, sizeof(*s));

	*phases = NULL;
	*n = buckets;
	if (buckets) {
		stretches_fill(l, s);
		stretches_merge(s, n);
	}
	*phases = alloc_zeroed(*n + 1, sizeof(**phases));
	phases_fill(l, s, *n, *phases);
	for (size_t i = 0; i < buckets; i++)
		free(s[i].parts);
	free(s);
}

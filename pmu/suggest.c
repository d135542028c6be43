/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * suggest.c - suggests an event by edit distance.
 */
#include "config.h"

#include "pmu/suggest.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "pmu/generic.h"

enum { LONGEST = 32 };

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* The number of letters to insert, delete, change or exchange with a neighbour. */
static unsigned distance(const char *a, size_t na, const char *b, size_t nb)
{
	unsigned d[LONGEST + 1][LONGEST + 1];

	for (size_t i = 0; i <= na; i++)
		d[i][0] = (unsigned)i;
	for (size_t j = 0; j <= nb; j++)
		d[0][j] = (unsigned)j;
	for (size_t i = 1; i <= na; i++) {
		for (size_t j = 1; j <= nb; j++) {
			unsigned cost = strncasecmp(a + i - 1, b + j - 1, 1) != 0;

			d[i][j] =
				least(d[i - 1][j - 1] + cost, least(d[i - 1][j], d[i][j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
		}
	}
	return d[na][nb];
}

struct best {
	const char *name;
	size_t length;
	unsigned distance;
	char *text;
	size_t size;
};

static void consider(struct best *b, const char *candidate)
{
	size_t length = candidate ? strlen(candidate) : LONGEST + 1;
	unsigned d;

	if (length > LONGEST)
		return;
	d = distance(b->name, b->length, candidate, length);
	if (d >= b->distance)
		return;
	b->distance = d;
	snprintf(b->text, b->size, "%s", candidate);
}

void pmu_suggest(const char *name, size_t length, char *text, size_t size)
{
	/* A name matches with one error in three letters, three errors at most. */
	struct best b = { name, length, least((unsigned)length / 3, 3) + 1, text, size };
	char cache[PMU_CACHE_NAME_BYTES];
	const struct pmu_generic *g;
	uint64_t config;

	text[0] = 0;
	if (length > LONGEST)
		return;
	for (size_t i = 0; (g = pmu_generic_at(i)); i++) {
		if (g->flags & PMU_GENERIC_SILENT)
			continue;
		consider(&b, g->name);
		consider(&b, g->alias);
	}
	for (size_t i = 0; !pmu_cache_at(i, cache, &config); i++)
		consider(&b, cache);
	consider(&b, "wall");
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/base/near.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { WANTED_MAX = 64 }; /* characters of the wanted text that are compared */

static unsigned near_least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* The least edit distance of wanted to any part of name (Sellers). */
static unsigned near_distance(const char *wanted, size_t n, const char *name)
{
	unsigned row[WANTED_MAX + 1], best;

	for (size_t i = 0; i <= n; i++)
		row[i] = (unsigned)i;
	best = row[n];
	for (; *name; name++) {
		unsigned above = 0; /* a part may begin anywhere */

		for (size_t i = 1; i <= n; i++) {
			const int same = tolower((unsigned char)wanted[i - 1]) ==
					 tolower((unsigned char)*name);
			const unsigned changed = above + !same;

			above = row[i];
			row[i] = near_least(changed, near_least(row[i], row[i - 1]) + 1);
		}
		best = near_least(best, row[n]);
	}
	return best;
}

void near_init(struct near *n, const char *wanted)
{
	*n = (struct near){ .wanted = wanted };
}

static int near_has(const struct near *n, const char *name)
{
	for (size_t i = 0; i < n->n; i++)
		if (!strncmp(n->best[i].name, name, NEAR_NAME_BYTES - 1))
			return 1;
	return 0;
}

void near_add(struct near *n, const char *name)
{
	const size_t length = strnlen(n->wanted, WANTED_MAX);
	const unsigned distance = near_distance(n->wanted, length, name);
	size_t at = n->n;

	if (distance > length / 3 || near_has(n, name))
		return;
	while (at > 0 && n->best[at - 1].distance > distance)
		at--;
	if (at == NEAR_MAX)
		return;
	if (n->n < NEAR_MAX)
		n->n++;
	memmove(&n->best[at + 1], &n->best[at], (n->n - 1 - at) * sizeof(*n->best));
	n->best[at].distance = distance;
	snprintf(n->best[at].name, sizeof(n->best[at].name), "%s", name);
}

void near_text(const struct near *n, const char *otherwise, char *text, size_t bytes)
{
	size_t used = 0;

	snprintf(text, bytes, "%s", otherwise);
	for (size_t i = 0; i < n->n && used < bytes; i++)
		used += (size_t)snprintf(text + used, bytes - used, "%s%s%s",
					 i ? ", " : "did you mean ", n->best[i].name,
					 i + 1 == n->n ? "?" : "");
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/tables/instances.h"

#include <stdlib.h>

#include "src/base/alloc.h"
#include "src/profile/reader/reader.h"
#include "src/tables/lanes.h"
#include "src/view/view.h"

static void instance_add(const struct view *v, const struct view_region *r, struct instance *to)
{
	to->entries = prof_add(to->entries, r->counts.entries);
	to->whole_ns = prof_add(to->whole_ns, r->counts.elapsed_ns);
	if (r->longest_ns <= to->ns)
		return;
	to->ns = r->longest_ns;
	to->begin_ns = lanes_offset_ns(v, r->longest_process) + (double)r->longest_begin_ns;
	to->number = r->longest_entry;
	to->team = r->longest_team;
	to->process = r->longest_process;
}

static int longer(const void *a, const void *b)
{
	const struct instance *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	return x->region < y->region ? -1 : 1;
}

void instances_build(const struct view *v, struct instance **all, size_t *n)
{
	uint32_t *rows = lanes_rows(v);
	size_t count = 0;

	*all = alloc_zeroed(v->nregions + 1, sizeof(**all));
	for (uint32_t i = REGION_SPECIALS; i < v->nregions; i++) {
		(*all)[rows[i]].region = rows[i];
		instance_add(v, &v->regions[i], &(*all)[rows[i]]);
	}
	for (size_t i = 0; i < v->nregions; i++)
		if ((*all)[i].ns)
			(*all)[count++] = (*all)[i];
	if (count)
		qsort(*all, count, sizeof(**all), longer);
	*n = count;
	free(rows);
}

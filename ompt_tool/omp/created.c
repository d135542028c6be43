/* SPDX-License-Identifier: BSD-3-Clause */
/* created.c - see created.h. */
#include "config.h"

#include "ompt_tool/omp/created.h"

#include "ompt_tool/unwind/find_object.h"

/* The context is built from frames of objects that were loaded since the table was made: again. */
static struct context *context_of_all(struct context_finder *f, const struct encounter *e)
{
	struct context *c = context_here(f, e);

	if (!find_object_is_stale() || !object_look())
		return c;
	return context_here(f, e);
}

uint64_t region_created(struct omp_thread *t, const struct encounter *e, uintptr_t here)
{
	struct region *r = region_begin(&t->regions, here);
	struct context *c = context_of_all(&t->contexts, e);

	if (r && c->stats == 0)
		stats_make_region(t, c);
	if (r)
		return region_fill(t, e, c, r);
	omp_thread_lose(t, PROF_LOST_REGIONS);
	return region_bare_token(c->node, t->index);
}

void region_over_elsewhere(struct omp_thread *t, uint64_t token)
{
	const uint64_t own = t && token_region(token) ? region_innermost(&t->regions) : 0;

	region_over(own != 0 ? own : token);
}

/* created.c - see created.h. */
#include "config.h"

#include "ompt_tool/omp/created.h"

uint64_t region_created(struct omp_thread *t, const struct encounter *e, uintptr_t here)
{
	struct region *r = region_begin(&t->regions, here);
	struct context *c = context_here(&t->contexts, e);

	if (r && c->stats == 0)
		stats_make_region(t, c);
	if (r)
		return region_fill(t, e, c, r);
	omp_thread_lose(t, PROF_LOST_REGIONS);
	return region_bare_token(c->node, t->index);
}

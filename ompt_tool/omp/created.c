/* SPDX-License-Identifier: BSD-3-Clause */
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
	return region_created_in(t, e, context_of_all(&t->contexts, e), here);
}

uint64_t region_created_in(struct omp_thread *t, const struct encounter *e, struct context *c,
			   uintptr_t here)
{
	struct region *r = region_begin(&t->regions, here);

	if (r && c->stats == 0)
		stats_make_region(t, c);
	if (r) {
		const uint64_t token = region_fill(t, e, c, r);

		/* The region begins, with at least so many threads; 0: that is not known. Its
		   runtime may make them for longer than they work, before it reports them. Until
		   then its description has no team. */
		const uint32_t threads = stats_least_team(c);

		stats_region_open(r);
		if (threads != 0)
			lives_team(r, 0, threads);
		r->team = threads;
		return token;
	}
	omp_thread_lose(t, PROF_LOST_REGIONS);
	return region_bare_token(c->node, t->index);
}

void region_has_other_team(struct omp_thread *t, struct region *r, uint32_t threads)
{
	const uint32_t before = r->team;

	lives_team(r, before, threads);
	r->team = threads;
	stats_region_open(r);
	if (t && t->asked > threads)
		stats_region_asked(t, r);
	/* A region of one thread takes no other ones. */
	if (!t || threads < 2 || t->last_team == threads)
		return;
	if (t->last_team != 0)
		stats_region_resized(t, r);
	t->last_team = threads;
}

void region_over_elsewhere(struct omp_thread *t, uint64_t token)
{
	const bool taken = token == 0 || token_region(token);
	const uint64_t own = t && taken ? region_innermost(&t->regions) : 0;

	region_over(own != 0 ? own : token);
}

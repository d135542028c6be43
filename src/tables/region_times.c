/* SPDX-License-Identifier: BSD-3-Clause */
/* region_times.c - from the runtime's word; of regions that it does not distinguish, by samples. */
#include "config.h"

#include "src/tables/region_times.h"

#include <stdlib.h>

#include "src/base/alloc.h"
#include "src/tables/losses.h"
#include "src/view/view.h"

/* The region that has the counts of region i: itself, or that of the call that begins it. */
static size_t counted_at(const struct view *v, size_t i)
{
	return v->regions[i].begun ? v->regions[i].begun : i;
}

/* Elapsed time in each region as samples show it: its threads' and that of regions in it. */
static double *elapsed_by_samples(const struct view *v, const struct region_time *counted,
				  const struct time_split *sampled)
{
	double *ns = alloc_zeroed(v->nregions, sizeof(*ns));

	for (size_t i = REGION_SPECIALS; i < v->nregions; i++) {
		const struct region_time *t = &counted[counted_at(v, i)];

		if (t->team > 0)
			ns[i] += split_seen(&sampled[i]) * t->elapsed / t->team;
		/* One thread of the team around it was in it. */
		const struct region_time *around = &counted[counted_at(v, v->regions[i].parent)];

		ns[v->regions[i].parent] +=
			around->team > 0 ? counted[i].elapsed * around->elapsed / around->team :
					   counted[i].elapsed;
	}
	return ns;
}

/* Divides the times of calls that begin several regions among these. */
static void region_times_divide(const struct view *v, struct region_time *all,
				const struct time_split *sampled)
{
	struct region_time *counted = alloc_zeroed(v->nregions, sizeof(*counted));
	double *sums = alloc_zeroed(v->nregions, sizeof(*sums)), *ns = NULL;

	for (size_t i = 0; i < v->nregions; i++)
		counted[i] = all[i];
	ns = elapsed_by_samples(v, counted, sampled);
	for (size_t i = REGION_SPECIALS; i < v->nregions; i++) {
		/* It may have been begun elsewhere, too, where its time is known. */
		if (counted_at(v, i) != i)
			ns[i] = ns[i] > counted[i].elapsed ? ns[i] - counted[i].elapsed : 0;
		sums[counted_at(v, i)] += ns[i];
	}
	for (size_t i = REGION_SPECIALS; i < v->nregions; i++) {
		const size_t at = counted_at(v, i);
		const double part = sums[at] > 0 ? ns[i] / sums[at] : i == at;
		const struct region_time own = at == i ? (struct region_time){ 0 } : counted[i];

		all[i] = (struct region_time){ own.elapsed + part * counted[at].elapsed,
					       own.team + part * counted[at].team,
					       own.wide + part * counted[at].wide,
					       own.lasted || (part > 0 && counted[at].lasted) };
	}
	free(counted);
	free(sums);
	free(ns);
}

struct region_time *region_times(const struct view *v, const struct time_split *sampled)
{
	struct region_time *all = alloc_zeroed(v->nregions, sizeof(*all));
	bool divided = false;

	for (size_t i = REGION_SPECIALS; i < v->nregions; i++) {
		const struct view_region *r = &v->regions[i];

		all[i] = (struct region_time){
			.elapsed = (double)r->counts.elapsed_ns + (double)r->counts.open_ns,
			.team = r->counts.team_ns,
			.wide = r->counts.wide_ns,
			.lasted = region_counts_lasted(&r->counts),
		};
		divided = divided || r->begun;
	}
	if (divided)
		region_times_divide(v, all, sampled);
	return all;
}

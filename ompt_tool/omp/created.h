/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * created.h - a thread creates a parallel region or an explicit task, and a region ends:
 * what adapters of all runtime interfaces do then.
 *
 * Inline as far as every region and task does so. For callbacks, on t's own thread; takes no
 * lock, and makes no system call but for a chunk of the profile now and then.
 */
#ifndef OMPHWC_OMPT_TOOL_OMP_CREATED_H
#define OMPHWC_OMPT_TOOL_OMP_CREATED_H

#include <stdint.h>

#include "ompt_tool/machine/ticks.h"
#include "ompt_tool/omp/context_here.h"
#include "ompt_tool/omp/lives.h"
#include "ompt_tool/omp/omp_thread.h"
#include "ompt_tool/omp/region.h"
#include "ompt_tool/omp/stats.h"
#include "ompt_tool/tree/latest.h"
#include "ompt_tool/tree/timeline.h"
#include "ompt_tool/unwind/find_object.h"

/* Fills in r, the record of the region that t creates as e says, in context c, whose nodes
   have been made; returns its token. */
static inline __attribute__((always_inline)) uint64_t region_fill(const struct omp_thread *t,
								  const struct encounter *e,
								  const struct context *c,
								  struct region *r)
{
	r->owner = t->index;
	r->call = e->call;
	r->cfa = c->cfa != 0 ? e->enter + c->cfa : 0;
	r->stats = c->stats;
	r->team_stats = c->team;
	r->team_time = c->team_time;
	r->context = c->node;
	r->begin_ticks = ticks_now();
	return region_token(r);
}

/*
 * The token of the region that t creates as e says. here is the stack pointer. Where there is
 * no memory for a record, the token holds the context alone: such a region is not counted.
 */
uint64_t region_created(struct omp_thread *t, const struct encounter *e, uintptr_t here);

/* The same where the context is known. */
uint64_t region_created_in(struct omp_thread *t, const struct encounter *e, struct context *c,
			   uintptr_t here);

/* The same where t is in no other region that it created, and where the context and its nodes
   are known: it calls nothing. Otherwise 0, and nothing is created. */
static inline __attribute__((always_inline)) uint64_t
region_created_again(struct omp_thread *t, const struct encounter *e)
{
	struct region *r = region_first(&t->regions);

	if (__builtin_expect(!r || find_object_is_stale(), 0))
		return 0;
	const struct context *c = context_known(&t->contexts, e);

	if (__builtin_expect(!c || c->stats == 0, 0))
		return 0;
	region_revive(r);
	return region_fill(t, e, c, r);
}

/* The slow path of region_has_team(): not the team of the region before, or a nested region. */
void region_has_other_team(struct omp_thread *t, struct region *r, uint32_t threads);

/* The team of the region with that token has so many threads. Called by its primary thread t, which
   began it; NULL: it is not known. */
static inline void region_has_team(struct omp_thread *t, uint64_t token, uint32_t threads)
{
	struct region *r = region_live(token);

	if (!r)
		return;
	if (__builtin_expect(!t || !lives_know(r, threads) || r->team != 0 || t->asked > threads ||
				     (threads > 1 && t->last_team != threads),
			     0)) {
		region_has_other_team(t, r, threads);
		return;
	}
	r->team = threads;
	stats_region_open(r);
}

/* A live region ends. */
static inline __attribute__((always_inline)) void region_ends(struct region *r)
{
	const uint64_t now = ticks_now();

	stats_region_end(r, now);
	if (timeline_on)
		stats_region_longest(r, now);
	latest_note(now);
	lives_over(r);
	region_end(r);
}

/* The region with that token ends; nothing happens where it has ended already. */
static inline void region_over(uint64_t token)
{
	struct region *r = region_live(token);

	if (r)
		region_ends(r);
}

/* The slow path of region_over_by(): the region is not t's. */
void region_over_elsewhere(struct omp_thread *t, uint64_t token);

/* The same, as t reports. LLVM's runtime reads the token in a team that is free by then: where
   another thread has taken that team, it is the token of that thread's region, or 0 before that has
   one. What ends is t's innermost region then, if t is in one of its own. */
static inline void region_over_by(struct omp_thread *t, uint64_t token)
{
	struct region *r = token_region(token);

	if (__builtin_expect(r && t && r->owner == t->index, 1)) {
		if (region_is_live(r, token))
			region_ends(r);
	} else {
		region_over_elsewhere(t, token);
	}
}

/* The token of the task that t creates as e says, and its context. counted: it is one task;
   else stats_task_found() counts the tasks when they begin. */
static inline __attribute__((always_inline)) uint64_t
task_created(struct omp_thread *t, const struct encounter *e, uint32_t reported, task_flags_of *of,
	     bool counted, struct context **context)
{
	struct context *c = context_here(&t->contexts, e);

	*context = c;
	if (__builtin_expect(counted && c->created == reported, 1)) {
		stats_task_again(c);
		return c->token;
	}
	stats_task_first(t, c, reported, of, counted);
	return task_token(c->node, t->index);
}

/* The token of a task that t creates as e says, where its context is the one that was found last,
   and the same was reported of its last task: it calls nothing. Otherwise 0, and nothing is
   created. */
static inline __attribute__((always_inline)) uint64_t
task_created_again(struct omp_thread *t, const struct encounter *e, uint32_t reported)
{
	const struct context *c = context_known_last(&t->contexts, e);

	if (__builtin_expect(!c || c->created != reported, 0))
		return 0;
	stats_task_again(c);
	return c->token;
}

#endif

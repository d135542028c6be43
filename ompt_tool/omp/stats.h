/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stats.h - counts of regions and tasks by creation context.
 *
 * Each thread counts in its own tree, beneath a BOUNDARY node that names the
 * context: no two threads write the same word. Called in OMPT callbacks; takes no
 * lock, and makes no system call but for a chunk of the tree now and then.
 */
#ifndef OMPHWC_OMPT_TOOL_OMP_STATS_H
#define OMPHWC_OMPT_TOOL_OMP_STATS_H

#include <stdbool.h>
#include <stdint.h>

#include "ompt_tool/omp/context.h"
#include "ompt_tool/omp/omp_thread.h"
#include "ompt_tool/omp/region.h"
#include "ompt_tool/tree/cct.h"
#include "ompt_tool/tree/process.h"

/* Makes the nodes that count c's regions; c's fields stay 0 where there is no room. */
void stats_make_region(struct omp_thread *t, struct context *c);

/* Counts a region that lasted so many ticks, whose team is its context's first or has another
   size than all before; before_ticks: what these lasted. */
void stats_team_varies(const struct region *r, uint64_t before_ticks, uint64_t ticks);

/* Counts the region's team: the smallest is in the upper half of its node's word a, the
   largest in the lower half. */
static inline void stats_team(const struct region *r, uint64_t before_ticks, uint64_t ticks)
{
	struct prof_node *node = cct_node(&process.writer, r->team_stats);

	if (node->a != ((uint64_t)r->team << 32 | r->team))
		stats_team_varies(r, before_ticks, ticks);
	node->b += r->team;
}

/* The word that describes the region while it lasts; NULL: none. */
static inline uint64_t *stats_open(const struct region *r)
{
	const struct prof_writer *w = &process.writer;

	return r->stats != 0 && r->team_time != 0 && w->base ? &cct_node(w, r->team_time)->b : NULL;
}

/* The region begins, or its team is known: a profile without the region's end says since when it
   has lasted. */
static inline void stats_region_open(const struct region *r)
{
	const uint32_t team = r->team < PROF_OPEN_TEAM_MOST ? r->team : PROF_OPEN_TEAM_MOST;
	const uint64_t begun = PROF_OPEN(r->begin_ticks);
	uint64_t *const open = stats_open(r);

	if (open)
		*open = *open == 0 || (*open & ~(uint64_t)PROF_OPEN_TEAM_MOST) == begun ?
				begun | team :
				PROF_OPEN_LOST;
}

/* The smallest team of c's regions so far; 0: none has ended. */
static inline uint32_t stats_least_team(const struct context *c)
{
	const struct prof_writer *w = &process.writer;

	return c->team != 0 && w->base ? (uint32_t)(cct_node(w, c->team)->a >> 32) : 0;
}

/* Counts a region whose team has fewer threads than t, which began it, asked for. */
void stats_region_asked(struct omp_thread *t, const struct region *r);
void stats_region_resized(struct omp_thread *t, const struct region *r);

/* Counts a region at its end. */
static inline void stats_region_end(const struct region *r, uint64_t now_ticks)
{
	const struct prof_writer *w = &process.writer;

	if (r->stats == 0 || !w->base)
		return;
	struct prof_node *node = cct_node(w, r->stats);
	const uint64_t before_ticks = node->b, ticks = now_ticks - r->begin_ticks;

	if (r->team_time != 0)
		cct_node(w, r->team_time)->b = 0;
	node->b = before_ticks + ticks;
	node->a++;
	if (r->team_stats != 0 && r->team != 0)
		stats_team(r, before_ticks, ticks);
}

/* Notes a region that stats_region_end() has counted, where it is its context's longest.  Only
   where timeline_on. */
void stats_region_longest(const struct region *r, uint64_t now_ticks);

/* What a task is, as its adapter says of what was reported: sets of enum prof_task_flag. */
struct task_flags {
	uint32_t are, are_not;
};
typedef struct task_flags task_flags_of(uint32_t reported);

/* Counts a task that was created in context c: the first one of this thread, or not as the one
   before. reported: not CONTEXT_NO_TASK; counted: see task_created(). */
void stats_task_first(struct omp_thread *t, struct context *c, uint32_t reported, task_flags_of *of,
		      bool counted);

/* The same where the same was reported of the one before. */
static inline void stats_task_again(const struct context *c)
{
	cct_node(&process.writer, c->stats)->a++;
}

/* A thread that may not be the creator finds out what a task with this token is. */
void stats_task_is(struct omp_thread *t, uint64_t token, uint32_t flags);

/* A task with this token was created, as is known only now that it begins: runtimes report a
   taskloop's creation once for all its tasks. */
void stats_task_found(struct omp_thread *t, uint64_t token);

/* The task with this token was cancelled and will never begin. */
void stats_task_cancelled(struct omp_thread *t, uint64_t token);

/* The slow path of stats_task_run(); NULL: the token's context is not known. */
const struct task_run *stats_make_task_run(struct omp_thread *t, uint64_t token);

/* Where t keeps what counts its tasks of that token's context. */
static inline struct task_run *stats_task_run_at(struct omp_thread *t, uint64_t token)
{
	return &t->task_run[token >> 32 & (TASK_RUN_ENTRIES - 1)];
}

/* What counts t's tasks of that explicit task's context; NULL: it is not known. An
   entry's key is that of a token whose context was known, and a fork's child has no entries. */
static inline const struct task_run *stats_task_run(struct omp_thread *t, uint64_t token)
{
	const struct task_run *const r = stats_task_run_at(t, token);

	token &= ~(uint64_t)TOKEN_TASK_BEGUN;
	return __builtin_expect(r->key == token_key(token), 1) ? r : stats_make_task_run(t, token);
}

#endif

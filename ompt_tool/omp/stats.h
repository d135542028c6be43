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
#include "ompt_tool/omp/region.h"
#include "ompt_tool/tree/cct.h"
#include "ompt_tool/tree/process.h"

struct omp_thread;

/* Makes the nodes that count c's regions, or tasks; c's fields stay 0 where there is no
   room. */
void stats_make_region(struct omp_thread *t, struct context *c);
void stats_make_task(struct omp_thread *t, struct context *c);

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

/* Counts a region at its end. */
static inline void stats_region_end(const struct region *r, uint64_t now_ticks)
{
	const struct prof_writer *w = &process.writer;

	if (r->stats == 0 || !w->base)
		return;
	struct prof_node *node = cct_node(w, r->stats);
	const uint64_t before_ticks = node->b, ticks = now_ticks - r->begin_ticks;

	node->b += ticks;
	node->a++;
	if (r->team_stats != 0 && r->team != 0)
		stats_team(r, before_ticks, ticks);
}

/* Counts a task that was created in context c. */
static inline void stats_task_created(struct omp_thread *t, struct context *c)
{
	if (c->stats == 0)
		stats_make_task(t, c);
	if (c->stats != 0)
		cct_node(&process.writer, c->stats)->a++;
}

/* A task with this token was created, as is known only now that it begins: runtimes tell a
   taskloop's creation once for all its tasks. */
void stats_task_found(struct omp_thread *t, uint64_t token);

/* The task with this token was cancelled and will never begin. */
void stats_task_cancelled(struct omp_thread *t, uint64_t token);

/* The thread runs the task with this token from now on; begins: for the first time.
   Only explicit tasks are counted. */
void stats_task_switch(struct omp_thread *t, uint64_t token, bool begins, uint64_t now_ticks);

#endif

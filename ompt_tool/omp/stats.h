/*
 * stats.h - counts of regions and tasks by creation context.
 *
 * Each thread counts in its own tree, beneath a BOUNDARY node that names the
 * context: no two threads ever write the same word.  Called in OMPT callbacks;
 * no lock, no system call but a chunk's now and then.
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

/* Makes the nodes that the numbers of c's regions, or tasks, go to; they stay 0 where
   there is no room. */
void stats_make_region(struct omp_thread *t, struct context *c);
void stats_make_task(struct omp_thread *t, struct context *c);

/* r begins: where it will be counted. */
static inline void stats_region(struct omp_thread *t, struct context *c, struct region *r)
{
	if (c->stats == 0)
		stats_make_region(t, c);
	r->stats = c->stats;
	r->team_stats = c->team;
}

/* Least in the upper half of a, most in the lower. */
static inline void stats_team(struct prof_node *node, uint32_t team)
{
	uint32_t least = (uint32_t)(node->a >> 32), most = (uint32_t)node->a;

	if (most == 0 || team < least || team > most) {
		least = most == 0 || team < least ? team : least;
		most = team > most ? team : most;
		node->a = (uint64_t)least << 32 | most;
	}
	node->b += team;
}

/* The region ends: counts it. */
static inline void stats_region_end(const struct region *r, uint64_t now_ticks)
{
	const struct prof_writer *w = &process.writer;

	if (r->stats == 0 || w->base == NULL)
		return;
	struct prof_node *node = cct_node(w, r->stats);

	node->b += now_ticks - r->begin_ticks;
	node->a++;
	if (r->team_stats != 0 && r->team != 0)
		stats_team(cct_node(w, r->team_stats), r->team);
}

/* A task was created in context c. */
static inline void stats_task_created(struct omp_thread *t, struct context *c)
{
	if (c->stats == 0)
		stats_make_task(t, c);
	if (c->stats != 0)
		cct_node(&process.writer, c->stats)->a++;
}

/* The task with this token will never begin: it was cancelled. */
void stats_task_cancelled(struct omp_thread *t, uint64_t token);

/* From now on the thread runs the task with this token; begins: for the first
   time.  Only explicit tasks are counted. */
void stats_task_switch(struct omp_thread *t, uint64_t token, bool begins, uint64_t now_ticks);

#endif

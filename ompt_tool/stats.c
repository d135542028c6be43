/*
 * stats.c - see stats.h.  A context may be shared by several threads (folded
 * recursion, regions ended elsewhere), so the sums are atomic.
 */
#include "config.h"

#include "ompt_tool/stats.h"

#include <stdatomic.h>

#include "ompt_tool/core/cct.h"
#include "ompt_tool/core/context.h"
#include "ompt_tool/core/process.h"
#include "ompt_tool/core/region.h"
#include "ompt_tool/core/thread.h"

static uint32_t stats_node(struct thread *t, uint32_t context, enum prof_stats_kind kind)
{
	return cct_child(&t->cct, context, PROF_NODE_INFO(PROF_NODE_STATS, 0, 0, kind), 0);
}

void stats_region(struct thread *t, struct context *c, uint32_t *stats, uint32_t *team)
{
	if (c->node != 0 && c->stats == 0) {
		c->stats = stats_node(t, c->node, PROF_STATS_REGION);
		c->team = stats_node(t, c->node, PROF_STATS_TEAM);
	}
	*stats = c->stats;
	*team = c->team;
}

static void add(uint64_t *sum, uint64_t n)
{
	atomic_fetch_add_explicit((_Atomic uint64_t *)sum, n, memory_order_relaxed);
}

/* Least in the upper half, most in the lower. */
static void team_add(struct prof_node *node, uint32_t team)
{
	uint64_t range = node->a;
	uint32_t least = (uint32_t)(range >> 32), most = (uint32_t)range;

	if (range == 0 || team < least || team > most) {
		least = range == 0 || team < least ? team : least;
		most = team > most ? team : most;
		node->a = (uint64_t)least << 32 | most;
	}
	add(&node->b, team);
}

void stats_region_end(const struct region *was, uint64_t now_ticks)
{
	const struct prof_writer *w = &process.writer;

	if (was->stats == 0 || w->base == NULL)
		return;
	struct prof_node *node = cct_node(w, was->stats);

	add(&node->b, now_ticks - was->begin_ticks);
	add(&node->a, 1);
	if (was->team_stats != 0 && was->team != 0)
		team_add(cct_node(w, was->team_stats), was->team);
}

void stats_task(struct thread *t, struct context *c)
{
	if (c->node == 0)
		return;
	if (c->stats == 0)
		c->stats = stats_node(t, c->node, PROF_STATS_TASK);
	if (c->stats != 0)
		add(&cct_node(&process.writer, c->stats)->a, 1);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/omp/stats.h"

#include <stddef.h>

#include "ompt_tool/omp/context.h"
#include "ompt_tool/omp/omp_thread.h"
#include "ompt_tool/omp/region.h"
#include "ompt_tool/tree/cct.h"
#include "ompt_tool/tree/process.h"
#include "ompt_tool/tree/timeline.h"

static uint32_t boundary_beneath(struct omp_thread *t, uint32_t node,
				 enum prof_boundary_kind boundary, uint32_t context)
{
	return node != 0 ? cct_child(&t->cct, node, PROF_BOUNDARY_INFO(boundary, PROF_TEAM_UNKNOWN),
				     context) :
			   0;
}

static uint32_t stats_beneath(struct omp_thread *t, uint32_t node, enum prof_stats_kind kind)
{
	return node != 0 ?
		       cct_child(&t->cct, node, PROF_NODE_INFO(PROF_NODE_STATS, 0, 0, kind), 0) :
		       0;
}

static uint32_t stats_node(struct omp_thread *t, uint32_t context, enum prof_boundary_kind boundary,
			   enum prof_stats_kind kind)
{
	return stats_beneath(t, boundary_beneath(t, cct_root(&t->cct), boundary, context), kind);
}

void stats_make_region(struct omp_thread *t, struct context *c)
{
	if (c->node == 0)
		return;
	uint32_t node = cct_root(&t->cct);

	if (c->around != 0)
		node = boundary_beneath(t, node, (enum prof_boundary_kind)c->around_kind,
					c->around);
	node = boundary_beneath(t, node, PROF_BOUNDARY_REGION, c->node);
	c->stats = stats_beneath(t, node, PROF_STATS_REGION);
	c->team = stats_beneath(t, node, PROF_STATS_TEAM);
	c->team_time = stats_beneath(t, node, PROF_STATS_TEAM_TIME);
	if (timeline_on) {
		stats_beneath(t, node, PROF_STATS_LONGEST);
		stats_beneath(t, node, PROF_STATS_LONGEST_ENTRY);
	}
}

/* Counts an entry beside the region's. */
static void count_beside(struct omp_thread *t, const struct region *r, enum prof_stats_kind kind,
			 uint64_t b)
{
	const struct prof_writer *w = &process.writer;

	if (r->stats == 0 || !w->base)
		return;
	const uint32_t node = stats_beneath(t, cct_node(w, r->stats)->parent, kind);

	if (node == 0)
		return;
	cct_node(w, node)->a++;
	cct_node(w, node)->b += b;
}

void stats_region_asked(struct omp_thread *t, const struct region *r)
{
	count_beside(t, r, PROF_STATS_ASKED, t->asked);
}

void stats_region_resized(struct omp_thread *t, const struct region *r)
{
	count_beside(t, r, PROF_STATS_RESIZED, 0);
}

/* The node of that kind beside the region's, or NULL. */
static struct prof_node *beside(const struct region *r, enum prof_stats_kind kind)
{
	const struct prof_writer *w = &process.writer;
	const uint32_t node = cct_find(w, cct_link(w, cct_node(w, r->stats)->parent),
				       PROF_NODE_INFO(PROF_NODE_STATS, 0, 0, kind));

	return node != 0 ? cct_node(w, node) : NULL;
}

void stats_region_longest(const struct region *r, uint64_t now_ticks)
{
	const struct prof_writer *w = &process.writer;
	const uint64_t ticks = now_ticks - r->begin_ticks;
	struct prof_node *longest, *entry;

	if (r->stats == 0 || !w->base)
		return;
	longest = beside(r, PROF_STATS_LONGEST);
	if (!longest || ticks <= longest->a)
		return;
	entry = beside(r, PROF_STATS_LONGEST_ENTRY);
	longest->a = ticks;
	longest->b = r->begin_ticks - prof_header(w)->ticks_start;
	if (!entry)
		return;
	entry->a = cct_node(w, r->stats)->a;
	entry->b = r->team;
}

void stats_team_varies(const struct region *r, uint64_t before_ticks, uint64_t ticks)
{
	struct prof_node *node = cct_node(&process.writer, r->team_stats), *time;
	uint32_t least = (uint32_t)(node->a >> 32), most = (uint32_t)node->a;
	const bool first = most == 0, was_even = least == most;

	if (r->team_time != 0 && !first) {
		time = cct_node(&process.writer, r->team_time);
		if (was_even)
			time->a = before_ticks * most;
		time->a += ticks * r->team;
	}
	least = first || r->team < least ? r->team : least;
	most = r->team > most ? r->team : most;
	node->a = (uint64_t)least << 32 | most;
}

static void stats_task_flags(uint32_t node, uint32_t are, uint32_t are_not)
{
	if (node == 0)
		return;
	cct_node(&process.writer, node)->a |= are;
	cct_node(&process.writer, node)->b |= are_not;
}

/* The node beneath c's boundary that has its tasks' flags, if these need one; 0: none. before:
   tasks were counted there. */
static uint32_t flags_node(struct omp_thread *t, uint32_t context, uint32_t are, bool before)
{
	const struct prof_writer *w = &process.writer;
	const uint32_t info = PROF_NODE_INFO(PROF_NODE_STATS, 0, 0, PROF_STATS_TASK_FLAGS);
	const bool plain = (are & ~(uint32_t)PROF_TASK_EXPLICIT) == 0;

	/* Most are nothing but tasks. */
	if (plain && !before)
		return 0;
	const uint32_t boundary =
		boundary_beneath(t, cct_root(&t->cct), PROF_BOUNDARY_TASK, context);
	uint32_t node = boundary != 0 ? cct_find(w, cct_link(w, boundary), info) : 0;

	if (node != 0 || plain)
		return node;
	node = stats_beneath(t, boundary, PROF_STATS_TASK_FLAGS);
	stats_task_flags(node, 0, before ? UINT32_MAX : 0);
	return node;
}

__attribute__((noinline)) void stats_task_first(struct omp_thread *t, struct context *c,
						uint32_t reported, task_flags_of *of, bool counted)
{
	const struct task_flags flags = of(reported);

	if (c->node == 0)
		return;
	if (counted && c->stats == 0) {
		c->stats = stats_node(t, c->node, PROF_BOUNDARY_TASK, PROF_STATS_TASK);
		c->token = task_token(c->node, t->index);
	}
	if (c->team == 0)
		c->team = flags_node(t, c->node, flags.are,
				     c->stats != 0 && cct_node(&process.writer, c->stats)->a != 0);
	stats_task_flags(c->team, flags.are, flags.are_not);
	if (!counted || c->stats == 0)
		return;
	cct_node(&process.writer, c->stats)->a++;
	c->created = reported;
}

void stats_task_is(struct omp_thread *t, uint64_t token, uint32_t flags)
{
	const uint32_t context = token_is_task(token) ? task_context(token) : 0;

	if (context != 0)
		stats_task_flags(flags_node(t, context, flags, false), flags, 0);
}

/* The words of the node that counts tasks, or NULL. */
static uint64_t *stats_words(struct omp_thread *t, uint32_t context, enum prof_stats_kind kind)
{
	const uint32_t node = stats_node(t, context, PROF_BOUNDARY_TASK, kind);

	_Static_assert(offsetof(struct prof_node, b) ==
			       offsetof(struct prof_node, a) + sizeof(uint64_t),
		       "two words");
	return node != 0 ? &cct_node(&process.writer, node)->a : NULL;
}

__attribute__((noinline)) const struct task_run *stats_make_task_run(struct omp_thread *t,
								     uint64_t token)
{
	const uint32_t context = token_is_task(token) ? task_context(token) : 0;
	struct task_run *const r = stats_task_run_at(t, token);

	if (context == 0)
		return NULL;
	r->run = stats_words(t, context, PROF_STATS_TASK_RUN);
	r->time = stats_words(t, context, PROF_STATS_TASK_TIME);
	r->key = token_key(token);
	return r;
}

void stats_task_cancelled(struct omp_thread *t, uint64_t token)
{
	const struct task_run *r = token_is_task(token) ? stats_task_run(t, token) : NULL;

	if (r && r->time)
		r->time[1]++;
}

void stats_task_found(struct omp_thread *t, uint64_t token)
{
	const uint32_t context = token_is_task(token) ? task_context(token) : 0;
	uint32_t node;

	if (context == 0)
		return;
	node = stats_node(t, context, PROF_BOUNDARY_TASK, PROF_STATS_TASK);
	if (node != 0)
		cct_node(&process.writer, node)->a++;
}

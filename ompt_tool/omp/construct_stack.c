/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/omp/construct_stack.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "ompt_tool/machine/ticks.h"
#include "ompt_tool/omp/omp_thread.h"
#include "ompt_tool/omp/region.h"
#include "ompt_tool/tree/cct.h"
#include "ompt_tool/tree/module.h"
#include "ompt_tool/tree/process.h"
#include "ompt_tool/unwind/object.h"

static struct construct *constructs_of(const struct construct_stack *s)
{
	return s->room.more ? s->room.more : (struct construct *)(uintptr_t)s->inside;
}

static struct prof_node *node_at(uint32_t node)
{
	return node != 0 && process.writer.base ? cct_node(&process.writer, node) : NULL;
}

static struct prof_node *stats_node(const struct construct *c)
{
	return node_at(c->stats);
}

static uint32_t node_beside(struct omp_thread *t, enum prof_construct_kind kind, uintptr_t call,
			    uint64_t task, uint32_t context, uint32_t info)
{
	uint32_t node = cct_root(&t->cct), flags;
	enum prof_boundary_kind boundary = token_is_task(task) ? PROF_BOUNDARY_TASK :
								 PROF_BOUNDARY_REGION;

	if (node != 0)
		node = cct_child(&t->cct, node, PROF_BOUNDARY_INFO(boundary, PROF_TEAM_UNKNOWN),
				 context);
	if (node != 0)
		node = cct_child(&t->cct, node, PROF_NODE_INFO(PROF_NODE_CONSTRUCT, 0, 0, kind),
				 module_locate(call, &flags));
	if (node != 0)
		node = cct_child(&t->cct, node, info, 0);
	return node;
}

uint32_t construct_stats(struct omp_thread *t, enum prof_construct_kind kind, uintptr_t call,
			 uint64_t task, uint32_t context, enum prof_stats_kind stats)
{
	return node_beside(t, kind, call, task, context,
			   PROF_NODE_INFO(PROF_NODE_STATS, 0, 0, stats));
}

uint32_t construct_device_stats(struct omp_thread *t, const struct construct *c,
				enum prof_stats_kind stats, uint8_t operation, uint8_t device)
{
	return node_beside(t, (enum prof_construct_kind)c->kind, c->begun.key, c->begun.token,
			   (uint32_t)(token_context(c->begun.token) >> 32),
			   PROF_NODE_INFO(PROF_NODE_STATS, device, operation, stats));
}

static uint32_t stats_make(struct omp_thread *t, const struct construct *c, uint32_t context,
			   enum prof_stats_kind stats)
{
	return construct_stats(t, (enum prof_construct_kind)c->kind, c->begun.key, c->begun.token,
			       context, stats);
}

static uint32_t at_most(uint64_t n)
{
	return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

/* Of the numbers so far and this one, in the form of the profile. */
static uint64_t least_and_most(uint64_t so_far, uint64_t number)
{
	const uint32_t least = (uint32_t)(so_far >> 32), most = (uint32_t)so_far;
	const uint32_t n = at_most(number);

	return (uint64_t)(most == 0 || n < least ? n : least) << 32 | (n > most ? n : most);
}

static struct construct_stats *stats_of(struct omp_thread *t, const struct construct *c)
{
	uint32_t context = (uint32_t)(token_context(c->begun.token) >> 32);
	struct construct_stats *s =
		&t->constructs
			 .stats[(c->begun.key ^ c->begun.key >> 7 ^ context) % CONSTRUCT_ENTRIES];

	const uint64_t epoch = object_epoch();

	if (s->node == 0 || s->call != c->begun.key || s->context != context ||
	    s->kind != c->kind || s->epoch != epoch) {
		s->epoch = epoch;
		s->node = stats_make(t, c, context, PROF_STATS_CONSTRUCT);
		s->count = 0;
		s->call = c->begun.key;
		s->context = context;
		s->kind = c->kind;
	}
	return s;
}

static void stats_enter(struct omp_thread *t, struct construct *c, uint64_t count)
{
	struct construct_stats *s = stats_of(t, c);
	struct prof_node *node;

	c->stats = s->node;
	node = stats_node(c);
	if (!node)
		return;
	node->a++;
	if (count == 0)
		return;
	if (s->count == 0)
		s->count = stats_make(t, c, s->context, PROF_STATS_COUNT);
	if (s->count != 0) {
		node = cct_node(&process.writer, s->count);
		node->a = least_and_most(node->a, count);
		node->b += count;
	}
}

/* Where the next construct goes, or NULL. */
static struct construct *construct_room(struct construct_stack *s)
{
	struct construct *const at = constructs_of(s);

	if (s->n == (s->room.more ? s->room.n : CONSTRUCT_INSIDE) &&
	    !begun_deepen(&s->room, at, s->n, sizeof(*at)))
		return NULL;
	return &constructs_of(s)[s->n];
}

/* The construct's node; its numbers are beneath it. */
static uint32_t node_of(const struct construct *c)
{
	const struct prof_node *stats = stats_node(c);

	return stats ? stats->parent : 0;
}

void construct_begin(struct omp_thread *t, enum prof_construct_kind kind, uintptr_t call,
		     uint64_t task, uint64_t count)
{
	struct construct_stack *s = &t->constructs;

	/* From the top alone: the end of a region that lent this thread to another may be
	   reported late, by its master, when the thread is in a region that goes on. */
	while (s->n > 0 && begun_is_over(&constructs_of(s)[s->n - 1].begun, 0))
		s->n--;
	s->n = begun_left(constructs_of(s), sizeof(struct construct), s->n, task, call);
	struct construct *c = construct_room(s);

	if (!c) {
		omp_thread_lose(t, PROF_LOST_CONSTRUCTS);
		return;
	}
	c->begun = (struct begun){ .token = task, .key = call };
	c->kind = (uint8_t)kind;
	c->chunk_ticks = 0;
	c->chunks = c->chunk = 0;
	stats_enter(t, c, count);
	c->begin_ticks = ticks_now();
	atomic_signal_fence(memory_order_release);
	s->n++;
	if (trace_on())
		trace_construct(t, PROF_TRACE_CONSTRUCT, node_of(c));
}

static bool same_kind(uint8_t a, uint8_t b)
{
	/* A loop's end may be reported without the schedule that its beginning reported. */
	bool loop_a = a == PROF_CONSTRUCT_LOOP ||
		      (a >= PROF_CONSTRUCT_LOOP_STATIC && a <= PROF_CONSTRUCT_LOOP_OTHER);
	bool loop_b = b == PROF_CONSTRUCT_LOOP ||
		      (b >= PROF_CONSTRUCT_LOOP_STATIC && b <= PROF_CONSTRUCT_LOOP_OTHER);

	return a == b || (loop_a && loop_b);
}

static void chunk_over(const struct construct *c, uint64_t now)
{
	struct prof_node *chunk = c->chunk_ticks != 0 ? node_at(c->chunk) : NULL;

	if (chunk && now - c->chunk_ticks > chunk->b)
		chunk->b = now - c->chunk_ticks;
}

void construct_chunk(struct omp_thread *t, enum prof_construct_kind kind, uint64_t task,
		     uint64_t iterations)
{
	const uint64_t now = ticks_now();
	struct construct_stack *s = &t->constructs;
	struct construct *at = constructs_of(s), *c;
	const uint32_t i = begun_by_task(at, sizeof(*at), s->n, task);
	struct prof_node *chunks, *chunk;

	if (i == 0 || !same_kind(at[i - 1].kind, (uint8_t)kind))
		return;
	c = &at[i - 1];
	chunk_over(c, now);
	c->chunk_ticks = 0;
	if (iterations == 0)
		return;
	if (c->chunks == 0) {
		const uint32_t context = (uint32_t)(token_context(c->begun.token) >> 32);

		c->chunks = stats_make(t, c, context, PROF_STATS_CHUNKS);
		c->chunk = stats_make(t, c, context, PROF_STATS_CHUNK);
	}
	c->chunk_ticks = now;
	chunks = node_at(c->chunks);
	chunk = node_at(c->chunk);
	if (!chunks || !chunk)
		return;
	chunks->a++;
	chunks->b += iterations;
	chunk->a = least_and_most(chunk->a, iterations);
}

void construct_end(struct omp_thread *t, enum prof_construct_kind kind, uint64_t task)
{
	struct construct_stack *s = &t->constructs;

	s->ended.begun.key = 0;
	for (uint32_t i = s->n; i-- > 0;) {
		struct construct *c = &constructs_of(s)[i];

		if (!same_kind(c->kind, (uint8_t)kind) || !token_same_task(c->begun.token, task))
			continue;
		s->n = i;
		s->ended = *c;
		struct prof_node *node = stats_node(c);
		const uint64_t now = ticks_now();
		if (node)
			node->b += now - c->begin_ticks;
		chunk_over(c, now);
		if (trace_on())
			trace_construct(t, PROF_TRACE_CONSTRUCT_END, node_of(c));
		return;
	}
}

const struct construct *construct_now(const struct construct_stack *s, uint64_t task)
{
	const struct construct *at = constructs_of(s);
	const uint32_t i = begun_by_task(at, sizeof(*at), s->n, task);

	return i != 0 ? &at[i - 1] : NULL;
}

const struct construct *construct_innermost(const struct construct_stack *s)
{
	return s->n != 0 ? &constructs_of(s)[s->n - 1] : NULL;
}

const struct construct *construct_left(const struct construct_stack *s, uint64_t task)
{
	return s->ended.begun.key != 0 && token_same_task(s->ended.begun.token, task) ? &s->ended :
											NULL;
}

void construct_forget(struct construct_stack *s)
{
	for (uint32_t i = 0; i < s->n; i++) {
		struct construct *c = &constructs_of(s)[i];

		c->stats = c->chunks = c->chunk = 0;
	}
	for (uint32_t i = 0; i < CONSTRUCT_ENTRIES; i++)
		s->stats[i].node = 0;
}

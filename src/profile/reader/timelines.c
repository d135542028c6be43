/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timelines.c - see timelines.h.
 *
 * Of a chunk that contradicts itself, what comes before the contradiction is kept.
 */
#include "config.h"

#include "src/profile/reader/timelines.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/profile/reader/nodes.h"
#include "src/profile/reader/reader.h"

void timelines_note(struct timelines *t, const struct chunk *c)
{
	t->chunks = grow(t->chunks, t->n, &t->room, sizeof(*t->chunks));
	t->chunks[t->n++] = *c;
}

void timelines_fini(struct timelines *t)
{
	free(t->chunks);
	*t = (struct timelines){ 0 };
}

/* ---- timelines --------------------------------------------------------- */

/* The writer may have added a node to a page that was read before. */
static void cell_unplaced(struct prof_file *f)
{
	if (f->header.run == PROF_RUN_RUNNING)
		f->unfinished++;
	else
		f->damaged++;
}

static void cells_take(struct prof_file *f, const struct nodes *nodes, const unsigned char *from,
		       size_t n, struct prof_rtimeline *t)
{
	uint32_t bucket = 0;

	for (size_t i = 0; i < n; i++) {
		struct prof_rcell *const r = &t->cells[t->n];
		struct prof_cell c;

		memcpy(&c, from + i * sizeof(c), sizeof(c));
		*r = (struct prof_rcell){
			.bucket = c.bucket,
			.weight = c.weight,
			.samples = c.samples >> PROF_CELL_SAMPLES_SHIFT,
			.event = (uint8_t)(c.samples >> 8),
			.state = (uint8_t)c.samples,
		};
		if (PROF_STATE_OF(r->state) >= PROF_STATES)
			r->state = (uint8_t)(PROF_STATE_UNDEFINED | (r->state & PROF_STATE_MARKS));
		if (r->event >= f->header.nevents || c.bucket < bucket) {
			f->damaged++;
			continue;
		}
		r->node = nodes_find(nodes, c.node);
		if (r->node == PROF_NONE || f->nodes[r->node].thread != t->thread) {
			cell_unplaced(f);
			continue;
		}
		if (!nodes_have_leaves(f->nodes[r->node].kind)) {
			f->damaged++;
			continue;
		}
		bucket = c.bucket;
		t->n++;
	}
}

/* Whether the areas lie within the chunk, and the cells within an area. */
static bool timeline_is_sound(const struct prof_timeline *h, size_t room)
{
	const uint64_t shift = h->now >> 1 & 0x7fffffff;

	return h->cells <= PROF_CELLS_MOST && h->now >> 32 <= h->cells &&
	       2 * (size_t)h->cells * sizeof(struct prof_cell) <= room &&
	       shift <= PROF_TIMELINE_SHIFT_MOST;
}

/* The room bytes at `at` are the chunk's contents.  False: they contradict themselves. */
static bool timeline_take(struct prof_file *f, const struct nodes *nodes, uint32_t owner,
			  const unsigned char *at, size_t room)
{
	struct prof_rtimeline *const t = &f->timelines[f->ntimelines];
	struct prof_timeline h;
	size_t n;

	if (room < sizeof(h))
		return false;
	memcpy(&h, at, sizeof(h));
	if (!timeline_is_sound(&h, room - sizeof(h)))
		return false;
	n = (size_t)(h.now >> 32);
	*t = (struct prof_rtimeline){
		.thread = owner,
		.shift = (unsigned)(h.now >> 1 & PROF_TIMELINE_SHIFT_MOST),
		.origin_ticks = h.origin_ticks,
		.cells = alloc_zeroed(n, sizeof(*t->cells)),
	};
	f->ntimelines++;
	at += sizeof(h) + (h.now & 1) * h.cells * sizeof(struct prof_cell);
	cells_take(f, nodes, at, n, t);
	return true;
}

/* ---- traces ------------------------------------------------------------ */

/* A context that is not known is no damage: there may have been no room for it. */
static uint32_t event_context(const struct prof_file *f, const struct nodes *nodes, uint32_t number)
{
	const uint32_t i = number ? nodes_find(nodes, number) : PROF_NONE;

	return i < f->nnodes ? i : PROF_NONE;
}

static void events_take(struct prof_file *f, const struct nodes *nodes, const unsigned char *ring,
			const struct prof_trace *h, struct prof_rtrace *t)
{
	for (uint64_t i = t->lost; i < h->next; i++) {
		struct prof_traced e;

		memcpy(&e, ring + (size_t)(i & (h->records - 1)) * sizeof(e), sizeof(e));
		if (e.kind < PROF_TRACE_FORK || e.kind >= PROF_TRACE_KINDS) {
			f->damaged += f->header.version <= PROF_VERSION;
			continue;
		}
		t->events[t->n++] = (struct prof_rtraced){
			.ticks = e.ticks,
			.context = event_context(f, nodes, e.context),
			.kind = e.kind,
			.state = e.state < PROF_STATES ? e.state : PROF_STATE_UNDEFINED,
		};
	}
}

/* As timeline_take(). */
static bool trace_take(struct prof_file *f, const struct nodes *nodes, uint32_t owner,
		       const unsigned char *at, size_t room)
{
	struct prof_rtrace *const t = &f->traces[f->ntraces];
	struct prof_trace h;

	if (room < sizeof(h))
		return false;
	memcpy(&h, at, sizeof(h));
	/* Whether the ring lies within the chunk. */
	if (h.records == 0 || (h.records & (h.records - 1)) != 0 ||
	    h.records > (room - sizeof(h)) / sizeof(struct prof_traced))
		return false;
	*t = (struct prof_rtrace){
		.thread = owner,
		/* The oldest one may be half overwritten. */
		.lost = h.next > h.records - 1 ? h.next - (h.records - 1) : 0,
		.events = alloc_zeroed(h.next < h.records ? (size_t)h.next : h.records,
				       sizeof(*t->events)),
	};
	f->ntraces++;
	events_take(f, nodes, at + sizeof(h), &h, t);
	return true;
}

/* ---- all --------------------------------------------------------------- */

void timelines_read(const struct timelines *t, struct prof_file *f, const struct nodes *n,
		    const unsigned char *bytes)
{
	bool(*met)[2] = alloc_zeroed(f->nthreads, sizeof(*met)); /* by thread and kind */

	f->timelines = alloc_zeroed(t->n, sizeof(*f->timelines));
	f->traces = alloc_zeroed(t->n, sizeof(*f->traces));
	for (size_t i = 0; i < t->n; i++) {
		const struct chunk *c = &t->chunks[i];
		const bool traces = c->kind == PROF_CHUNK_TRACE;
		const unsigned char *at = bytes + c->begin;

		/* Of two chunks of one thread the first one is kept. */
		if (c->owner >= f->nthreads || met[c->owner][traces]) {
			f->damaged++;
			continue;
		}
		met[c->owner][traces] = true;
		f->damaged += !(traces ? trace_take(f, n, c->owner, at, c->end - c->begin) :
					 timeline_take(f, n, c->owner, at, c->end - c->begin));
	}
	free(met);
}

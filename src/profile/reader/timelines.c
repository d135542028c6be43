/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timelines.c - see timelines.h.
 *
 * Of a chunk that contradicts itself, what comes before the contradiction is kept.
 */
#include "config.h"

#include "src/profile/reader/timelines.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/grow.h"
#include "src/profile/reader/nodes.h"
#include "src/profile/reader/reader.h"

int timelines_note(struct timelines *t, const struct chunk *c)
{
	struct chunk *room = grow_or_null(t->chunks, t->n, &t->room, sizeof(*room));

	if (!room)
		return -ENOMEM;
	t->chunks = room;
	t->chunks[t->n++] = *c;
	return 0;
}

void timelines_fini(struct timelines *t)
{
	free(t->chunks);
	*t = (struct timelines){ 0 };
}

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

		/* Whether a cell can be used; it is filled in but for its node's index. */
		*r = (struct prof_rcell){
			.bucket = c.bucket,
			.weight = c.weight,
			.samples = c.samples >> PROF_CELL_SAMPLES_SHIFT,
			.event = (uint8_t)(c.samples >> 8),
			.state = (uint8_t)c.samples,
		};
		if (PROF_STATE_OF(r->state) >= PROF_STATES)
			r->state = (uint8_t)(PROF_STATE_UNDEFINED | (r->state & PROF_STATE_MARKS));
		if (!(r->event < f->header.nevents) || c.bucket < bucket) {
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
static bool timelines_head_valid(const struct prof_timeline *h, size_t room)
{
	const uint64_t shift = h->now >> 1 & 0x7fffffff;

	return h->cells <= PROF_CELLS_MOST && h->now >> 32 <= h->cells &&
	       2 * (size_t)h->cells * sizeof(struct prof_cell) <= room &&
	       shift <= PROF_TIMELINE_SHIFT_MOST;
}

static int timelines_chunk_read(struct prof_file *f, const struct nodes *nodes,
				const unsigned char *bytes, const struct chunk *c)
{
	const size_t room = c->end - c->begin;
	struct prof_rtimeline *const t = &f->timelines[f->ntimelines];
	struct prof_timeline h;
	size_t n;

	if (room < sizeof(h)) {
		f->damaged++;
		return 0;
	}
	memcpy(&h, bytes + c->begin, sizeof(h));
	if (!timelines_head_valid(&h, room - sizeof(h))) {
		f->damaged++;
		return 0;
	}
	n = (size_t)(h.now >> 32);
	*t = (struct prof_rtimeline){
		.thread = c->owner,
		.shift = (unsigned)(h.now >> 1 & PROF_TIMELINE_SHIFT_MOST),
		.origin_ticks = h.origin_ticks,
		.cells = calloc(n + 1, sizeof(*t->cells)),
	};
	if (!t->cells)
		return -ENOMEM;
	f->ntimelines++;
	bytes += c->begin + sizeof(h) + (h.now & 1) * h.cells * sizeof(struct prof_cell);
	cells_take(f, nodes, bytes, n, t);
	return 0;
}

int timelines_read(const struct timelines *t, struct prof_file *f, const struct nodes *n,
		   const unsigned char *bytes)
{
	bool *met = calloc(f->nthreads + 1, sizeof(*met));
	int err = 0;

	f->timelines = calloc(t->n + 1, sizeof(*f->timelines));
	if (!f->timelines || !met)
		err = -ENOMEM;
	for (size_t i = 0; i < t->n && !err; i++) {
		const uint32_t owner = t->chunks[i].owner;

		/* Of two chunks of one thread the first one is kept. */
		if (owner >= f->nthreads || met[owner]) {
			f->damaged++;
			continue;
		}
		met[owner] = true;
		err = timelines_chunk_read(f, n, bytes, &t->chunks[i]);
	}
	free(met);
	return err;
}

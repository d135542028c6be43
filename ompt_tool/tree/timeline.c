/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/tree/timeline.h"

#include <stddef.h>
#include <string.h>

#include "ompt_tool/tree/cct.h"
#include "ompt_tool/tree/process.h"

enum {
	THREADS_FULL = 64,	 /* threads from this index on have a smaller timeline */
	FULL_BYTES = 49 * 4096,	 /* 4,180 cells in each area */
	SMALL_BYTES = 13 * 4096, /* 1,108 */
	REFUSED_SAMPLES = 1000,
	CLIMB_MOST = 1 << 12, /* frames; stacks are shallower */
	SPANS_LEAST = 4,      /* sleeps that an area has room for */
#if defined(__x86_64__)
	FIRST_SHIFT = 20, /* a third of a millisecond at 3 GHz */
#else
	FIRST_SHIFT = 14, /* the same at 50 MHz */
#endif
};

bool timeline_on;

/* How far a cell's node is from the leaves. */
enum level {
	LEVEL_SAME,
	LEVEL_ENTRY, /* code of the runtime: where it was entered; else the boundary or root */
	LEVEL_ROOT,
};

void timeline_init(struct timeline *t, void *memory, uint32_t bytes, const struct prof_writer *w,
		   uint64_t origin_ticks)
{
	const size_t room = (bytes - sizeof(struct prof_timeline)) / (2 * sizeof(struct prof_cell));
	struct prof_cell *const cells = (struct prof_cell *)((struct prof_timeline *)memory + 1);

	memset(t, 0, sizeof(*t));
	t->head = memory;
	t->writer = w;
	t->room = (uint32_t)room;
	t->area[0] = cells;
	t->area[1] = cells + room;
	t->fill.cells = cells;
	t->shift = FIRST_SHIFT;
	t->origin_ticks = origin_ticks;
	t->head->origin_ticks = origin_ticks;
	t->head->cells = t->room;
}

/* From here on a reader finds all cells of the valid area. */
static void publish(const struct timeline *t)
{
	__atomic_store_n(&t->head->now, PROF_TIMELINE_NOW(t->now, t->shift, t->fill.n),
			 __ATOMIC_RELEASE);
}

/* ---- cells ------------------------------------------------------------- */

/* The number of the last bucket's cell for that node and key; f->n: it has none.  *slot is
   where a new cell's number is kept, NULL where all slots are in use. */
static uint32_t find(struct timeline *t, const struct timeline_fill *f, uint32_t node, uint32_t key,
		     uint16_t **slot)
{
	const uint64_t h = (node ^ (uint64_t)key << 32) * UINT64_C(0x9e3779b97f4a7c15);

	uint32_t at = (uint32_t)(h >> 48) % TIMELINE_SLOTS;

	for (uint32_t tries = 0; tries < TIMELINE_SLOTS; tries++) {
		const uint32_t i = t->slot[at] - 1u;

		*slot = &t->slot[at];
		if (i >= f->n || i < f->first)
			return f->n;
		if (f->cells[i].node == node && (uint16_t)f->cells[i].samples == key)
			return i;
		at = (at + 1) % TIMELINE_SLOTS;
	}
	*slot = NULL;
	return f->n;
}

/* The buckets that a sample stands for. */
struct span {
	uint64_t first, last;
};

/* Adds to a bucket that is the last one, or a later one; false: there is no cell for it. */
static bool fill_add(struct timeline *t, struct timeline_fill *f, const struct prof_cell *c)
{
	uint16_t *slot;

	if (f->n == 0 || c->bucket != f->bucket) {
		f->first = f->n;
		f->bucket = c->bucket;
	}
	const uint32_t i = find(t, f, c->node, (uint16_t)c->samples, &slot);

	if (i < f->n) {
		f->cells[i].weight += c->weight;
		f->cells[i].samples += c->samples >> PROF_CELL_SAMPLES_SHIFT
							     << PROF_CELL_SAMPLES_SHIFT;
		return true;
	}
	if (f->n == t->room)
		return false;
	f->cells[f->n++] = *c;
	if (slot)
		*slot = (uint16_t)f->n;
	return true;
}

/* ---- coarsening -------------------------------------------------------- */

static bool is_frame(const struct prof_node *n)
{
	return (uint8_t)n->info == PROF_NODE_FRAME;
}

static bool is_runtime(const struct prof_node *n)
{
	return is_frame(n) && (n->info >> 24 & PROF_FRAME_RUNTIME) != 0;
}

/* The node nearer the root that stands for n. */
static uint32_t climb(const struct prof_writer *w, uint32_t n, enum level level)
{
	const struct prof_node *const nodes = cct_node(w, 0);
	const bool runtime = is_runtime(&nodes[cct_link(w, n)]) && level == LEVEL_ENTRY;

	n = cct_link(w, n);

	for (int i = 0; i < CLIMB_MOST && level != LEVEL_SAME; i++) {
		const uint32_t parent = cct_link(w, nodes[n].parent);

		if (parent == 0 || (level == LEVEL_ENTRY && !is_frame(&nodes[n])) ||
		    (runtime && !is_runtime(&nodes[parent])))
			break;
		n = parent;
	}
	return n;
}

static uint32_t buckets(const struct timeline_fill *f)
{
	uint32_t n = f->n != 0;

	for (uint32_t i = 1; i < f->n; i++)
		n += f->cells[i].bucket != f->cells[i - 1].bucket;
	return n;
}

/* Rewrites all cells into the other area, in buckets that are 2^doublings times as wide. */
static void rewrite(struct timeline *t, enum level level, unsigned doublings)
{
	struct timeline_fill to = { .cells = t->area[!t->now] };

	memset(t->slot, 0, sizeof(t->slot));
	for (uint32_t i = 0; i < t->fill.n; i++) {
		struct prof_cell c = t->fill.cells[i];

		c.bucket >>= doublings;
		c.node = climb(t->writer, c.node, level);
		fill_add(t, &to, &c);
	}
	t->fill = to;
	t->now = !t->now;
	t->shift = (uint8_t)(t->shift + doublings);
	publish(t);
}

/* Frees half of the cells: at the root there are fewer than that in a single bucket.  More of
   them are not this thread's: all go. */
static void coarsen(struct timeline *t)
{
	enum level level = LEVEL_SAME;

	do {
		const uint32_t n = buckets(&t->fill);

		if (level == LEVEL_SAME && n < 2 * TIMELINE_BUCKETS_LEAST)
			rewrite(t, level = LEVEL_ENTRY, 0);
		else if (level == LEVEL_ENTRY && n < 2 * TIMELINE_BUCKETS_FEW)
			rewrite(t, level = LEVEL_ROOT, 0);
		else
			rewrite(t, LEVEL_SAME, 1);
	} while (t->fill.n > t->room / 2 && t->shift < PROF_TIMELINE_SHIFT_MOST);
	if (t->fill.n > t->room / 2) {
		t->fill = (struct timeline_fill){ .cells = t->area[t->now] };
		t->shift = FIRST_SHIFT;
		publish(t);
	}
}

/* ---- samples ----------------------------------------------------------- */

/* Clocks of two CPUs may differ a little, so the time may seem to go back. */
static uint64_t bucket_at(const struct timeline *t, uint64_t ticks)
{
	const int64_t since = (int64_t)(ticks - t->origin_ticks);
	const uint64_t bucket = since > 0 ? (uint64_t)since >> t->shift : 0;

	return bucket > t->fill.bucket ? bucket : t->fill.bucket;
}

/* Makes buckets so wide, and so many cells free, that the sample fits. */
static void make_room(struct timeline *t, const struct timeline_sample *s, struct span *span)
{
	for (;;) {
		span->last = bucket_at(t, s->ticks);
		span->first = s->since_ticks != 0 ? bucket_at(t, s->since_ticks) : span->last;
		if (span->first > span->last)
			span->first = span->last;
		if (span->last > UINT32_MAX || span->last - span->first >= t->room / SPANS_LEAST)
			rewrite(t, LEVEL_SAME, 1);
		else if (span->last - span->first >= t->room - t->fill.n)
			coarsen(t);
		else
			return;
	}
}

void timeline_add(struct timeline *t, const struct timeline_sample *s)
{
	const uint32_t n = t->fill.n;
	const uint8_t shift = t->shift;
	struct span span;

	make_room(t, s, &span);
	/* A sleep's weight belongs to all of its time, the sample to its end. */
	const uint64_t parts = span.last - span.first + 1;

	for (uint64_t i = 0; i < parts; i++)
		fill_add(t, &t->fill,
			 &(struct prof_cell){
				 .node = s->node,
				 .bucket = (uint32_t)(span.first + i),
				 .weight = s->weight / parts + (i < s->weight % parts),
				 .samples = (uint64_t)(i == parts - 1) << PROF_CELL_SAMPLES_SHIFT |
					    PROF_CELL_KEY(s->event, s->state),
			 });
	if (t->fill.n != n || t->shift != shift)
		publish(t);
}

/* Where there is no room, asks again only after many samples. */
static bool has_chunk(struct timeline *t, uint32_t thread)
{
	const uint32_t bytes = thread < THREADS_FULL ? FULL_BYTES : SMALL_BYTES;
	struct prof_writer *const w = &process.writer;
	uint64_t offset;

	if (t->head)
		return true;
	if (t->refused != 0) {
		t->refused--;
		return false;
	}
	if (prof_chunk_new(w, PROF_CHUNK_TIMELINE, thread, bytes, &offset) != 0) {
		t->refused = REFUSED_SAMPLES;
		return false;
	}
	timeline_init(t, w->base + offset + sizeof(struct prof_chunk),
		      bytes - (uint32_t)sizeof(struct prof_chunk), w, prof_header(w)->ticks_start);
	return true;
}

void timeline_count(struct timeline *t, uint32_t thread, const struct timeline_sample *s)
{
	if (has_chunk(t, thread))
		timeline_add(t, s);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* counted.c - converts COUNT nodes to a table of regions, threads and parts. */
#include "config.h"

#include "src/tables/counted.h"

#include <stdlib.h>

#include "src/base/alloc.h"
#include "src/base/map.h"
#include "src/model/model.h"
#include "src/tables/regions.h"
#include "src/tables/tables.h"
#include "src/view/view.h"

_Static_assert((int)COUNTS_MIXED == (int)REGION_SPECIALS, "specials");

/* ---- one count ------------------------------------------------------- */

enum counts_state count_state(const struct count *c)
{
	if (!c->enabled_ns && !c->running_ns && !c->value)
		return COUNT_NONE;
	if (!c->running_ns)
		return c->value ? COUNT_EXACT : COUNT_NEVER;
	/* The tolerance covers that the clocks are read one after another. */
	return c->running_ns < c->enabled_ns - c->enabled_ns / 2000 ? COUNT_SCALED : COUNT_EXACT;
}

double count_scaled(const struct count *c)
{
	if (count_state(c) != COUNT_SCALED)
		return (double)c->value;
	return (double)c->value * ((double)c->enabled_ns / (double)c->running_ns);
}

static void counted_count_add(struct count *to, const struct count *from)
{
	to->value = prof_add(to->value, from->value);
	to->enabled_ns = prof_add(to->enabled_ns, from->enabled_ns);
	to->running_ns = prof_add(to->running_ns, from->running_ns);
	to->ticks_ns = prof_add(to->ticks_ns, from->ticks_ns);
}

struct count counts_all(const struct count *cells, size_t event)
{
	struct count sum = { 0 };

	for (unsigned p = 0; p < PROF_PARTS; p++)
		counted_count_add(&sum, &cells[event * PROF_PARTS + p]);
	return sum;
}

struct count counts_work(const struct count *cells, size_t event)
{
	struct count sum = cells[event * PROF_PARTS + PROF_PART_WORK];

	counted_count_add(&sum, &cells[event * PROF_PARTS + PROF_PART_TASK]);
	return sum;
}

double counts_imbalance(const struct counts_region *r, size_t event)
{
	const size_t took_part = r->nthreads > r->team_most ? r->nthreads : r->team_most;
	double most = 0, sum = 0;

	for (size_t i = 0; i < r->nthreads; i++) {
		const struct count c = counts_work(r->threads[i].cells, event);
		const double value = count_scaled(&c);

		most = value > most ? value : most;
		sum += value;
	}
	return sum > 0 ? most * (double)took_part / sum : 0;
}

const char *counts_part_name(enum prof_part part)
{
	static const char *const names[PROF_PARTS] = {
		[PROF_PART_MIXED] = "mixed",   [PROF_PART_WORK] = "work",
		[PROF_PART_WAIT] = "wait",     [PROF_PART_TASK] = "tasks",
		[PROF_PART_IDLE] = "end_idle",
	};

	return part < PROF_PARTS ? names[part] : "mixed";
}

const char *counts_special_name(uint32_t special)
{
	switch (special) {
	case COUNTS_MIXED: return "(not read apart)";
	case COUNTS_REST: return "(after the last reading)";
	case COUNTS_SPECIALS: return "(region)";
	}
	return region_special_name(special);
}

const char *counts_region_kind(uint32_t special)
{
	switch (special) {
	case COUNTS_MIXED: return "mixed";
	case COUNTS_REST: return "rest";
	case COUNTS_SPECIALS: return "region";
	}
	return region_kind(special);
}

/* ---- building -------------------------------------------------------- */

struct counted_builder {
	const struct view *view;
	struct counts *counts;
	uint8_t number[MODEL_EVENTS_MAX]; /* model event to index of counts */
	struct map regions;		  /* key: row */
	struct map threads;		  /* row, thread: block */
	struct block {
		uint32_t row, thread;
	} * blocks;
	uint64_t *keys; /* by row */
	size_t nblocks, nrows;
};

static uint64_t counted_key_of(const struct view *v, const struct view_count *r)
{
	if (r->part == PROF_PART_MIXED)
		return COUNTS_MIXED;
	return table_region_key(v, r->region);
}

/* Gives a region and a thread a block, if they have none. */
static void counted_add_block(struct counted_builder *b, uint64_t key, uint32_t thread)
{
	uint32_t row, block;

	if (map_add(&b->regions, key, 0, (uint32_t)b->nrows, &row))
		b->keys[b->nrows++] = key;
	if (map_add(&b->threads, row, thread, (uint32_t)b->nblocks, &block))
		b->blocks[b->nblocks++] = (struct block){ row, thread };
}

static struct count *cell_of(struct counted_builder *b, uint64_t key, uint32_t thread, size_t event,
			     unsigned part)
{
	const uint32_t row = map_get(&b->regions, key, 0, 0);
	const uint32_t block = map_get(&b->threads, row, thread, 0);

	return &b->counts->cells[(block * b->counts->nevents + event) * PROF_PARTS + part];
}

/* Adds the part of a thread's final counter value that no COUNT node has. */
static void add_rest(struct counted_builder *b, uint32_t thread, struct count *read)
{
	const struct model *m = b->view->model;
	const struct model_process *p = &m->processes[m->threads[thread].process];
	const struct prof_thread *t = m->threads[thread].t;

	for (unsigned own = 0; own < p->file->header.nevents; own++) {
		const size_t e = b->number[p->event[own]];
		struct count *sum = &read[e], whole;

		if (!(m->events[p->event[own]].flags & PROF_EVENT_COUNT_ONLY))
			continue;
		whole = (struct count){ t->values[own].value, t->values[own].enabled_ns,
					t->values[own].running_ns, 0 };
		if (!(t->values_known >> own & 1)) {
			b->counts->ended[e] = false;
		} else if (whole.value >= sum->value) {
			*cell_of(b, COUNTS_REST, thread, e, PROF_PART_MIXED) =
				(struct count){ whole.value - sum->value,
						whole.enabled_ns > sum->enabled_ns ?
							whole.enabled_ns - sum->enabled_ns :
							0,
						whole.running_ns > sum->running_ns ?
							whole.running_ns - sum->running_ns :
							0,
						0 };
			*sum = whole;
		}
		counted_count_add(&b->counts->total[e], sum);
	}
}

static void fill_cells(struct counted_builder *b)
{
	const struct view *v = b->view;
	struct counts *c = b->counts;
	struct count *read = alloc_zeroed(v->model->nthreads * c->nevents + 1, sizeof(*read));

	c->cells = alloc_zeroed((b->nblocks + b->nrows) * c->nevents * PROF_PARTS + 1,
				sizeof(*c->cells));
	for (size_t i = 0; i < v->ncounts; i++) {
		const struct view_count *r = &v->counts[i];
		const size_t e = b->number[r->event];
		const struct count more = { r->value, r->enabled_ns, r->running_ns, r->ticks_ns };

		counted_count_add(cell_of(b, counted_key_of(v, r), r->thread, e, r->part), &more);
		counted_count_add(&read[r->thread * c->nevents + e], &more);
	}
	for (size_t e = 0; e < c->nevents; e++)
		c->ended[e] = true;
	for (uint32_t i = 0; i < v->model->nthreads; i++)
		add_rest(b, i, &read[i * c->nevents]);
	free(read);
}

static bool is_empty(const struct count *cells, size_t nevents)
{
	for (size_t i = 0; i < nevents * PROF_PARTS; i++)
		if (cells[i].value || cells[i].enabled_ns)
			return false;
	return true;
}

/* Groups threads by region with a counting sort. */
static void counted_place_threads(struct counted_builder *b)
{
	struct counts *c = b->counts;
	const size_t size = c->nevents * PROF_PARTS;
	struct counts_thread *place = c->threads;

	for (size_t i = 0; i < b->nblocks; i++)
		c->regions[b->blocks[i].row].nthreads += !is_empty(&c->cells[i * size], c->nevents);
	for (size_t row = 0; row < b->nrows; row++) {
		c->regions[row].threads = place;
		place += c->regions[row].nthreads;
		c->regions[row].nthreads = 0;
	}
	for (size_t i = 0; i < b->nblocks; i++) {
		struct counts_region *r = &c->regions[b->blocks[i].row];
		struct count *cells = &c->cells[i * size];

		if (is_empty(cells, c->nevents))
			continue;
		r->threads[r->nthreads++] = (struct counts_thread){ b->blocks[i].thread, cells };
		for (size_t k = 0; k < size; k++)
			counted_count_add(&r->cells[k], &cells[k]);
	}
}

static int compare_threads(const void *a, const void *b)
{
	const uint32_t x = ((const struct counts_thread *)a)->thread;
	const uint32_t y = ((const struct counts_thread *)b)->thread;

	return x < y ? -1 : x > y;
}

static int compare_regions(const void *a, const void *b)
{
	const struct count x = counts_all(((const struct counts_region *)a)->cells, 0);
	const struct count y = counts_all(((const struct counts_region *)b)->cells, 0);
	const double p = count_scaled(&x), q = count_scaled(&y);

	return p > q ? -1 : p < q;
}

static void fill_regions(struct counted_builder *b)
{
	struct counts *c = b->counts;

	c->regions = alloc_zeroed(b->nrows + 1, sizeof(*c->regions));
	c->threads = alloc_zeroed(b->nblocks + 1, sizeof(*c->threads));
	for (uint32_t row = 0; row < b->nrows; row++) {
		const bool special = b->keys[row] < COUNTS_SPECIALS;

		c->regions[row] = (struct counts_region){
			.special = special ? (uint32_t)b->keys[row] : COUNTS_SPECIALS,
			.line = special ? 0 : (uint32_t)b->keys[row],
			.cells = &c->cells[(b->nblocks + row) * c->nevents * PROF_PARTS],
		};
	}
	counted_place_threads(b);
	for (uint32_t i = REGION_SPECIALS; i < b->view->nregions; i++) {
		const uint32_t row =
			map_get(&b->regions, table_region_key(b->view, i), 0, UINT32_MAX);

		if (row != UINT32_MAX &&
		    b->view->regions[i].counts.team_most > b->counts->regions[row].team_most)
			b->counts->regions[row].team_most = b->view->regions[i].counts.team_most;
	}
	for (uint32_t row = 0; row < b->nrows; row++)
		if (c->regions[row].nthreads)
			c->regions[c->n++] = c->regions[row];
	for (size_t i = 0; i < c->n; i++)
		qsort(c->regions[i].threads, c->regions[i].nthreads, sizeof(*c->threads),
		      compare_threads);
	qsort(c->regions, c->n, sizeof(*c->regions), compare_regions);
}

void counts_build(const struct view *v, struct counts *c)
{
	struct counted_builder b = { .view = v, .counts = c };

	*c = (struct counts){ 0 };
	const struct model *m = b.view->model;

	c->events = alloc_zeroed(m->nevents + 1, sizeof(*c->events));
	for (size_t e = 0; e < m->nevents; e++)
		if (!model_is_sampled(m, e)) {
			b.number[e] = (uint8_t)c->nevents;
			c->events[c->nevents++] = e;
		}
	c->total = alloc_zeroed(c->nevents + 1, sizeof(*c->total));
	c->ended = alloc_zeroed(c->nevents + 1, sizeof(*c->ended));
	if (c->nevents) {
		/* Allocates for the worst case: one block per record, and one rest per thread. */
		const size_t most = v->ncounts + v->model->nthreads + 1;

		b.blocks = alloc_zeroed(most, sizeof(*b.blocks));
		b.keys = alloc_zeroed(most, sizeof(*b.keys));
		for (size_t i = 0; i < v->ncounts; i++)
			counted_add_block(&b, counted_key_of(v, &v->counts[i]),
					  v->counts[i].thread);
		for (uint32_t i = 0; i < v->model->nthreads; i++)
			counted_add_block(&b, COUNTS_REST, i);
	}
	if (c->nevents)
		fill_cells(&b);
	if (c->nevents)
		fill_regions(&b);
	map_free(&b.regions);
	map_free(&b.threads);
	free(b.blocks);
	free(b.keys);
}

void counts_fini(struct counts *c)
{
	free(c->events);
	free(c->total);
	free(c->ended);
	free(c->regions);
	free(c->cells);
	free(c->threads);
	*c = (struct counts){ 0 };
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/tables/lanes.h"

#include <math.h>
#include <stdlib.h>

#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/base/map.h"
#include "src/model/model.h"
#include "src/model/moments.h"
#include "src/tables/tables.h"
#include "src/view/view.h"

static const char no_timeline[] = "it was not kept: use ompcount --timeline";
static const char no_clock[] = "the profile does not have the rate of the clock";

bool lanes_exist(const struct view *v)
{
	for (size_t i = 0; i < v->model->nprocesses; i++)
		if (v->model->processes[i].file->ntimelines)
			return true;
	return false;
}

double lanes_offset_ns(const struct view *v, size_t process)
{
	const struct model *m = v->model;
	uint64_t first = UINT64_MAX;

	for (size_t i = 0; i < m->nprocesses; i++)
		if (m->processes[i].file->header.start_realtime_ns < first)
			first = m->processes[i].file->header.start_realtime_ns;
	return (double)(m->processes[process].file->header.start_realtime_ns - first);
}

double lanes_ns_per_tick(const struct view *v, size_t process)
{
	const struct model_process *p = &v->model->processes[process];
	const struct prof_header *h = &p->file->header;
	struct prof_reading last;

	if (!model_last_reading(p, &last) || last.ticks <= h->ticks_start)
		return 0;
	return (double)(last.monotonic_ns - h->start_monotonic_ns) /
	       (double)(last.ticks - h->ticks_start);
}

uint32_t *lanes_rows(const struct view *v)
{
	uint32_t *rows = alloc_zeroed(v->nregions + 1, sizeof(*rows));
	struct map lines = { 0 };

	for (uint32_t i = 0; i < v->nregions; i++) {
		rows[i] = i;
		if (i >= REGION_SPECIALS)
			map_add(&lines, v->regions[i].line, 0, i, &rows[i]);
	}
	map_free(&lines);
	return rows;
}

/* ---- the grid ---------------------------------------------------------- */

/* A process's place on the axis of time. */
struct axis {
	double offset_ns;
	double ns_per_tick;
};

static double bucket_ns(const struct axis *a, unsigned shift)
{
	return ldexp(a->ns_per_tick, (int)shift);
}

/* The middle of a bucket, from the first process's start on. */
static double bucket_middle(const struct axis *a, const struct prof_file *f,
			    const struct prof_rtimeline *t, uint32_t bucket)
{
	const double origin = (double)(int64_t)(t->origin_ticks - f->header.ticks_start);

	return a->offset_ns + origin * a->ns_per_tick + (bucket + 0.5) * bucket_ns(a, t->shift);
}

/* Chooses the buckets' width, and their number. */
static void grid_build(const struct view *v, const struct axis *axes, struct lanes *l)
{
	for (size_t i = 0; i < v->model->nprocesses; i++) {
		for (size_t k = 0; k < v->model->processes[i].file->ntimelines; k++) {
			const struct prof_rtimeline *t = &v->model->processes[i].file->timelines[k];
			const double width = bucket_ns(&axes[i], t->shift);

			if (t->n && width > l->bucket_ns)
				l->bucket_ns = width;
		}
	}
	for (size_t i = 0; i < v->model->nprocesses; i++) {
		const struct model_process *p = &v->model->processes[i];
		const double end = axes[i].offset_ns + (double)model_elapsed_ns(p);

		if (end > l->end_ns)
			l->end_ns = end;
		for (size_t k = 0; k < p->file->ntimelines; k++) {
			const struct prof_rtimeline *t = &p->file->timelines[k];
			const double last = t->n ? bucket_middle(&axes[i], p->file, t,
								 t->cells[t->n - 1].bucket) :
						   0;

			if (last > l->end_ns)
				l->end_ns = last;
		}
	}
	if (!(l->bucket_ns > 0) || !isfinite(l->end_ns)) {
		l->unknown = no_clock;
		return;
	}
	while (l->end_ns / l->bucket_ns > LANES_BUCKETS_MOST - 1)
		l->bucket_ns *= 2;
	l->nbuckets = (size_t)(l->end_ns / l->bucket_ns) + 1;
}

static uint32_t grid_bucket(const struct lanes *l, double ns)
{
	const double at = ns / l->bucket_ns;

	return !(at > 0) ? 0 : at >= (double)l->nbuckets ? (uint32_t)l->nbuckets - 1 : (uint32_t)at;
}

/* ---- the cells --------------------------------------------------------- */

struct lanes_adding {
	const struct view *v;
	struct lanes *l;
	const struct model_process *p;
	struct map numbers; /* of cells */
};

/* A target is a region and a class. */
static void lanes_add(void *arg, const struct moment_cell *c, uint32_t target, uint64_t weight,
		      uint64_t samples)
{
	struct lanes_adding *a = arg;
	struct lanes *l = a->l;
	const uint32_t thread = a->p->first_thread + a->p->file->nodes[c->node].thread;
	const double ns = (c->slot + 0.5) * l->bucket_ns;
	uint32_t at;

	l->cells = grow(l->cells, l->ncells, &l->room, sizeof(*l->cells));
	/* Whether a filter left that time. */
	if (a->v->to_ns > 0 && (ns < a->v->from_ns || ns >= a->v->to_ns))
		return;
	if (map_add(&a->numbers, (uint64_t)thread << 32 | c->slot, target, (uint32_t)l->ncells,
		    &at))
		l->cells[l->ncells++] = (struct lane_cell){
			.thread = thread,
			.bucket = c->slot,
			.region = target / OMP_CLASSES,
			.class = (uint8_t)(target % OMP_CLASSES),
		};
	struct lane_cell *to = &l->cells[at];
	const struct cost cost = { .samples = samples, .weight = weight };

	to->weight += weight;
	to->samples += samples;
	cost_plus(&l->placed[to->class], &cost);
}

/* Places the cells of the lanes' event of a process, with buckets of the grid as times.  m has all
   but the file and its cells. */
static void process_place(const struct lanes *l, const struct model_process *p,
			  const struct axis *a, struct moments *m)
{
	const struct prof_file *f = p->file;
	struct moment_cell *cells;
	size_t room = 1;

	for (size_t i = 0; i < f->ntimelines; i++)
		room += f->timelines[i].n;
	cells = alloc_zeroed(room, sizeof(*cells));
	for (size_t i = 0; i < f->ntimelines; i++) {
		const struct prof_rtimeline *t = &f->timelines[i];

		for (size_t k = 0; k < t->n; k++) {
			const struct prof_rcell *c = &t->cells[k];

			if (p->event[c->event] != l->event)
				continue;
			cells[m->ncells++] = (struct moment_cell){
				.node = c->node,
				.slot = grid_bucket(l, bucket_middle(a, f, t, c->bucket)),
				.weight = c->weight,
				.samples = c->samples,
				.event = c->event,
				.state = c->state,
			};
		}
	}
	m->file = f;
	m->cells = cells;
	moments_place(m);
	free(cells);
}

static size_t all_leaves(const struct view *v)
{
	size_t n = 0;

	for (size_t i = 0; i < v->model->nprocesses; i++)
		n += moments_leaves(v->model->processes[i].file);
	return n;
}

static int cell_order(const void *a, const void *b)
{
	const struct lane_cell *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->bucket != y->bucket)
		return x->bucket < y->bucket ? -1 : 1;
	if (x->region != y->region)
		return x->region < y->region ? -1 : 1;
	return x->class - y->class;
}

/* By process. */
static struct axis *axes_build(const struct view *v)
{
	const size_t n = v->model->nprocesses;
	struct axis *axes = alloc_zeroed(n + 1, sizeof(*axes));

	for (size_t i = 0; i < n; i++)
		axes[i] = (struct axis){ lanes_offset_ns(v, i), lanes_ns_per_tick(v, i) };
	return axes;
}

void lanes_build(const struct view *v, size_t event, struct lanes *l)
{
	struct axis *axes = axes_build(v);

	*l = (struct lanes){ .event = event, .unknown = lanes_exist(v) ? NULL : no_timeline };
	if (!l->unknown)
		grid_build(v, axes, l);
	if (!l->unknown) {
		/* By leaf of all processes: the region and class of its record. */
		uint32_t *target, *rows = lanes_rows(v);
		const size_t leaves = all_leaves(v);
		size_t record = 0;

		target = alloc_zeroed(leaves + 1, sizeof(*target));
		for (size_t i = 0; i < leaves; i++) {
			target[i] = MOMENTS_NOWHERE;
			if (record >= v->nrecords || (v->kept && !v->kept[i]))
				continue;
			const struct view_record *r = &v->records[record++];
			const struct cost c = { .samples = r->samples, .weight = r->weight };

			target[i] = rows[r->region] * OMP_CLASSES + r->class;
			if (r->event == l->event)
				cost_plus(&l->all[r->class], &c);
		}
		free(rows);
		size_t leaf = 0;

		for (size_t i = 0; i < v->model->nprocesses; i++) {
			const struct model_process *p = &v->model->processes[i];

			struct lanes_adding adding = { .v = v, .l = l, .p = p };
			struct moments m = {
				.target = target + leaf,
				.ntargets = v->nregions * OMP_CLASSES,
				.add = lanes_add,
				.arg = &adding,
			};

			process_place(l, p, &axes[i], &m);
			map_free(&adding.numbers);
			leaf += moments_leaves(p->file);
		}
		free(target);
		if (l->ncells)
			qsort(l->cells, l->ncells, sizeof(*l->cells), cell_order);
	}
	free(axes);
}

void lanes_fini(struct lanes *l)
{
	free(l->cells);
	l->cells = NULL;
	l->ncells = l->room = 0;
}

/* ---- by record --------------------------------------------------------- */

struct recording {
	const struct model_process *p;
	lanes_part_add *add;
	void *arg;
};

static void record_add(void *arg, const struct moment_cell *c, uint32_t target, uint64_t weight,
		       uint64_t samples)
{
	const struct recording *r = arg;

	(void)samples;
	r->add(r->arg, &(struct lane_part){
			       .thread = r->p->first_thread + r->p->file->nodes[c->node].thread,
			       .bucket = c->slot,
			       .record = target,
			       .weight = weight,
		       });
}

void lanes_records(const struct view *v, const struct lanes *l, lanes_part_add *add, void *arg)
{
	const size_t leaves = all_leaves(v);
	uint32_t *target = alloc_zeroed(leaves + 1, sizeof(*target));
	struct axis *axes = axes_build(v);
	size_t leaf = 0;

	for (size_t i = 0, record = 0; i < leaves; i++)
		target[i] = record < v->nrecords && (!v->kept || v->kept[i]) ? (uint32_t)record++ :
									       MOMENTS_NOWHERE;
	for (size_t i = 0; i < v->model->nprocesses; i++) {
		struct recording r = { &v->model->processes[i], add, arg };
		struct moments m = {
			.target = target + leaf,
			.ntargets = v->nrecords,
			.add = record_add,
			.arg = &r,
		};

		process_place(l, r.p, &axes[i], &m);
		leaf += moments_leaves(r.p->file);
	}
	free(target);
	free(axes);
}

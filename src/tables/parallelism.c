/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/tables/parallelism.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/base/map.h"
#include "src/base/pinned.h"
#include "src/model/model.h"
#include "src/tables/lanes.h"
#include "src/tables/tables.h"
#include "src/tables/time_event.h"
#include "src/view/view.h"

enum {
	SAMPLES_EACH = 16, /* of a thread in a bucket */
	PART_ALL = UINT32_MAX,
	NO_THREAD = UINT32_MAX,
};

/* What a process's threads had in one part of the program in one bucket of time. */
struct parallelism_stretch {
	uint64_t slot;		   /* the process and bucket */
	uint32_t part;		   /* PART_ALL: all parts together */
	uint32_t thread, nthreads; /* the latest one, and how many worked */
	bool counted;
	double own_ns;	   /* of that thread */
	double elapsed_ns; /* the most that one thread had */
	double work_ns;	   /* of all threads: work and overhead; */
	double away_ns;	   /* in MPI and blocked */
	double left_ns;	   /* of the elapsed time, for these */
	double parts_ns;   /* PART_ALL: the parts' elapsed times, */
	double asides_ns;  /* and what was away outside of regions */
	bool several;	   /* PART_ALL: parts ran beside each other */
};

struct parallelism_builder {
	const struct view *v;
	struct parallelism *p;
	struct lanes lanes;
	uint32_t group; /* buckets of the lanes in one of ours */
	double sample_ns;
	double *ns_per_event; /* by thread */
	uint32_t *rows;	      /* lanes_rows() */
	uint32_t *part;	      /* by region of the view: the outermost one around it */
	struct map by_part;   /* (slot, part): index of stretches */
	struct parallelism_stretch
		*stretches; /* that of PART_ALL comes before those of the bucket's parts */
	size_t n, room;
	struct map by_line; /* (threads and region, line): index of lines */
	size_t lines_room, rows_room;
};

/* ---- stretches --------------------------------------------------------- */

static bool is_work(unsigned class)
{
	return class == OMP_WORK || class == OMP_OVERHEAD;
}

static bool is_away(unsigned class)
{
	return class == OMP_MPI || class == OMP_BLOCKED;
}

static bool is_region(uint32_t part)
{
	return part >= REGION_SPECIALS || part == REGION_UNKNOWN;
}

static uint64_t parallelism_slot_of(const struct parallelism_builder *b, uint32_t thread,
				    uint32_t bucket)
{
	return (uint64_t)b->v->model->threads[thread].process << 32 | bucket / b->group;
}

/* Threads come one after the other. */
static void stretch_add(struct parallelism_builder *b, const struct lane_cell *c, uint32_t part,
			double ns)
{
	const uint64_t slot = parallelism_slot_of(b, c->thread, c->bucket);
	uint32_t at;

	b->stretches = grow(b->stretches, b->n, &b->room, sizeof(*b->stretches));
	if (map_add(&b->by_part, slot, part, (uint32_t)b->n, &at))
		b->stretches[b->n++] = (struct parallelism_stretch){ .slot = slot,
								     .part = part,
								     .thread = NO_THREAD };
	struct parallelism_stretch *s = &b->stretches[at];

	if (s->thread != c->thread) {
		s->thread = c->thread;
		s->counted = false;
		s->own_ns = 0;
	}
	s->nthreads += is_work(c->class) && !s->counted;
	s->counted = s->counted || is_work(c->class);
	/* A region lasts while its threads wait or sleep; outside of regions work lasts alone,
	   since others wait and sleep beside it. */
	s->own_ns += (is_region(part) || is_work(c->class)) ? ns : 0;
	s->elapsed_ns = fmax(s->elapsed_ns, s->own_ns);
	s->work_ns += is_work(c->class) ? ns : 0;
	s->away_ns += is_away(c->class) ? ns : 0;
}

static struct parallelism_stretch *stretch_all(const struct parallelism_builder *b,
					       const struct parallelism_stretch *s)
{
	return &b->stretches[map_get(&b->by_part, s->slot, PART_ALL, 0)];
}

/* ---- elapsed time ------------------------------------------------------ */

/* When a region ran is known by samples; how long in all, by the runtime. */
static void fit_to_regions(struct parallelism_builder *b)
{
	double *reported = alloc_zeroed(b->v->nregions + 1, sizeof(*reported));
	double *seen = alloc_zeroed(b->v->nregions + 1, sizeof(*seen));
	bool several = false;

	for (size_t i = 0; i < b->n; i++) {
		const struct parallelism_stretch *s = &b->stretches[i];

		several = several || s->several;
		if (s->part != PART_ALL)
			seen[s->part] += s->elapsed_ns;
	}
	if (!several) {
		/* Elapsed time in the outermost regions of each part, as the runtime reported it;
		   -1: not known. */
		const struct view *v = b->v;

		for (uint32_t i = REGION_SPECIALS; i < v->nregions; i++) {
			const struct view_region *r = &v->regions[i];
			double *to = &reported[b->part[i]];

			if (r->parent >= REGION_SPECIALS)
				continue;
			if (v->nrecurrences || r->counts.elapsed_unknown || r->begun ||
			    r->counts.sampled || r->kind != CONSTRUCT_PARALLEL)
				*to = -1;
			else if (*to >= 0)
				*to += (double)r->counts.elapsed_ns + (double)r->counts.open_ns;
		}
	}
	for (size_t i = 0; i < b->n; i++) {
		struct parallelism_stretch *s = &b->stretches[i];

		if (s->part != PART_ALL && reported[s->part] > 0 && seen[s->part] > 0)
			s->elapsed_ns *= reported[s->part] / seen[s->part];
	}
	free(reported);
	free(seen);
}

static void fit_to_buckets(struct parallelism_builder *b)
{
	for (size_t i = 0; i < b->n; i++) {
		const struct parallelism_stretch *s = &b->stretches[i];
		struct parallelism_stretch *all = stretch_all(b, s);

		if (s->part == PART_ALL)
			continue;
		all->parts_ns += s->elapsed_ns;
		all->asides_ns += is_region(s->part) ? 0 : s->away_ns;
	}
	for (size_t i = 0; i < b->n; i++)
		if (b->stretches[i].part != PART_ALL) {
			/* The parts of a bucket follow each other, so they are not longer than it:
			   but for a sample, which stands for time before it. Where parts ran beside
			   each other, the bucket is one stretch. */
			struct parallelism_stretch *s = &b->stretches[i];
			const struct parallelism_stretch *all = stretch_all(b, &b->stretches[i]);
			const double most = b->p->bucket_ns + b->sample_ns;

			if (all->several) {
				s->elapsed_ns = fmin(all->elapsed_ns, most);
				s->work_ns = all->work_ns;
				s->away_ns = all->away_ns;
			} else if (all->parts_ns > most) {
				s->elapsed_ns *= most / all->parts_ns;
			}
			if (all->several || is_region(s->part))
				s->left_ns = s->elapsed_ns - s->work_ns;
			else if (all->asides_ns > 0)
				s->left_ns = (b->p->bucket_ns - all->parts_ns) * s->away_ns /
					     all->asides_ns;
		}
}

/* ---- shares ------------------------------------------------------------ */

/* The elapsed time for each nanosecond of a thread in that class: work comes first, then what is no
   wait, for lack of work. */
static double rate_of(const struct parallelism_stretch *s, unsigned class)
{
	if (is_work(class))
		return s->work_ns > s->elapsed_ns ? s->elapsed_ns / s->work_ns : 1;
	if (is_away(class) && s->left_ns > 0)
		return s->away_ns > s->left_ns ? s->left_ns / s->away_ns : 1;
	return 0;
}

static void parallelism_row_add(struct parallelism_builder *b, uint32_t threads, double ns)
{
	struct parallelism *p = b->p;

	for (; p->nrows <= threads; p->nrows++)
		p->rows = grow(p->rows, p->nrows, &b->rows_room, sizeof(*p->rows));
	p->rows[threads].elapsed_ns += ns;
}

static void parallelism_share_add(void *arg, const struct lane_part *part)
{
	struct parallelism_builder *b = arg;
	struct parallelism *p = b->p;
	const struct view_record *r = &b->v->records[part->record];
	const uint32_t at = map_get(&b->by_part, parallelism_slot_of(b, part->thread, part->bucket),
				    b->part[r->region], NO_THREAD);
	const double ns = (double)part->weight * b->ns_per_event[part->thread];
	const double rate = at == NO_THREAD ? 0 : rate_of(&b->stretches[at], r->class);
	const uint32_t region = b->rows[r->region];
	uint32_t threads = 0, id;

	if (rate <= 0)
		return;
	const uint64_t line = table_line_key(b->v, r);

	/* Rounded; of work at least one. */
	if (is_work(r->class)) {
		const struct parallelism_stretch *s = &b->stretches[at];
		const double n = s->elapsed_ns > 0 ? s->work_ns / s->elapsed_ns : 1;
		const double most = b->v->model->processes[s->slot >> 32].nthreads;

		threads = (uint32_t)(n < 1 ? 1 : fmin(round(n), most));
	}
	p->record_ns[part->record] += ns * rate;
	parallelism_row_add(b, threads, ns * rate);
	p->lines = grow(p->lines, p->nlines, &b->lines_room, sizeof(*p->lines));
	if (map_add(&b->by_line, (uint64_t)threads << 32 | region, line, (uint32_t)p->nlines, &id))
		p->lines[p->nlines++] = (struct parallelism_line){ threads, region, line, 0, 0 };
	p->lines[id].elapsed_ns += ns * rate;
	p->lines[id].work_ns += is_work(r->class) ? ns : 0;
}

/* ---- the whole --------------------------------------------------------- */

/* The outermost region around i, or a special one; the first of those at its line. */
static uint32_t parallelism_part_of(const struct view *v, const uint32_t *rows, uint32_t i)
{
	i = rows[i];
	while (i >= REGION_SPECIALS && v->regions[i].parent >= REGION_SPECIALS &&
	       v->regions[i].parent < i)
		i = v->regions[i].parent;
	return rows[i];
}

/* Buckets in which a thread that works has some samples. */
static void buckets_build(struct parallelism_builder *b)
{
	const struct lanes *l = &b->lanes;
	double ns = 0, samples = 0, all_ns = 0, all = 0;

	for (size_t i = 0; i < l->ncells; i++) {
		const struct lane_cell *c = &l->cells[i];
		const double own = (double)c->weight * b->ns_per_event[c->thread];

		all_ns += own;
		all += (double)c->weight;
		ns += is_work(c->class) ? own : 0;
		samples += is_work(c->class) ? (double)c->samples : 0;
	}
	b->sample_ns = samples > 0 ? ns / samples : 0;
	b->group = (uint32_t)fmin(ceil(SAMPLES_EACH * b->sample_ns / l->bucket_ns),
				  (double)l->nbuckets);
	b->group += !b->group;
	b->p->bucket_ns = l->bucket_ns * b->group;
	for (unsigned class = 0; class < OMP_CLASSES && all > 0; class ++)
		if (is_work(class) && l->all[class].weight > l->placed[class].weight)
			b->p->untimed_ns +=
				(double)(l->all[class].weight - l->placed[class].weight) * all_ns /
				all;
}

static int line_order(const void *a, const void *b)
{
	const struct parallelism_line *x = a, *y = b;

	if (x->threads != y->threads)
		return x->threads < y->threads ? -1 : 1;
	if (x->elapsed_ns != y->elapsed_ns)
		return x->elapsed_ns > y->elapsed_ns ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

/* Samples err: their sum is not to be more than the whole.  The rest is nobody's. */
static void shares_fit(const struct view *v, struct parallelism *p)
{
	double sum = 0, fit;

	for (size_t i = 0; i < p->nrows; i++)
		sum += p->rows[i].elapsed_ns;
	fit = sum > p->elapsed_ns ? p->elapsed_ns / sum : 1;
	p->nobody_ns = p->elapsed_ns - sum * fit;
	for (size_t i = 0; i < p->nrows; i++)
		p->rows[i].elapsed_ns *= fit;
	p->rows[0].elapsed_ns += p->nobody_ns;
	for (size_t i = 0; i < v->nrecords; i++)
		p->record_ns[i] *= fit;
	for (size_t i = 0; i < p->nlines; i++)
		p->lines[i].elapsed_ns *= fit;
}

static void processes_add(const struct model *m, struct parallelism *p)
{
	for (size_t k = 0; k < m->nprocesses; k++) {
		const struct model_process *process = &m->processes[k];
		const uint64_t ns = model_elapsed_ns(process);

		if (!process->file->ntimelines)
			continue;
		p->nprocesses++;
		p->elapsed_ns += (double)ns;
		if (!ns)
			p->unknown = "a process was killed or runs on: its elapsed time is not "
				     "known";
	}
}

static void shares_build(struct parallelism_builder *b)
{
	struct parallelism *p = b->p;

	buckets_build(b);
	const struct lanes *l = &b->lanes;

	for (size_t i = 0; i < l->ncells; i++) {
		const struct lane_cell *c = &l->cells[i];
		const double ns = (double)c->weight * b->ns_per_event[c->thread];

		stretch_add(b, c, PART_ALL, ns);
		stretch_add(b, c, b->part[c->region], ns);
		b->p->work_ns += is_work(c->class) ? ns : 0;
	}
	/* Several initial threads, or threads that are not OpenMP's, work beside regions. */
	for (size_t i = 0; i < b->n; i++) {
		const struct parallelism_stretch *s = &b->stretches[i];

		stretch_all(b, s)->several |= (s->part == REGION_SERIAL && s->nthreads > 1) ||
					      (s->part == REGION_OUTSIDE && s->nthreads > 0);
	}
	processes_add(b->v->model, p);
	if (!p->unknown && p->work_ns <= 0)
		p->unknown = "no work was sampled at a known time, or the clock's rate is not "
			     "known";
	if (p->unknown)
		return;
	fit_to_regions(b);
	fit_to_buckets(b);
	parallelism_row_add(b, 0, 0);
	lanes_records(b->v, &b->lanes, parallelism_share_add, b);
	shares_fit(b->v, p);
	if (p->nlines)
		qsort(p->lines, p->nlines, sizeof(*p->lines), line_order);
	for (size_t i = 0; i < p->nlines; i++) {
		struct parallelism_row *row = &p->rows[p->lines[i].threads];

		row->first = row->n++ ? row->first : i;
	}
}

void parallelism_build(const struct view *v, struct parallelism *p)
{
	struct parallelism_builder b = { .v = v, .p = p };
	const int event = time_event(v->model);

	*p = (struct parallelism){ .event = event < 0 ? 0 : (size_t)event };
	if (event < 0)
		p->unknown = "no event that measures time was sampled: use -e cpu-clock or -e wall";
	else if (v->filtered)
		p->unknown = "the samples are filtered";
	else if (!time_event_sees_all(v->model, p->event))
		p->unknown = "threads had no counter of the event that measures time";
	if (p->unknown)
		return;
	lanes_build(v, p->event, &b.lanes);
	p->unknown = b.lanes.unknown;
	if (!p->unknown) {
		b.ns_per_event = time_event_scales(v->model, p->event);
		p->record_ns = alloc_zeroed(v->nrecords + 1, sizeof(*p->record_ns));
		b.rows = lanes_rows(b.v);
		b.part = alloc_zeroed(b.v->nregions + 1, sizeof(*b.part));
		for (uint32_t i = 0; i < b.v->nregions; i++)
			b.part[i] = parallelism_part_of(b.v, b.rows, i);
		shares_build(&b);
	}
	lanes_fini(&b.lanes);
	map_free(&b.by_part);
	map_free(&b.by_line);
	free(b.ns_per_event);
	free(b.rows);
	free(b.part);
	free(b.stretches);
}

void parallelism_fini(struct parallelism *p)
{
	free(p->rows);
	free(p->lines);
	free(p->record_ns);
	*p = (struct parallelism){ 0 };
}

/* ---- paths ------------------------------------------------------------- */

void parallelism_apply(struct view *v, const struct parallelism *p)
{
	const struct function nobody = { .name = "(no thread worked)",
					 .kind = FUNCTION_ARTIFICIAL };

	v->records = pinned_grow(v->records, v->nrecords, &v->records_room, sizeof(*v->records));
	for (size_t i = 0; i < v->nrecords; i++) {
		struct view_record *r = &v->records[i];

		if (r->event != p->event)
			continue;
		r->weight = (uint64_t)round(p->record_ns[i]);
		r->samples = r->weight ? r->samples : 0;
	}
	const uint32_t function = names_function(&v->names, &nobody);
	uint32_t node = tree_child(&v->tree, 0, function, 0);
	v->records[v->nrecords++] = (struct view_record){
		.weight = (uint64_t)round(p->nobody_ns),
		.node = node,
		.event = (uint8_t)p->event,
		.class = OMP_WAIT,
	};
}

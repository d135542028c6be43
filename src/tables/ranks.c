/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks.c - processes by rank, and what the ranks' busiest threads did. */
#include "config.h"

#include "src/tables/ranks.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/model/model.h"
#include "src/tables/losses.h"
#include "src/tables/regions.h"
#include "src/view/view.h"

/* ---- ranks ----------------------------------------------------------- */

static const char *rank_text(const struct model *m, size_t process)
{
	return prof_text(m->processes[process].file, PROF_INFO_RANK);
}

/* Numbers in their order; what is no number by its text, after them. */
static int compare_ranks(const void *a, const void *b)
{
	const struct rank *x = a, *y = b;
	char *end_x, *end_y;
	const unsigned long i = strtoul(x->name, &end_x, 10), j = strtoul(y->name, &end_y, 10);

	if (!*end_x != !*end_y)
		return *end_x ? 1 : -1;
	if (i != j)
		return i < j ? -1 : 1;
	if (strcmp(x->name, y->name) != 0)
		return strcmp(x->name, y->name);
	return x->process < y->process ? -1 : x->process > y->process;
}

uint32_t ranks_of(const struct ranks *r, uint32_t thread)
{
	return r->of[r->view->model->threads[thread].process];
}

/* ---- calls ----------------------------------------------------------- */

static bool call_key(const struct view *v, const struct view_record *r, void *arg,
		     struct table_key_pair *key)
{
	(void)v;
	(void)arg;
	key->a = (uint64_t)r->line << 32 | r->thread;
	key->b = (uintptr_t)r->object;
	return r->class == OMP_MPI;
}

static int compare_calls(const void *a, const void *b)
{
	const struct table_row *x = a, *y = b;
	const uint64_t i = x->key >> 32, j = y->key >> 32;

	if (i != j)
		return i < j ? -1 : 1;
	return x->key2 < y->key2 ? -1 : x->key2 > y->key2;
}

static bool is_new_call(const struct table *t, size_t i)
{
	return i == 0 || compare_calls(&t->rows[i - 1], &t->rows[i]) != 0;
}

static void ranks_calls(struct ranks *r)
{
	struct table t;
	size_t n = 0;

	table_build_parts(r->view, call_key, NULL, &t);
	qsort(t.rows, t.n, sizeof(*t.rows), compare_calls);
	for (size_t i = 0; i < t.n; i++)
		n += is_new_call(&t, i);
	r->calls = alloc_zeroed(n + 1, sizeof(*r->calls));
	r->room = alloc_zeroed(n * r->n + 1, sizeof(*r->room));
	for (size_t i = 0; i < t.n; i++) {
		const struct table_row *row = &t.rows[i];
		const uint32_t rank = ranks_of(r, (uint32_t)row->key);

		if (is_new_call(&t, i)) {
			r->calls[r->ncalls] = (struct rank_call){
				.line = (uint32_t)(row->key >> 32),
				.call = (const char *)(uintptr_t)row->key2,
				.in = &r->room[r->ncalls * r->n],
			};
			r->ncalls++;
		}
		if (rank != UINT32_MAX)
			r->calls[r->ncalls - 1].in[rank] += cost_sum(row->self, r->event).weight;
	}
	table_fini(&t);
}

void ranks_build(const struct view *v, size_t event, struct ranks *r)
{
	*r = (struct ranks){ .view = v, .event = event };

	/* Several processes may be of one rank: the program's, and the scripts that started it. */
	const struct model *m = r->view->model;
	size_t n = 0;

	r->all = alloc_zeroed(m->nprocesses + 1, sizeof(*r->all));
	r->of = alloc_zeroed(m->nprocesses + 1, sizeof(*r->of));
	for (uint32_t i = 0; i < m->nprocesses; i++) {
		r->of[i] = UINT32_MAX;
		if (rank_text(m, i))
			r->all[n++] = (struct rank){ .name = rank_text(m, i), .process = i };
	}
	qsort(r->all, n, sizeof(*r->all), compare_ranks);
	for (size_t i = 0; i < n; i++) {
		const struct rank rank = r->all[i];

		if (!r->n || strcmp(r->all[r->n - 1].name, rank.name) != 0)
			r->all[r->n++] = rank;
		r->of[rank.process] = (uint32_t)r->n - 1;
	}
	if (r->n < 2)
		r->n = 0;
	if (!r->n)
		return;
	r->in_region = alloc_zeroed(r->n, sizeof(*r->in_region));
	ranks_calls(r);
}

void ranks_fini(struct ranks *r)
{
	free(r->all);
	free(r->of);
	free(r->calls);
	free(r->room);
	free(r->in_region);
	*r = (struct ranks){ 0 };
}

/* ---- times ----------------------------------------------------------- */

void ranks_in_region(const struct ranks *r, const struct region_row *g, double *times)
{
	for (size_t i = 0; i < r->n; i++)
		times[i] = 0;
	for (size_t i = 0; i < g->nthreads; i++) {
		const uint32_t rank = ranks_of(r, g->threads[i].thread);
		const double busy =
			(double)cost_at(g->threads[i].self, r->event, OMP_WORK)->weight +
			(double)cost_at(g->threads[i].self, r->event, OMP_OVERHEAD)->weight;

		if (rank != UINT32_MAX && busy > times[rank])
			times[rank] = busy;
	}
}

void ranks_in_run(const struct ranks *r, const struct regions *regions, double *times)
{
	for (size_t i = 0; i < r->n; i++)
		times[i] = 0;
	for (size_t i = 0; i < regions->n; i++) {
		const struct region_row *g = &regions->all[i];

		if (g->special == REGION_IDLE || losses_is_outside(g->special))
			continue;
		ranks_in_region(r, g, r->in_region);
		for (size_t k = 0; k < r->n; k++)
			times[k] += r->in_region[k];
	}
}

static int compare_times(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

bool ranks_spread(const struct ranks *r, const double *times, struct rank_spread *s)
{
	double *sorted = alloc_zeroed(r->n + 1, sizeof(*sorted));

	*s = (struct rank_spread){ 0 };
	for (uint32_t i = 0; i < r->n; i++) {
		sorted[i] = times[i];
		s->mean += times[i] / (double)r->n;
		if (times[i] > times[s->slowest])
			s->slowest = i;
		if (times[i] < times[s->fastest])
			s->fastest = i;
	}
	qsort(sorted, r->n, sizeof(*sorted), compare_times);
	if (r->n) {
		s->least = sorted[0];
		s->median = (sorted[(r->n - 1) / 2] + sorted[r->n / 2]) / 2;
		s->most = sorted[r->n - 1];
	}
	free(sorted);
	return s->most > 0;
}

double ranks_between(const struct rank_spread *s)
{
	return s->mean > 0 ? s->most / s->mean : 0;
}

/* ---- within a rank --------------------------------------------------- */

struct spread_sums {
	double most, mean;
};

/* The threads of g from number i on that are of one process. */
static struct region_row ranks_part_of(const struct ranks *r, const struct region_row *g, size_t i)
{
	const struct model *m = r->view->model;
	const uint32_t process = m->threads[g->threads[i].thread].process;
	const uint32_t team = m->processes[process].openmp_threads;
	struct region_row part = *g;

	part.threads = &g->threads[i];
	part.counts.team_most = g->counts.team_most < team ? g->counts.team_most : team;
	part.nthreads = 1;
	while (i + part.nthreads < g->nthreads &&
	       m->threads[part.threads[part.nthreads].thread].process == process)
		part.nthreads++;
	return part;
}

static struct spread_work ranks_work_of(const struct ranks *r, const struct region_row *part)
{
	return spread_work(part->threads, part->nthreads, part->counts.team_most, r->event);
}

/* The sums over the ranks. */
static struct spread_sums sums_within(const struct ranks *r, const struct region_row *g)
{
	struct spread_sums sums = { 0 };

	for (size_t i = 0; i < g->nthreads;) {
		const struct region_row part = ranks_part_of(r, g, i);
		const struct spread_work w = ranks_work_of(r, &part);

		sums.most += (double)w.most;
		sums.mean += w.mean;
		i += part.nthreads;
	}
	return sums;
}

double ranks_within(const struct ranks *r, const struct region_row *g)
{
	const struct spread_sums sums = sums_within(r, g);

	return sums.mean > 0 ? sums.most / sums.mean : 0;
}

double ranks_within_run(const struct ranks *r, const struct regions *regions,
			const struct region_row **worst)
{
	double most = 0, mean = 0, ahead = 0;

	*worst = NULL;
	for (size_t i = 0; i < regions->n; i++) {
		const struct region_row *g = &regions->all[i];
		const struct spread_sums sums = sums_within(r, g);

		if (g->special != REGION_SPECIALS)
			continue;
		most += sums.most;
		mean += sums.mean;
		if (sums.most - sums.mean > ahead) {
			ahead = sums.most - sums.mean;
			*worst = g;
		}
	}
	return mean > 0 ? most / mean : 0;
}

bool ranks_worst(const struct ranks *r, const struct region_row *g, struct region_row *worst)
{
	double most = 0;

	for (size_t i = 0; i < g->nthreads;) {
		const struct region_row part = ranks_part_of(r, g, i);
		const struct spread_work w = ranks_work_of(r, &part);

		if ((double)w.most - w.mean > most) {
			most = (double)w.most - w.mean;
			*worst = part;
		}
		i += part.nthreads;
	}
	return most > 0;
}

/* ---- waits ----------------------------------------------------------- */

bool ranks_wait(const struct ranks *r, const double *times, uint32_t slowest, struct rank_wait *w)
{
	*w = (struct rank_wait){ 0 };
	for (size_t i = 0; i < r->ncalls; i++) {
		double waited = 0;

		for (size_t k = 0; k < r->n; k++) {
			const double longer =
				(double)r->calls[i].in[k] - (double)r->calls[i].in[slowest];
			const double shorter = times[slowest] - times[k];

			if (longer > 0 && shorter > 0)
				waited += longer < shorter ? longer : shorter;
		}

		if (waited > w->waited)
			*w = (struct rank_wait){ .call = &r->calls[i], .waited = waited };
	}
	return w->call;
}

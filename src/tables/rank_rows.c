/* SPDX-License-Identifier: BSD-3-Clause */
/* rank_rows.c - sums of the threads' costs, by what their processes have in common. */
#include "config.h"

#include "src/tables/rank_rows.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/model/model.h"
#include "src/view/view.h"

static const char *process_text(const struct model *m, uint32_t process, uint32_t kind)
{
	return prof_text(m->processes[process].file, kind);
}

static bool rank_rows_is_same(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

/* Processes in the order of their rows. */
struct rank_rows_order {
	const struct model *m;
	uint32_t kind; /* the text that processes of a row have in common */
};

static unsigned long rank_rows_number_of(const char *text)
{
	return text ? strtoul(text, NULL, 10) : 0;
}

/* Ranks are numbers; processes without one come last, each in a row of its own. */
static int compare_processes(const void *a, const void *b, void *arg)
{
	const struct rank_rows_order *o = arg;
	const uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	const char *x = process_text(o->m, i, o->kind), *y = process_text(o->m, k, o->kind);
	const unsigned long u = rank_rows_number_of(x), v = rank_rows_number_of(y);

	if (!x != !y)
		return x ? -1 : 1;
	if (o->kind == PROF_INFO_RANK && u != v)
		return u < v ? -1 : 1;
	if (x && strcmp(x, y) != 0)
		return strcmp(x, y);
	return i < k ? -1 : 1;
}

/* row[i]: the row of process i. */
static void rows_find(const struct model *m, uint32_t kind, struct rank_rows *r, uint32_t *row)
{
	struct rank_rows_order order = { m, kind };
	uint32_t *processes = alloc_zeroed(m->nprocesses + 1, sizeof(*processes));

	for (uint32_t i = 0; i < m->nprocesses; i++)
		processes[i] = i;
	qsort_r(processes, m->nprocesses, sizeof(*processes), compare_processes, &order);
	for (size_t i = 0; i < m->nprocesses; i++) {
		const uint32_t p = processes[i];
		const char *name = process_text(m, p, kind);
		const char *host = process_text(m, p, PROF_INFO_HOST);
		const char *before = i ? process_text(m, processes[i - 1], PROF_INFO_RANK) : NULL;
		const char *rank = process_text(m, p, PROF_INFO_RANK);
		const bool new = !r->n || (!rank_rows_is_same(r->all[r->n - 1].name, name) &&
					   (name || kind == PROF_INFO_RANK));

		if (new)
			r->all[r->n++] =
				(struct rank_row){ .name = name, .host = host, .process = p };
		row[p] = (uint32_t)r->n - 1;
		r->all[row[p]].nprocesses++;
		r->all[row[p]].nthreads += m->processes[p].threads.all;
		r->all[row[p]].nranks += rank && (new || !rank_rows_is_same(rank, before));
		if (!rank_rows_is_same(host, r->all[row[p]].host))
			r->all[row[p]].host = NULL;
	}
	free(processes);
}

/* What the threads of OpenMP of a process did; of a row, the sums of the most and of the means. */
struct process_work {
	double most, sum;
	bool several; /* there is a process with several threads */
};

static void rows_build(const struct view *v, size_t event, uint32_t kind, struct rank_rows *r)
{
	const size_t n = v->model->nprocesses, block = v->model->nevents * OMP_CLASSES;
	uint32_t *row = alloc_zeroed(n + 1, sizeof(*row));

	*r = (struct rank_rows){
		.all = alloc_zeroed(n + 1, sizeof(*r->all)),
		.room = alloc_zeroed(n * block + 1, sizeof(*r->room)),
	};
	table_build(v, TABLE_THREAD, &r->threads);
	rows_find(v->model, kind, r, row);
	for (size_t i = 0; i < r->n; i++)
		r->all[i].self = &r->room[i * block];
	const struct model *m = v->model;
	struct process_work *work = alloc_zeroed(m->nprocesses + 1, sizeof(*work));

	for (size_t k = 0; k < r->threads.n; k++) {
		const struct table_row *t = &r->threads.rows[k];
		const struct model_thread *of = &m->threads[t->key];
		const double at = (double)cost_at(t->self, event, OMP_WORK)->weight;

		cost_add(r->all[row[of->process]].self, t->self, m->nevents);
		if (of->t->kind == PROF_THREAD_UNKNOWN)
			continue;
		work[of->process].sum += at;
		if (at > work[of->process].most)
			work[of->process].most = at;
	}
	struct process_work *sums = alloc_zeroed(r->n + 1, sizeof(*sums));

	for (uint32_t p = 0; p < m->nprocesses; p++) {
		sums[row[p]].most += work[p].most;
		sums[row[p]].sum += work[p].sum / m->processes[p].openmp_threads;
		sums[row[p]].several = sums[row[p]].several || m->processes[p].openmp_threads > 1;
	}
	for (size_t k = 0; k < r->n; k++)
		if (sums[k].several && sums[k].sum > 0)
			r->all[k].imbalance = sums[k].most / sums[k].sum;
	free(sums);
	free(work);
	free(row);
}

void rank_rows_by_rank(const struct view *v, size_t event, struct rank_rows *r)
{
	rows_build(v, event, PROF_INFO_RANK, r);
}

void rank_rows_by_host(const struct view *v, size_t event, struct rank_rows *r)
{
	rows_build(v, event, PROF_INFO_HOST, r);
}

void rank_rows_fini(struct rank_rows *r)
{
	table_fini(&r->threads);
	free(r->all);
	free(r->room);
	*r = (struct rank_rows){ 0 };
}

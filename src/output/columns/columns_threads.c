/* SPDX-License-Identifier: BSD-3-Clause */
/* columns_threads.c - threads, the CPUs on which they ran, ranks and hosts. */
#include "config.h"

#include <stdlib.h>

#include "src/base/alloc.h"
#include "src/filter/filter.h"
#include "src/model/model.h"
#include "src/output/columns/flat_tables.h"
#include "src/output/printable.h"
#include "src/profile/reader/reader.h"
#include "src/tables/placement.h"
#include "src/tables/rank_rows.h"
#include "src/tables/tables.h"
#include "src/view/view.h"

/* ---- threads --------------------------------------------------------- */

static const struct column thread_columns[] = {
	{ "process", "number of the profile, from 0" },
	{ "host", "where the process ran" },
	{ "rank", "its MPI rank" },
	{ "pid", "its process id" },
	{ "thread", "number of the thread in its process, those of OpenMP first" },
	{ "tid", "the kernel's number of it" },
	{ "kind", "initial, worker or other; unknown: not of OpenMP" },
	{ "elapsed_ns", "time from its begin to its end" },
	{ "lost", "samples that are missing" },
	{ "cpus", "CPUs on which it had samples" },
	{ "moves", "samples on another CPU than the one before" },
	{ "ran_ns", "time on a CPU, as the kernel's scheduler counts it" },
	{ "waited_ns", "time in which it could run, but had no CPU" },
	{ NULL, NULL },
};

void thread_cells(const struct cells *c, const struct prof_thread *t)
{
	const char *kind = thread_kind(t->kind);

	cells_number(c, "tid", t->tid);
	cells_text(c, "kind", kind ? kind : "unknown");
	cells_number_if(c, "elapsed_ns", t->end_ns > t->start_ns, t->end_ns - t->start_ns);
}

void thread_schedule_cells(const struct cells *c, const struct placement_thread *t)
{
	cells_number_if(c, "moves", t->nuses != 0, t->moves);
	cells_number_if(c, "ran_ns", t->schedule_known, t->ran_ns);
	cells_number_if(c, "waited_ns", t->schedule_known, t->waited_ns);
}

static void columns_threads_thread_row(const struct cells *c, uint32_t thread,
				       const struct cost *self)
{
	const struct model_thread *m = &c->report->model->threads[thread];
	const struct prof_file *f = c->report->model->processes[m->process].file;
	const struct placement *p = c->report->placement;

	cells_number(c, "process", m->process);
	cells_text(c, "host", prof_text(f, PROF_INFO_HOST));
	cells_text(c, "rank", prof_text(f, PROF_INFO_RANK));
	cells_number(c, "pid", f->header.pid);
	cells_number(c, "thread", m->number);
	thread_cells(c, m->t);
	cells_number(c, "lost", model_thread_lost(m->t));
	if (p && p->threads[thread].nuses) {
		cells_number(c, "cpus", p->threads[thread].nuses);
		thread_schedule_cells(c, &p->threads[thread]);
	}
	cells_end(c, COSTS_SELF, self);
}

/* Threads without samples, too. */
static void thread_rows(const struct cells *c)
{
	const struct model *m = c->report->model;
	const struct cost **self = alloc_zeroed(m->nthreads + 1, sizeof(*self));
	struct cost *none = alloc_zeroed(m->nevents * OMP_CLASSES + 1, sizeof(*none));
	struct table t;

	table_build(c->report->view, TABLE_THREAD, &t);
	for (size_t i = 0; i < t.n; i++)
		self[t.rows[i].key] = t.rows[i].self;
	for (uint32_t i = 0; i < m->nthreads; i++)
		columns_threads_thread_row(c, i, self[i] ? self[i] : none);
	table_fini(&t);
	free(none);
	free(self);
}

const struct flat_table columns_thread = { thread_columns, COSTS_SELF, thread_rows };

/* ---- CPUs ------------------------------------------------------------ */

static const struct column cpu_columns[] = {
	{ "host", "the host" },
	{ "cpu", "the CPU; empty: samples whose CPU is not known" },
	{ "node", "its NUMA node" },
	{ "socket", "its socket" },
	{ "threads", "threads with samples there" },
	{ NULL, NULL },
};

void cpu_cells(const struct cells *c, const struct placement_cpu *cpu)
{
	const struct prof_file *f = c->report->model->processes[cpu->process].file;

	cells_number(c, "cpu", cpu->cpu);
	cells_text(c, "host", prof_text(f, PROF_INFO_HOST));
	cells_number_if(c, "node", cpu->node >= 0, (uint64_t)cpu->node);
	cells_number_if(c, "socket", cpu->socket >= 0, (uint64_t)cpu->socket);
	cells_number(c, "threads", cpu->nthreads);
}

static uint64_t cpu_less(uint64_t all, uint64_t part)
{
	return all > part ? all - part : 0;
}

/* What is left of all samples after those of the CPUs. */
static void cpu_rest(const struct cells *c, const struct placement *p)
{
	const struct report *r = c->report;
	struct cost *left = alloc_zeroed(r->model->nevents + 1, sizeof(*left));
	struct table t;
	bool any = false;

	table_build(r->view, TABLE_STATE, &t);
	for (size_t e = 0; e < r->model->nevents; e++) {
		left[e] = r->filtered ? r->filtered->all[e] : cost_sum(t.total, e);
		for (size_t i = 0; p && i < p->ncpus; i++) {
			left[e].samples = cpu_less(left[e].samples, p->cpus[i].self[e].samples);
			left[e].weight = cpu_less(left[e].weight, p->cpus[i].self[e].weight);
		}
		any = any || left[e].samples;
	}
	if (any)
		cells_end(c, COSTS_SUMS, left);
	table_fini(&t);
	free(left);
}

/* All samples: filters do not apply, as the profile has the CPUs of each thread, not of each
   sample. */
static void cpu_rows(const struct cells *c)
{
	const struct placement *p = c->report->placement;

	for (size_t i = 0; p && i < p->ncpus; i++) {
		cpu_cells(c, &p->cpus[i]);
		cells_end(c, COSTS_SUMS, p->cpus[i].self);
	}
	cpu_rest(c, p);
}

const struct flat_table columns_cpu = { cpu_columns, COSTS_SUMS, cpu_rows };

/* ---- ranks and hosts -------------------------------------------------------- */

static const struct column rank_columns[] = {
	{ "rank", "the MPI rank; empty: a process without one" },
	{ "host", "where it ran" },
	{ "pid", "its process id, where it has one process" },
	{ "process", JSON_ALONE },
	{ "processes", "the number of its processes" },
	{ "threads", "the number of their threads" },
	{ "imbalance", "the most work of one of its threads over the mean" },
	{ NULL, NULL },
};

static const struct column host_columns[] = {
	{ "host", "the host; empty: not known" },
	{ "ranks", "the number of its MPI ranks" },
	{ "processes", "the number of its processes" },
	{ "threads", "the number of their threads" },
	{ "imbalance", "the sum of the processes' most work of one thread over that of the means" },
	{ NULL, NULL },
};

static void processes_cells(const struct cells *c, const struct rank_row *row)
{
	cells_number(c, "processes", row->nprocesses);
	cells_number(c, "threads", row->nthreads);
	cells_real_if(c, "imbalance", row->imbalance > 0, row->imbalance);
}

void rank_cells(const struct cells *c, const struct rank_row *row)
{
	cells_text(c, "rank", row->name);
	cells_text(c, "host", row->host);
	cells_number(c, "process", row->process);
	processes_cells(c, row);
}

static void rank_rows(const struct cells *c)
{
	struct rank_rows rows;

	rank_rows_by_rank(c->report->view, c->report->event, &rows);
	for (size_t i = 0; i < rows.n; i++) {
		const struct rank_row *row = &rows.all[i];
		const struct prof_file *f = c->report->model->processes[row->process].file;

		rank_cells(c, row);
		cells_number_if(c, "pid", row->nprocesses == 1, f->header.pid);
		cells_end(c, COSTS_SELF, row->self);
	}
	rank_rows_fini(&rows);
}

static void host_rows(const struct cells *c)
{
	struct rank_rows rows;

	rank_rows_by_host(c->report->view, c->report->event, &rows);
	for (size_t i = 0; i < rows.n; i++) {
		cells_text(c, "host", rows.all[i].name);
		cells_number(c, "ranks", rows.all[i].nranks);
		processes_cells(c, &rows.all[i]);
		cells_end(c, COSTS_SELF, rows.all[i].self);
	}
	rank_rows_fini(&rows);
}

const struct flat_table columns_rank = { rank_columns, COSTS_SELF, rank_rows };
const struct flat_table columns_host = { host_columns, COSTS_SELF, host_rows };

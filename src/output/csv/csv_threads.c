/* SPDX-License-Identifier: BSD-3-Clause */
/* csv_threads.c - threads, and the CPUs on which they ran. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>

#include "src/filter/filter.h"
#include "src/model/model.h"
#include "src/output/csv/csv_parts.h"
#include "src/output/csv/csv_table.h"
#include "src/output/output.h"
#include "src/profile/reader/reader.h"
#include "src/tables/placement.h"
#include "src/tables/tables.h"
#include "src/view/view.h"

#include "src/base/alloc.h"

/* ---- threads --------------------------------------------------------- */

enum {
	THREAD_PROCESS,
	THREAD_HOST,
	THREAD_RANK,
	THREAD_PID,
	THREAD_INDEX,
	THREAD_TID,
	THREAD_KIND,
	THREAD_ELAPSED,
	THREAD_LOST,
	THREAD_CPUS,
	THREAD_MOVES,
	THREAD_RAN,
	THREAD_WAITED,
	THREAD_COLUMNS
};

static const struct csv_column thread_columns[THREAD_COLUMNS] = {
	[THREAD_PROCESS] = { "process", "number of the profile, from 0" },
	[THREAD_HOST] = { "host", "where the process ran" },
	[THREAD_RANK] = { "rank", "its MPI rank" },
	[THREAD_PID] = { "pid", "its process id" },
	[THREAD_INDEX] = { "thread", "number of the thread in its process" },
	[THREAD_TID] = { "tid", "the kernel's number of it" },
	[THREAD_KIND] = { "kind", "initial, worker or other; unknown: not of OpenMP" },
	[THREAD_ELAPSED] = { "elapsed_ns", "time from its begin to its end" },
	[THREAD_LOST] = { "lost", "samples that are missing" },
	[THREAD_CPUS] = { "cpus", "CPUs on which it had samples" },
	[THREAD_MOVES] = { "moves", "samples on another CPU than the one before" },
	[THREAD_RAN] = { "ran_ns", "time on a CPU, as the kernel's scheduler counts it" },
	[THREAD_WAITED] = { "waited_ns", "time in which it could run, but had no CPU" },
};

static const char *thread_kind(uint32_t kind)
{
	switch (kind) {
	case PROF_THREAD_INITIAL: return "initial";
	case PROF_THREAD_WORKER: return "worker";
	case PROF_THREAD_OTHER: return "other";
	}
	return "unknown";
}

static uint64_t thread_lost(const struct prof_thread *t)
{
	uint64_t lost = 0;

	for (unsigned cause = 0; cause < PROF_LOST_MAX; cause++)
		if (model_lost_samples(cause))
			lost = prof_add(lost, t->lost[cause]);
	return lost;
}

static void thread_process(struct csv *c, uint32_t process)
{
	const struct prof_file *f = c->report->model->processes[process].file;

	csv_number(c, THREAD_PROCESS, process);
	csv_text(c, THREAD_HOST, prof_text(f, PROF_INFO_HOST));
	csv_text(c, THREAD_RANK, prof_text(f, PROF_INFO_RANK));
	csv_number(c, THREAD_PID, f->header.pid);
}

static void thread_placement(struct csv *c, uint32_t thread)
{
	const struct placement *p = c->report->placement;
	const struct placement_thread *t = p ? &p->threads[thread] : NULL;

	if (!t || !t->nuses)
		return;
	csv_number(c, THREAD_CPUS, t->nuses);
	csv_number(c, THREAD_MOVES, t->moves);
	csv_number_if(c, THREAD_RAN, t->schedule_known, t->ran_ns);
	csv_number_if(c, THREAD_WAITED, t->schedule_known, t->waited_ns);
}

static void thread_row(struct csv *c, uint32_t thread, const struct cost *self)
{
	const struct model_thread *m = &c->report->model->threads[thread];
	const struct prof_thread *t = m->t;

	thread_process(c, m->process);
	csv_number(c, THREAD_INDEX, t->index);
	csv_number(c, THREAD_TID, t->tid);
	csv_text(c, THREAD_KIND, thread_kind(t->kind));
	csv_number_if(c, THREAD_ELAPSED, t->end_ns > t->start_ns, t->end_ns - t->start_ns);
	csv_number(c, THREAD_LOST, thread_lost(t));
	thread_placement(c, thread);
	csv_self(c, self);
	csv_row(c);
}

/* self[i]: the costs of thread i, or none. */
static void threads_rows(struct csv *c, const struct table *t, const struct cost **self)
{
	const struct model *m = c->report->model;
	struct cost *none = alloc_zeroed(m->nevents * OMP_CLASSES + 1, sizeof(*none));

	for (size_t i = 0; i < t->n; i++)
		self[t->rows[i].key] = t->rows[i].self;
	for (uint32_t i = 0; i < m->nthreads; i++)
		thread_row(c, i, self[i] ? self[i] : none);
	free(none);
}

/* Threads without samples, too. */
int csv_threads(FILE *out, const struct report *r)
{
	const struct cost **self = alloc_zeroed(r->model->nthreads + 1, sizeof(*self));
	struct table t = { 0 };
	struct csv c;
	int err = 0;

	err = csv_begin(&c, out, r, thread_columns, THREAD_COLUMNS, CSV_SELF);
	if (!err)
		table_build(r->view, TABLE_THREAD, &t);
	if (!err)
		threads_rows(&c, &t, self);
	table_fini(&t);
	free(self);
	return csv_end(&c, err);
}

/* ---- CPUs ------------------------------------------------------------ */

enum { CPU_HOST, CPU_NUMBER, CPU_NODE, CPU_SOCKET, CPU_THREADS, CPU_COLUMNS };

static const struct csv_column cpu_columns[CPU_COLUMNS] = {
	[CPU_HOST] = { "host", "the host" },
	[CPU_NUMBER] = { "cpu", "the CPU; empty: samples whose CPU is not known" },
	[CPU_NODE] = { "node", "its NUMA node" },
	[CPU_SOCKET] = { "socket", "its socket" },
	[CPU_THREADS] = { "threads", "threads with samples there" },
};

static void cpu_row(struct csv *c, const struct placement_cpu *cpu)
{
	const struct prof_file *f = c->report->model->processes[cpu->process].file;

	csv_text(c, CPU_HOST, prof_text(f, PROF_INFO_HOST));
	csv_number(c, CPU_NUMBER, cpu->cpu);
	csv_number_if(c, CPU_NODE, cpu->node >= 0, (uint64_t)cpu->node);
	csv_number_if(c, CPU_SOCKET, cpu->socket >= 0, (uint64_t)cpu->socket);
	csv_number(c, CPU_THREADS, cpu->nthreads);
	csv_sums(c, cpu->self);
	csv_row(c);
}

static uint64_t cpu_less(uint64_t all, uint64_t part)
{
	return all > part ? all - part : 0;
}

/* What is left of all samples after those of the CPUs. */
static void cpu_rest(struct csv *c, const struct placement *p)
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
	if (any) {
		csv_sums(c, left);
		csv_row(c);
	}
	table_fini(&t);
	free(left);
}

/* All samples: filters do not apply, as the profile has the CPUs of each thread, not of each
   sample. */
int csv_cpus(FILE *out, const struct report *r)
{
	const struct placement *p = r->placement;
	struct csv c;
	int err = csv_begin(&c, out, r, cpu_columns, CPU_COLUMNS, CSV_SUMS);

	for (size_t i = 0; p && i < p->ncpus && !err; i++)
		cpu_row(&c, &p->cpus[i]);
	if (!err)
		cpu_rest(&c, p);
	return csv_end(&c, err);
}

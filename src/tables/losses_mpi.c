/* SPDX-License-Identifier: BSD-3-Clause */
/* losses_mpi.c - time in MPI or blocked, and the efficiencies of a run of several processes. */
#include "config.h"

#include <stdlib.h>

#include "src/model/model.h"
#include "src/tables/losses.h"
#include "src/tables/losses_parts.h"
#include "src/view/view.h"

#include "src/base/alloc.h"

/* By each process, the samples of a class. */
static struct away_time *time_in(const struct view *v, const struct losses *l, enum omp_class class)
{
	size_t n;
	const struct view_record *parts = view_parts(v, &n);
	struct away_time *all = alloc_zeroed(v->model->nprocesses + 1, sizeof(*all));

	for (size_t i = 0; i < n; i++) {
		const struct view_record *r = &parts[i];
		struct away_time *t = &all[v->model->threads[r->thread].process];

		if (r->event != l->event || r->class != class || r->leaf == LEAF_READY ||
		    losses_is_outside(r->region))
			continue;
		*(r->region == REGION_SERIAL ? &t->outside : &t->inside) +=
			losses_of_record(l, v, r, NULL);
	}
	return all;
}

void losses_away(const struct view *v, struct losses *l)
{
	l->mpi = omp_has_class(v->classes, OMP_MPI);
	l->mpi_time = time_in(v, l, OMP_MPI);
	l->blocked_time = time_in(v, l, OMP_BLOCKED);
}

double losses_idle_meanwhile(const struct view *v, struct away_time *of, double most)
{
	double sum = 0;

	for (size_t i = 0; i < v->model->nprocesses; i++) {
		const struct model_process *p = &v->model->processes[i];
		const uint32_t initial = model_threads_of(p, 1u << PROF_THREAD_INITIAL);

		/* Of several initial threads each may have workers: which ones is not known. */
		if (initial == 1)
			of[i].idle = of[i].outside * (p->openmp_threads - 1);
		sum += of[i].idle;
	}
	for (size_t i = 0; i < v->model->nprocesses && sum > most; i++)
		of[i].idle *= most > 0 ? most / sum : 0;
	return sum < most ? sum : most > 0 ? most : 0;
}

/* ---- efficiencies -------------------------------------------------------------------------- */

static double losses_mpi_share(const struct losses *l, double ns)
{
	return l->run.all > 0 ? ns / l->run.all : 0;
}

double losses_efficiency(const struct losses *l)
{
	return losses_mpi_share(l, l->run.work);
}

double losses_mpi_efficiency(const struct losses *l)
{
	return 1 - losses_mpi_share(l, l->run.lost[LOSS_MPI]);
}

/* What a split lost to anything but MPI. */
static double lost_by_openmp(const struct time_split *s)
{
	return s->all - s->work - s->lost[LOSS_MPI];
}

double losses_serial_efficiency(const struct losses *l)
{
	return 1 - losses_mpi_share(l, lost_by_openmp(&l->region[REGION_SERIAL]) +
					       lost_by_openmp(&l->region[REGION_IDLE]));
}

double losses_region_efficiency(const struct losses *l)
{
	return 2 + losses_efficiency(l) - losses_serial_efficiency(l) - losses_mpi_efficiency(l);
}

struct mpi_factors losses_mpi_factors(const struct losses *l, const struct view *v)
{
	double most = 0, threads = 0;

	for (size_t i = 0; i < v->model->nprocesses; i++) {
		const struct model_process *p = &v->model->processes[i];
		const struct away_time *t = &l->mpi_time[i];
		double outside;

		if (!losses_uses_openmp(p))
			continue;
		outside = (double)model_elapsed_ns(p) -
			  (t->outside + t->inside + t->idle) / p->openmp_threads;
		most = outside > most ? outside : most;
		threads += p->openmp_threads;
	}
	/* Elapsed time is the mean over the threads, so that the factors add up. */
	most /= threads > 0 ? l->run.all / threads : 1;
	return (struct mpi_factors){
		.balance = 1 - most + losses_mpi_efficiency(l),
		.communication = most,
	};
}

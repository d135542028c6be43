/* SPDX-License-Identifier: BSD-3-Clause */
/* losses_mpi.c - the efficiencies of a run of several processes. */
#include "config.h"

#include "src/model/model.h"
#include "src/tables/losses.h"
#include "src/view/view.h"

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

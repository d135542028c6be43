/* SPDX-License-Identifier: BSD-3-Clause */
/* finding_ranks.c - the rule about the work of a job's MPI ranks. */
#include "config.h"

#include <stdlib.h>

#include "src/tables/finding_rules.h"
#include "src/tables/ranks.h"
#include "src/view/view.h"

#include "src/base/alloc.h"

/* The row in which the rank exceeds the mean by the most, with the times there. */
static uint32_t differing_row(const struct finding_evidence *e, const struct ranks *r,
			      uint32_t rank, double *times, struct rank_spread *found)
{
	uint32_t best = UINT32_MAX;
	double most = 0;

	for (uint32_t i = 0; i < e->regions.n; i++) {
		const struct region_row *g = &e->regions.all[i];
		struct rank_spread s;

		if (g->special == REGION_IDLE || losses_is_outside(g->special))
			continue;
		ranks_in_region(r, g, times);
		if (!ranks_spread(r, times, &s) || times[rank] - s.mean <= most)
			continue;
		most = times[rank] - s.mean;
		*found = s;
		found->most = times[rank];
		best = i;
	}
	return best;
}

/* The rank's thread with the most work in the region. */
static uint32_t busiest_thread(const struct finding_evidence *e, const struct ranks *r,
			       uint32_t rank, const struct region_row *g)
{
	uint64_t most = 0;
	uint32_t thread = UINT32_MAX;

	for (size_t i = 0; i < g->nthreads; i++) {
		const uint64_t work =
			cost_at(g->threads[i].self, e->losses->event, OMP_WORK)->weight;

		if (ranks_of(r, g->threads[i].thread) != rank || work <= most)
			continue;
		most = work;
		thread = g->threads[i].thread;
	}
	return thread;
}

static void rule_ranks(const struct finding_evidence *e, const struct ranks *r,
		       struct finding_list *list, double *times)
{
	const struct mpi_factors factors = losses_mpi_factors(e->losses, e->view);
	struct rank_spread run, there = { 0 };
	struct rank_wait wait;
	struct finding *f;
	uint32_t row, thread;

	ranks_in_run(r, &e->regions, times);
	if (!ranks_spread(r, times, &run))
		return;
	ranks_wait(r, times, run.slowest, &wait);
	row = differing_row(e, r, run.slowest, times, &there);
	thread = row == UINT32_MAX ? UINT32_MAX :
				     busiest_thread(e, r, run.slowest, &e->regions.all[row]);
	if (thread == UINT32_MAX)
		return;
	f = finding_add(list, FINDING_RANKS, &e->regions.all[row],
			(1 - factors.balance) * e->losses->elapsed_ns);
	f->thread = thread;
	f->nranks = (uint32_t)r->n;
	f->most_ns = there.most * e->losses->ns_per_event[thread];
	f->mean_ns = there.mean * e->losses->ns_per_event[thread];
	f->call = wait.call ? wait.call->call : NULL;
	finding_hot_line(e, row, 0, f);
}

void finding_rules_ranks(struct finding_evidence *e, struct finding_list *list)
{
	struct ranks r;
	double *times;

	if (!e->losses->mpi)
		return;
	ranks_build(e->view, e->losses->event, &r);
	if (r.n) {
		times = alloc_zeroed(r.n, sizeof(*times));
		rule_ranks(e, &r, list, times);
		free(times);
	}
	ranks_fini(&r);
}

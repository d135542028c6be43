/* finding_cpus.c - rules about the CPUs that threads had, or did not have. */
#include "config.h"

#include "src/model/model.h"
#include "src/tables/finding_rules.h"
#include "src/tables/placement.h"
#include "src/view/view.h"

#define CONTENDED 0.05 /* of the threads' time: they waited for a CPU */

/* CPU time that is not work; the samples' CPU time: of OpenMP's threads. */
static double cpu_lost(const struct finding_evidence *e)
{
	double sum = 0;

	for (size_t i = 0; i < e->nunits; i++)
		for (unsigned l = 0; l < LOSSES; l++)
			sum += e->units[i].thread[l];
	return sum;
}

static double cpu_seen(const struct finding_evidence *e)
{
	double sum = cpu_lost(e);

	for (size_t i = 0; i < e->nunits; i++)
		sum += e->units[i].work;
	return sum;
}

/* What the scheduler tells of OpenMP's threads. */
struct scheduled {
	double ran, waited;
	bool all; /* of each of them */
};

static struct scheduled scheduled_of(const struct finding_evidence *e)
{
	const struct model *m = e->view->model;
	struct scheduled s = { .all = true };

	for (size_t i = 0; i < m->nthreads; i++) {
		const struct placement_thread *t = &e->placement->threads[i];

		if (m->threads[i].t->kind == PROF_THREAD_UNKNOWN)
			continue;
		s.ran += (double)t->ran_ns;
		s.waited += (double)t->waited_ns;
		s.all = s.all && t->schedule_known;
	}
	return s;
}

/* What thread time in the whole run costs. */
static double gain_of(const struct finding_evidence *e, double thread_ns)
{
	return losses_gain_of(e->losses, REGION_SERIAL, thread_ns);
}

/* The region in which threads did not run for most of the time. */
static const struct region *least_running(const struct finding_evidence *e)
{
	size_t most = 0;

	for (size_t i = 0; i < e->regions.n; i++)
		if (e->rows[i].gain[LOSS_NOT_RUNNING] > e->rows[most].gain[LOSS_NOT_RUNNING])
			most = i;
	return &e->regions.all[most];
}

static void forget(struct finding_evidence *e, enum loss loss)
{
	for (uint32_t row = 0; row < e->regions.n; row++) {
		finding_take_row(e, row, loss);
		e->rows[row].asleep = 0;
	}
}

/* What the run would be shorter by if no thread spun while it waits; 0: that is too little, or
   not known. */
static double gain_of_spinning(const struct finding_evidence *e, uint32_t ncpus)
{
	const double lost = cpu_lost(e), gain = lost / ncpus / (double)e->losses->nprocesses;

	if (e->losses->wall || finding_worth(e, lost) < FINDING_SAMPLES)
		return 0;
	return gain < FINDING_WORTH * e->losses->elapsed_ns ? 0 : gain;
}

/* Waiting threads that spin keep those that work from the CPUs. What the other losses cost
   can't be told then. */
static bool rule_crowded(struct finding_evidence *e, struct finding_list *list,
			 const struct scheduled *s)
{
	const struct model *m = e->view->model;
	const struct placement *p = e->placement;
	uint32_t process = 0;
	struct finding *f;

	while (process < m->nprocesses && !p->processes[process].crowded)
		process++;
	if (process == m->nprocesses || s->waited < CONTENDED * e->losses->run.all)
		return false;
	const uint32_t ncpus = p->processes[process].ncpus;
	const double spun = gain_of_spinning(e, ncpus);

	f = finding_add(list, FINDING_CROWDED, least_running(e), spun);
	if (f) {
		f->process = process;
		f->ncpus = ncpus;
		f->nthreads = m->processes[process].openmp_threads;
		f->part = spun > 0 ? 0 : s->waited / e->losses->run.all;
	}
	for (unsigned loss = 0; loss < LOSSES; loss++)
		forget(e, (enum loss)loss);
	return true;
}

/* The others of the team wait for those that share a CPU. Threads that are not bound would have
   moved to the other CPU, if no other program had had it. */
static bool rule_shared(struct finding_evidence *e, struct finding_list *list)
{
	const struct model *m = e->view->model;

	for (uint32_t i = 0; i < m->nprocesses; i++) {
		const struct placement_process *p = &e->placement->processes[i];
		const double gain = p->sharers ? (double)p->sharers_waited_ns / p->sharers /
							 (double)e->losses->nprocesses :
						 0;
		struct finding *f;

		if (gain < FINDING_WORTH * e->losses->elapsed_ns ||
		    !placement_is_bound(m->processes[i].file))
			continue;
		f = finding_add(list, FINDING_SHARED_CPU, least_running(e), gain);
		if (!f)
			return true;
		f->process = i;
		f->nthreads = p->sharers;
		forget(e, LOSS_NOT_RUNNING);
		forget(e, LOSS_IMBALANCE);
		return true;
	}
	return false;
}

static void rule_busy(struct finding_evidence *e, struct finding_list *list,
		      const struct scheduled *s)
{
	if (s->waited < CONTENDED * e->losses->run.all)
		return;
	finding_add(list, FINDING_BUSY_CPUS, least_running(e), gain_of(e, s->waited));
}

/* The scheduler tells of whole threads: each region has the same part of their waits for CPUs. */
static void take_waits_for_cpus(struct finding_evidence *e, const struct scheduled *s)
{
	double all = 0;

	for (size_t i = 0; i < e->regions.n; i++)
		if (e->rows[i].gain[LOSS_NOT_RUNNING] > 0)
			all += e->rows[i].gain[LOSS_NOT_RUNNING];
	/* Where blocked threads have samples, so have those waits. */
	if (e->losses->wall || all <= 0)
		return;
	const double left = 1 - gain_of(e, s->waited) / all;

	e->not_waited = left > 0 ? left : 0;
	for (size_t i = 0; i < e->regions.n; i++)
		if (e->rows[i].gain[LOSS_NOT_RUNNING] > 0)
			e->rows[i].gain[LOSS_NOT_RUNNING] *= e->not_waited;
}

/* What the scheduler and the samples leave of the time in which threads did not run. */
static void rule_blocked(struct finding_evidence *e, struct finding_list *list)
{
	const struct scheduled s = scheduled_of(e);
	const double kernel = e->losses->user_only ? s.ran - cpu_seen(e) : 0;
	double thread = gain_of(e, 1), blocked = kernel > 0 ? -thread * kernel : 0;

	if (e->losses->wall || !s.all)
		return;
	for (size_t i = 0; i < e->regions.n; i++)
		blocked += e->rows[i].gain[LOSS_NOT_RUNNING];
	if (blocked > 0 && finding_worth(e, blocked / thread) >= FINDING_SAMPLES)
		finding_add(list, FINDING_BLOCKED, least_running(e), blocked);
}

void finding_rules_cpus(struct finding_evidence *e, struct finding_list *list)
{
	if (!e->placement || !e->regions.n)
		return;
	const struct scheduled s = scheduled_of(e);

	if (rule_crowded(e, list, &s) || rule_shared(e, list))
		return;
	rule_busy(e, list, &s);
	take_waits_for_cpus(e, &s);
}

void finding_rules_rest(struct finding_evidence *e, struct finding_list *list)
{
	if (e->placement && e->regions.n && e->placement->processes)
		rule_blocked(e, list);
}

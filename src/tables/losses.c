/* SPDX-License-Identifier: BSD-3-Clause */
/* losses.c - adds up the samples by region and cause, and lays the elapsed times beside. */
#include "config.h"

#include "src/tables/losses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/model/model.h"
#include "src/tables/region_times.h"
#include "src/tables/regions.h"
#include "src/tables/time_event.h"
#include "src/view/view.h"

/* The part of the run's time that regions without an end may have: it is missing elsewhere. */
#define UNFINISHED_MOST 0.005

/* Of fewer samples a share of 50 % is 16 % off by chance. */
#define SAMPLES_LEAST 10

/* The part of the run's time from which on a time below 0 is no rounding of two clocks. */
#define CONTRADICTION_LEAST 0.01

static const struct loss_info {
	const char *key, *name, *meaning;
} infos[LOSSES] = {
	[LOSS_SERIAL] = { "serial", "serial code",
			  "outside of regions the other threads have no work" },
	[LOSS_SMALL_TEAM] = { "small_team", "small teams",
			      "regions with fewer threads than the program has" },
	[LOSS_SINGLE] = { "single", "single", "one thread works, the others wait for it" },
	[LOSS_IMBALANCE] = { "imbalance", "imbalance", "waiting at barriers for later threads" },
	[LOSS_LOCK] = { "lock", "locks", "waiting for locks, critical and atomic regions" },
	[LOSS_ORDERED] = { "ordered", "ordered", "waiting for earlier iterations" },
	[LOSS_TASK_WAIT] = { "task_wait", "task waits", "waiting for tasks to complete" },
	[LOSS_TARGET] = { "target", "target", "waiting for a device" },
	[LOSS_FORK_JOIN] = { "fork_join", "fork and join", "the runtime begins and ends regions" },
	[LOSS_DISPATCH] = { "dispatch", "dispatch", "the runtime distributes iterations" },
	[LOSS_TASKS] = { "task_creation", "task creation", "the runtime creates tasks" },
	[LOSS_RUNTIME] = { "runtime", "other runtime", "the runtime does something else" },
	[LOSS_MPI] = { "mpi", "MPI", "in MPI calls, or no work while the initial thread is" },
	[LOSS_BLOCKED] = { "blocked", "blocked",
			   "asleep in system calls that are not OpenMP's, or no work while the "
			   "initial thread is" },
	[LOSS_NOT_RUNNING] = { "not_running", "not running", "asleep, or the CPU was another's" },
};

const char *loss_key(enum loss loss)
{
	return loss < LOSSES ? infos[loss].key : "unknown";
}

const char *loss_name(enum loss loss)
{
	return loss < LOSSES ? infos[loss].name : "unknown";
}

const char *loss_meaning(enum loss loss)
{
	return loss < LOSSES ? infos[loss].meaning : "unknown";
}

bool losses_has(enum loss loss, unsigned classes)
{
	switch (loss) {
	case LOSS_MPI: return omp_has_class(classes, OMP_MPI);
	case LOSS_BLOCKED: return omp_has_class(classes, OMP_BLOCKED);
	default: return true;
	}
}

/* ---- causes -------------------------------------------------------------------------------- */

/* Of a record that is not work. */
static enum loss loss_of(const struct view *v, const struct view_record *r)
{
	switch ((enum omp_leaf)r->leaf) {
	case LEAF_IDLE: return LOSS_SERIAL;
	case LEAF_REDUCTION:
	case LEAF_IMPLICIT_BARRIER:
	case LEAF_EXPLICIT_BARRIER:
	case LEAF_BARRIER: {
		const uint8_t kind = v->constructs[r->construct].kind;

		return kind == CONSTRUCT_SINGLE || kind == CONSTRUCT_MASKED ? LOSS_SINGLE :
									      LOSS_IMBALANCE;
	}
	case LEAF_LOCK:
	case LEAF_CRITICAL:
	case LEAF_ATOMIC: return LOSS_LOCK;
	case LEAF_ORDERED:
	case LEAF_DOACROSS: return LOSS_ORDERED;
	case LEAF_TASKWAIT:
	case LEAF_TASKGROUP:
	case LEAF_DEPEND: return LOSS_TASK_WAIT;
	case LEAF_TARGET: return LOSS_TARGET;
	case LEAF_FORK_JOIN: return LOSS_FORK_JOIN;
	case LEAF_DISPATCH: return LOSS_DISPATCH;
	case LEAF_TASK_CREATION: return LOSS_TASKS;
	case LEAF_MPI: return LOSS_MPI;
	case LEAF_BLOCKED: return LOSS_BLOCKED;
	case LEAF_READY: return LOSS_NOT_RUNNING;
	default: return LOSS_RUNTIME;
	}
}

/* ---- sampled time -------------------------------------------------------------------------- */

double split_seen(const struct time_split *s)
{
	double sum = s->work;

	for (unsigned i = 0; i < LOSSES; i++)
		sum += s->lost[i];
	return sum;
}

void split_add(struct time_split *to, const struct time_split *s)
{
	to->all += s->all;
	to->work += s->work;
	for (unsigned i = 0; i < LOSSES; i++)
		to->lost[i] += s->lost[i];
}

double losses_of_record(const struct losses *l, const struct view *v, const struct view_record *r,
			enum loss *loss)
{
	if (loss)
		*loss = r->class == OMP_WORK ? LOSSES : loss_of(v, r);
	return (double)r->weight * l->ns_per_event[r->thread];
}

void split_sample(struct time_split *s, const struct losses *l, const struct view *v,
		  const struct view_record *r)
{
	enum loss loss;
	const double ns = losses_of_record(l, v, r, &loss);

	*(loss == LOSSES ? &s->work : &s->lost[loss]) += ns;
}

bool losses_is_outside(uint32_t region)
{
	return region == REGION_OUTSIDE;
}

static void losses_sampled(const struct view *v, struct losses *l)
{
	size_t n;
	const struct view_record *parts = view_parts(v, &n);

	l->ns_per_event = time_event_scales(v->model, l->event);
	for (size_t i = 0; i < n; i++) {
		const struct view_record *r = &parts[i];
		struct time_split *s = &l->region[r->region];

		if (r->event != l->event || losses_is_outside(r->region))
			continue;
		l->samples += model_evidence(v->model, r->event, r->samples, r->weight);
		/* The thread is OpenMP's, but in no team of the program's. */
		if (v->model->threads[r->thread].t->kind == PROF_THREAD_OTHER) {
			enum loss loss;
			const double ns = losses_of_record(l, v, r, &loss);

			/* Helpers that wait lose nothing. */
			if (loss != LOSSES)
				continue;
			l->region[r->region].work += ns;
			l->helped[r->region] += ns;
			l->helpers_ns += ns;
		} else {
			split_sample(s, l, v, r);
		}
	}
}

/* ---- MPI, and blocked ---------------------------------------------------------------------- */

/* By each process, the samples of a class: in MPI, or blocked. */
static struct away_time *losses_time_in(const struct view *v, const struct losses *l,
					enum omp_class class)
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

/* The time of threads without work while their process's initial threads are in MPI outside of
   regions, or blocked there (of: of each process); at most that, which is all that they have no
   work. */
static double losses_idle_meanwhile(const struct view *v, struct away_time *of, double most)
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

/* ---- elapsed time -------------------------------------------------------------------------- */

bool losses_uses_openmp(const struct model_process *p)
{
	return model_threads_of(p, ~(1u << PROF_THREAD_UNKNOWN));
}

/* Whether the region is one that the runtime reported around it: deep recursion leads back to the
   contexts around, which have its entries and its time. */
static bool recurs(const struct view *v, const struct losses *l, size_t region)
{
	const uint32_t line = v->regions[region].line;

	for (uint32_t i = v->regions[region].parent; i >= REGION_SPECIALS; i = v->regions[i].parent)
		if (l->time[i].lasted && v->regions[i].line == line)
			return true;
	return false;
}

/* Adds the time of the processes' threads to *all. */
static const char *why_process_unknown(const struct model *m, struct losses *l, double *all)
{
	for (size_t i = 0; i < m->nprocesses; i++) {
		const struct model_process *p = &m->processes[i];

		if (!losses_uses_openmp(p))
			continue;
		*all += (double)model_elapsed_ns(p) * p->openmp_threads;
		if (!model_elapsed_ns(p))
			return "a process was killed or runs on: its elapsed time is not known";
		l->cut_short = l->cut_short || !p->file->header.end_monotonic_ns;
		if (p->file->header.sampled_from_ns || p->file->header.sampled_until_ns)
			return "only a part of the run was sampled (--delay, --duration)";
		if (p->file->header.pauses)
			return "the program paused the profiler (omp_control_tool), or lets its "
			       "parent trace a thread";
	}
	return NULL;
}

/* After the samples are added up. */
static const char *why_unknown(const struct view *v, struct losses *l)
{
	const struct model *m = v->model;
	double all = 0, unfinished = 0;
	struct prof_value counted;
	const char *why;

	if (l->samples < SAMPLES_LEAST)
		return "too few samples of the event that measures time";
	/* Cycles are time by the counters' own values, which are read at threads' ends. */
	if (m->events[l->event].unit != PROF_UNIT_NS && model_counted(m, l->event, &counted) <= 0)
		return "a process was killed or runs on: its counters' rates are not known";
	if (!time_event_sees_all(m, l->event))
		return "threads had no counter of the event that measures time";
	why = why_process_unknown(m, l, &all);
	if (why)
		return why;
	for (size_t i = REGION_SPECIALS; i < v->nregions; i++) {
		const struct view_region *r = &v->regions[i];

		/* The runtime makes one region more for each team, beside the league's. */
		if (r->kind == CONSTRUCT_TEAMS && l->time[i].lasted)
			return "a teams construct ran on the host";
		/* The runtime at work for regions that the code does not show. */
		if (!l->time[i].lasted && names_is_called(&v->names.lines[r->line]))
			continue;
		/* Single samples may lie in a region's call whose frame is not complete. On the
		   host, a target region is a part of what is around it. */
		if (!l->time[i].lasted)
			unfinished += r->kind != CONSTRUCT_TARGET && !recurs(v, l, i) ?
					      split_seen(&l->region[i]) :
					      0;
		else if (!region_counts_timed(&r->counts))
			return "the runtime does not report how long each region took, or its team";
	}
	return unfinished > UNFINISHED_MOST * all ?
		       "regions were sampled whose times are not known: they had not ended, or the "
		       "runtime does not report them" :
		       NULL;
}

/* The region, or the innermost one around it that the runtime reports; or a special. */
static uint32_t region_shown(const struct view *v, const struct losses *l, uint32_t region)
{
	while (region >= REGION_SPECIALS && !l->time[region].lasted)
		region = v->regions[region].parent;
	return region;
}

static uint32_t region_around(const struct view *v, const struct losses *l, size_t region)
{
	return region_shown(v, l, v->regions[region].parent);
}

/* Elapsed time of each region's entries but for those that recur, which are within others. */
static double *direct_times(const struct view *v, const struct losses *l)
{
	double *elapsed = alloc_zeroed(v->nregions, sizeof(*elapsed));

	for (size_t i = 0; i < v->nregions; i++)
		elapsed[i] = l->time[i].elapsed;
	for (size_t i = 0; i < v->nrecurrences; i++)
		elapsed[v->recurrences[i].region] -= v->recurrences[i].elapsed_ns;
	return elapsed;
}

enum { WIDTH_ROUNDS = 1000 };
#define WIDTH_CHANGE 1e-6

/*
 * The width of a region, from what a nanosecond of its threads' time is of the run's elapsed
 * time: of an entry the part that the region around has, divided by the team's threads; of
 * several entries the mean. So what all threads of regions that are within each other lose is
 * never more than the outermost take. Where a recursion leads back, each region around is within
 * the others: the parts of one round are put into the next.
 */
static void losses_widths(const struct view *v, struct losses *l, double side_by_side)
{
	double *const part = l->width, *const direct = direct_times(v, l);
	double *const back = alloc_zeroed(v->nregions, sizeof(*back));
	double change = 1;

	for (unsigned round = 0; round < WIDTH_ROUNDS && change > WIDTH_CHANGE; round++) {
		change = 0;
		memset(back, 0, v->nregions * sizeof(*back));
		for (size_t i = 0; i < v->nrecurrences; i++) {
			const struct view_recurrence *r = &v->recurrences[i];
			const uint32_t around = region_shown(v, l, r->around);

			back[r->region] +=
				r->elapsed_ns *
				(around < REGION_SPECIALS ? 1 / side_by_side : part[around]);
		}
		for (size_t i = REGION_SPECIALS; i < v->nregions; i++) {
			const uint32_t around = region_around(v, l, i);
			const double above = around < REGION_SPECIALS ? 1 / side_by_side :
									part[around];
			const double now = l->time[i].team > 0 ?
						   (above * direct[i] + back[i]) / l->time[i].team :
						   above;

			if (v->nrecurrences && fabs(now - part[i]) > change * now)
				change = fabs(now - part[i]) / now;
			part[i] = now;
		}
	}
	for (size_t i = REGION_SPECIALS; i < v->nregions; i++)
		l->width[i] = part[i] > 0 ? 1 / part[i] : 1;
	free(direct);
	free(back);
}

/* The time in a region that the runtime does not report: that of the threads that were seen there,
   without those that the code does not show, which are in the time around them, and without
   helpers. */
static double unplaced_ns(const struct view *v, const struct losses *l, size_t region)
{
	return !l->time[region].lasted &&
			       !names_is_called(&v->names.lines[v->regions[region].line]) ?
		       split_seen(&l->region[region]) - l->helped[region] :
		       0;
}

/* Each region's time is its team's; the time in which its threads were the master of a
   region in it is that region's.  side_by_side: initial threads at one time. */
static void losses_elapsed(const struct view *v, struct losses *l, double side_by_side)
{
	losses_widths(v, l, side_by_side);
	for (size_t i = REGION_SPECIALS; i < v->nregions; i++) {
		const struct region_time *t = &l->time[i];
		const uint32_t around = region_around(v, l, i);

		l->parallel = l->parallel || t->lasted;
		l->region[i].all += t->team + unplaced_ns(v, l, i) + l->helped[i];
		if (around >= REGION_SPECIALS)
			l->region[around].all -= t->elapsed + unplaced_ns(v, l, i);
	}
	/* The time of entries that had another region around them is that one's. */
	for (size_t i = 0; i < v->nrecurrences; i++) {
		const struct view_recurrence *r = &v->recurrences[i];
		const uint32_t parent = region_around(v, l, r->region);
		const uint32_t around = region_shown(v, l, r->around);

		if (parent >= REGION_SPECIALS)
			l->region[parent].all += r->elapsed_ns;
		if (around >= REGION_SPECIALS)
			l->region[around].all -= r->elapsed_ns;
	}
	for (size_t i = REGION_SPECIALS; i < v->nregions; i++)
		l->region[i].lost[LOSS_NOT_RUNNING] += l->region[i].all - split_seen(&l->region[i]);
}

/* Elapsed times of the threads that begin regions. */
static double initial_threads_ns(const struct model_process *p, bool *several)
{
	bool main_only = true;
	struct prof_reading last;
	double sum = 0;
	uint64_t n;

	model_last_reading(p, &last);
	/* A record may be of several threads, one after another. */
	if (p->threads.shared)
		sum = (double)p->file->header.initial_ns;
	for (uint32_t i = 0; i < p->nthreads; i++) {
		const struct prof_thread *t = &p->file->threads[i].t;
		const uint64_t over =
			t->end_ns && t->end_ns < last.monotonic_ns ? t->end_ns : last.monotonic_ns;

		if (t->kind != PROF_THREAD_INITIAL)
			continue;
		main_only = t->tid == p->file->header.pid;
		if (!p->threads.shared || !t->end_ns)
			sum += over > t->start_ns ? (double)(over - t->start_ns) : 0;
	}
	n = p->threads.begun[PROF_THREAD_INITIAL];
	*several = *several || n > 1;
	return n > 1 || !main_only ? sum : (double)model_elapsed_ns(p);
}

/* Sums over the processes that use OpenMP. */
struct processes {
	size_t n;
	double elapsed, all, initial; /* of a process, of all and of the initial threads, ns */
	struct model_together together;
	uint32_t threads; /* of a process, the most */
	bool several;	  /* several initial threads */
};

static void processes_of(const struct model *m, struct processes *sum)
{
	struct processes s = { 0 };

	model_together(m, losses_uses_openmp, &s.together);
	for (size_t i = 0; i < m->nprocesses; i++) {
		const struct model_process *p = &m->processes[i];

		if (!losses_uses_openmp(p))
			continue;
		s.n++;
		s.elapsed += (double)model_elapsed_ns(p);
		s.all += (double)model_elapsed_ns(p) * p->openmp_threads;
		s.initial += initial_threads_ns(p, &s.several);
		if (p->openmp_threads > s.threads)
			s.threads = p->openmp_threads;
	}
	*sum = s;
}

/*
 * The rest of the run: the initial threads' serial code, and the time in which the other
 * threads were in no region.
 */
static void losses_outside(const struct view *v, struct losses *l, const struct processes *p)
{
	struct time_split *const serial = &l->region[REGION_SERIAL];
	struct time_split *const idle = &l->region[REGION_IDLE];
	struct time_split *const unknown = &l->region[REGION_UNKNOWN];
	double elapsed = 0, wide = 0; /* of the regions that are in none */
	double inside = 0, unplaced = 0, left;

	for (size_t i = REGION_SPECIALS; i < v->nregions; i++) {
		const uint32_t around = region_around(v, l, i);

		inside += l->region[i].all - l->helped[i];
		unplaced += around == REGION_SERIAL ? unplaced_ns(v, l, i) : 0;
		elapsed += around < REGION_SPECIALS ? l->time[i].elapsed : 0;
		wide += around < REGION_SPECIALS ? l->time[i].wide : 0;
	}
	for (size_t i = 0; i < v->nrecurrences; i++) {
		const struct view_recurrence *r = &v->recurrences[i];
		const double was = region_around(v, l, r->region) < REGION_SPECIALS;
		const double is = region_shown(v, l, r->around) < REGION_SPECIALS;

		elapsed += (is - was) * r->elapsed_ns;
		wide += (is - was) * r->wide_ns;
	}
	/* What spins there is a part of it. */
	serial->lost[LOSS_SERIAL] = 0;
	serial->all = p->initial - elapsed - unplaced + l->helped[REGION_SERIAL];
	serial->lost[LOSS_NOT_RUNNING] += serial->all - split_seen(serial);
	unknown->all = split_seen(unknown);
	*idle = (struct time_split){ .all = p->all - serial->all - inside - unknown->all +
					    l->helped[REGION_SERIAL] + l->helped[REGION_UNKNOWN] };
	idle->lost[LOSS_SMALL_TEAM] = p->several || wide < inside ? 0 : wide - inside;
	left = idle->all - idle->lost[LOSS_SMALL_TEAM];
	idle->lost[LOSS_MPI] = losses_idle_meanwhile(v, l->mpi_time, left);
	left -= idle->lost[LOSS_MPI];
	idle->lost[LOSS_BLOCKED] = losses_idle_meanwhile(v, l->blocked_time, left);
	idle->lost[LOSS_SERIAL] = left - idle->lost[LOSS_BLOCKED];
}

/* False: the times contradict each other.  They come from clocks, not from samples: none is below 0
   unless the runtime reported regions or threads that it did not have. */
static bool losses_run(const struct view *v, struct losses *l, const struct processes *p)
{
	l->threads = p->threads;
	l->elapsed_ns = p->together.ns;
	l->at_once = p->together.sum_ns / p->together.ns;
	l->processes_most = p->together.most;
	for (size_t i = 0; i < REGION_SPECIALS; i++)
		l->width[i] = p->all / p->elapsed;
	for (size_t i = 0; i < v->nregions; i++)
		if (!losses_is_outside((uint32_t)i))
			split_add(&l->run, &l->region[i]);
	const double least = -CONTRADICTION_LEAST * l->run.all;

	for (size_t i = 0; i < v->nregions; i++)
		if (l->region[i].all < least)
			return false;
	return !(l->region[REGION_IDLE].lost[LOSS_SERIAL] < least);
}

void losses_build(const struct view *v, struct losses *l)
{
	const int event = time_event(v->model);
	struct processes p;

	processes_of(v->model, &p);
	*l = (struct losses){ .event = event < 0 ? 0 : (size_t)event, .nprocesses = p.n };
	/* libgomp's threads become OpenMP's with the first region: teams, and tasks outside of
	   regions, need none. */
	if (!p.n)
		l->unknown = v->ntasks > 1 ?
				     "no parallel region was entered: teams or tasks alone" :
				     "no process used OpenMP";
	else if (event < 0)
		l->unknown = "no event that measures time was sampled";
	if (l->unknown)
		return;
	l->user_only = v->model->events[event].flags & PROF_EVENT_USER_ONLY;
	l->classes = v->classes;
	l->wall = v->model->events[event].flags & PROF_EVENT_WALL;
	l->width = alloc_zeroed(v->nregions, sizeof(*l->width));
	l->region = alloc_zeroed(v->nregions, sizeof(*l->region));
	l->helped = alloc_zeroed(v->nregions, sizeof(*l->helped));
	losses_sampled(v, l);
	l->mpi = omp_has_class(v->classes, OMP_MPI);
	l->mpi_time = losses_time_in(v, l, OMP_MPI);
	l->blocked_time = losses_time_in(v, l, OMP_BLOCKED);
	l->time = region_times(v, l->region);
	l->unknown = why_unknown(v, l);
	if (!l->unknown) {
		losses_elapsed(v, l, p.initial > p.elapsed ? p.initial / p.elapsed : 1);
		losses_outside(v, l, &p);
		if (!losses_run(v, l, &p))
			l->unknown = "the regions' times and the threads' contradict each other";
	}
	if (l->unknown)
		losses_fini(l);
}

void losses_fini(struct losses *l)
{
	free(l->ns_per_event);
	free(l->mpi_time);
	free(l->blocked_time);
	l->mpi_time = l->blocked_time = NULL;
	free(l->width);
	free(l->region);
	free(l->helped);
	l->helped = NULL;
	free(l->time);
	l->time = NULL;
	l->ns_per_event = NULL;
	l->width = NULL;
	l->region = NULL;
}

/* ---- of a row ------------------------------------------------------------------------------ */

void losses_of_region(const struct losses *l, const struct region_row *r, struct time_split *split)
{
	*split = (struct time_split){ 0 };
	for (size_t i = 0; i < r->ncontexts && !l->unknown; i++)
		split_add(split, &l->region[r->contexts[i]]);
}

double losses_gain_of(const struct losses *l, uint32_t region, double thread_ns)
{
	return thread_ns / (l->width[region] * l->at_once);
}

double losses_gain(const struct losses *l, const struct region_row *r, double *by)
{
	double sum = 0, part[LOSSES] = { 0 };

	for (size_t i = 0; i < r->ncontexts && !l->unknown; i++) {
		const uint32_t context = r->contexts[i];

		for (unsigned c = 0; c < LOSSES; c++)
			part[c] += losses_gain_of(l, context, l->region[context].lost[c]);
	}
	for (unsigned c = 0; c < LOSSES; c++)
		sum += part[c];
	if (by)
		memcpy(by, part, sizeof(part));
	return sum;
}

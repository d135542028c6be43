/* SPDX-License-Identifier: BSD-3-Clause */
/* finding_evidence.c - adds up what is lost by region, construct and thread. */
#include "config.h"

#include "src/tables/finding_evidence.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "src/base/alloc.h"
#include "src/base/map.h"
#include "src/base/pinned.h"
#include "src/model/model.h"
#include "src/tables/placement.h"
#include "src/tables/surroundings.h"
#include "src/toolchain/toolchain.h"
#include "src/view/view.h"

/* ---- shares ---------------------------------------------------------- */

/* While they are added up. */
struct shares {
	struct finding_share *all;
	size_t n, room;
	struct map by;
};

static struct finding_share *share_of(struct shares *s, uint32_t unit, uint32_t thread)
{
	uint32_t at;

	s->all = pinned_grow(s->all, s->n, &s->room, sizeof(*s->all));
	if (map_add(&s->by, unit, thread, (uint32_t)s->n, &at))
		s->all[s->n++] = (struct finding_share){ .unit = unit, .thread = thread };
	return &s->all[at];
}

static int by_unit_and_thread(const void *a, const void *b)
{
	const struct finding_share *x = a, *y = b;

	if (x->unit != y->unit)
		return x->unit < y->unit ? -1 : 1;
	return (x->thread > y->thread) - (x->thread < y->thread);
}

static void shares_end(struct shares *s, struct finding_share **all, size_t *n)
{
	if (s->n)
		qsort(s->all, s->n, sizeof(*s->all), by_unit_and_thread);
	map_free(&s->by);
	*all = s->all;
	*n = s->n;
}

/* ---- units ----------------------------------------------------------- */

/* While units are added up. */
struct adding {
	struct finding_evidence *e;
	struct map by_unit;
	size_t units_room;
	struct shares shares;
	double seen_ns;
	uint64_t samples;
};

static void add_record(struct adding *a, uint32_t row, const struct view_record *r)
{
	const struct losses *l = a->e->losses;
	struct finding_evidence *e = a->e;
	uint32_t at;

	e->units = pinned_grow(e->units, e->nunits, &a->units_room, sizeof(*e->units));
	if (map_add(&a->by_unit, row, r->construct, (uint32_t)e->nunits, &at))
		e->units[e->nunits++] =
			(struct finding_unit){ .row = row, .construct = r->construct };
	struct finding_unit *u = &e->units[at];
	struct finding_share *s = share_of(&a->shares, (uint32_t)(u - a->e->units), r->thread);
	enum loss loss;

	const uint64_t samples = model_evidence(a->e->view->model, r->event, r->samples, r->weight);
	const double ns = losses_of_record(l, a->e->view, r, &loss);

	a->seen_ns += ns;
	a->samples += samples;
	if (loss == LOSSES) {
		s->work += ns;
		u->work += ns;
		if (r->task && r->in_task) {
			a->e->rows[row].tasks.work += ns;
			s->in_tasks += ns;
		}
		return;
	}
	s->lost[loss] += ns;
	if (r->own) {
		/* No program gains what it would not lose without the profiler. */
		const double gain = losses_gain_of(l, r->region, ns);

		u->own[loss] += gain;
		a->e->rows[row].own[loss] += gain;
		a->e->rows[row].own_thread[loss] += ns;
		return;
	}
	u->samples[loss] += samples;
	u->thread[loss] += ns;
	u->in_calls += loss == LOSS_LOCK && r->in_call ? ns : 0;
	u->gain[loss] += losses_gain_of(l, r->region, ns);
}

uint32_t finding_context(const struct finding_evidence *e, const struct region_row *r)
{
	for (size_t i = 0; i < r->ncontexts; i++)
		if (e->view->regions[r->contexts[i]].counts.entries)
			return r->contexts[i];
	return r->contexts[0];
}

/* ---- work of a team in regions of their own -------------------------- */

/* Sets of each row the work in regions of other rows inside of its regions: a region that enters
   itself has one row. */
static void add_inside(struct finding_evidence *e, const uint32_t *row)
{
	const struct view *v = e->view;
	uint32_t *added = alloc_zeroed(e->regions.n + 1, sizeof(*added)); /* the region, last */

	for (uint32_t i = REGION_SPECIALS; i < v->nregions; i++) {
		const double work = e->losses->region[i].work;
		uint32_t outer = work > 0 ? v->regions[i].parent : REGION_SERIAL;

		added[row[i]] = i;
		for (; outer >= REGION_SPECIALS; outer = v->regions[outer].parent) {
			if (added[row[outer]] != i)
				e->rows[row[outer]].inside += work;
			added[row[outer]] = i;
		}
	}
	free(added);
}

/*
 * A nested region of one thread, as with nesting off, is executed by a thread of the team around
 * it. It has a row of its own, but its work is that of the team.
 */
static void find_nested(struct finding_evidence *e)
{
	/* The region in whose team the threads of each region are. Parents have lower numbers. */
	const struct view *v = e->view;
	uint32_t *host = alloc_zeroed(v->nregions + 1, sizeof(*host));

	for (uint32_t i = 0; i < v->nregions; i++) {
		const struct view_region *r = &v->regions[i];

		host[i] = r->counts.team_most == 1 && r->parent >= REGION_SPECIALS ?
				  host[r->parent] :
				  i;
	}
	/* Each region's row. */
	uint32_t *row = alloc_zeroed(e->view->nregions + 1, sizeof(*row));

	for (uint32_t i = 0; i < e->regions.n; i++)
		for (size_t c = 0; c < e->regions.all[i].ncontexts; c++)
			row[e->regions.all[i].contexts[c]] = i;
	struct shares shares = { 0 };
	size_t n;
	const struct view_record *parts = view_parts(e->view, &n);

	for (size_t i = 0; i < n; i++) {
		const struct view_record *r = &parts[i];
		enum loss loss;

		/* In a recursion they are one row. */
		if (r->event != e->losses->event || row[host[r->region]] == row[r->region])
			continue;
		const double ns = losses_of_record(e->losses, e->view, r, &loss);

		if (loss == LOSSES)
			share_of(&shares, row[host[r->region]], r->thread)->work += ns;
	}
	add_inside(e, row);
	free(host);
	free(row);
	shares_end(&shares, &e->nested, &e->nnested);
}

const struct finding_share *finding_nested_of(const struct finding_evidence *e, uint32_t row,
					      size_t *n)
{
	size_t first = 0, end = e->nnested;

	while (first < end) {
		const size_t middle = first + (end - first) / 2;

		if (e->nested[middle].unit < row)
			first = middle + 1;
		else
			end = middle;
	}
	while (end < e->nnested && e->nested[end].unit == row)
		end++;
	*n = end - first;
	return e->nested + first;
}

/* ---- spreads --------------------------------------------------------- */

static int by_thread(const void *a, const void *b)
{
	const struct finding_share *x = a, *y = b;

	return (x->thread > y->thread) - (x->thread < y->thread);
}

/* Of the threads of one process, which follow one another. */
static void spread_add_process(struct finding_spread *s, const double *time,
			       const struct finding_share *shares, size_t n, uint32_t team)
{
	const uint32_t took_part = n < team ? team : (uint32_t)n;
	double most = 0, second = 0, sum = 0, least = n < team ? 0 : time[0];
	uint32_t slowest = UINT32_MAX;

	for (size_t i = 0; i < n; i++) {
		sum += time[i];
		least = time[i] < least ? time[i] : least;
		if (time[i] > most) {
			second = most;
			most = time[i];
			slowest = shares[i].thread;
		} else if (time[i] > second) {
			second = time[i];
		}
	}
	s->behind += most * took_part - sum;
	if (most <= s->most)
		return;
	s->most = most;
	s->second = second;
	s->least = least;
	s->mean = sum / took_part;
	s->slowest = slowest;
	s->nthreads = took_part;
}

/* The slowest thread is that of all processes; mean and others are those of its process. */
static void spread_of(const struct finding_evidence *e, struct finding_spread *s,
		      const double *time, const struct finding_share *shares, size_t n,
		      uint32_t team)
{
	const struct model_thread *threads = e->view->model->threads;

	*s = (struct finding_spread){ .slowest = UINT32_MAX };
	for (size_t i = 0, end; i < n; i = end) {
		end = i + 1;
		while (end < n &&
		       threads[shares[end].thread].process == threads[shares[i].thread].process)
			end++;
		spread_add_process(s, &time[i], &shares[i], end - i, team);
	}
}

/* A wait for later threads of the team, which can't be late meanwhile. */
static bool is_wait_for_team(unsigned loss)
{
	return loss == LOSS_IMBALANCE || loss == LOSS_SINGLE;
}

/* All that the thread did, but for waits for later threads. */
static double busy_of(const struct finding_share *s)
{
	double sum = s->work;

	for (unsigned loss = 0; loss < LOSSES; loss++)
		sum += is_wait_for_team(loss) ? 0 : s->lost[loss];
	return sum;
}

/* What the busiest thread spends more time in than the others of its process do. */
static void late_of(const struct finding_evidence *e, struct finding_late *late,
		    const struct finding_share *sums, size_t n)
{
	const struct model_thread *threads = e->view->model->threads;
	const uint32_t team = late->busy.nthreads;
	const struct finding_share *busiest = NULL;
	double above = 0;

	late->loss = LOSSES;
	for (size_t i = 0; i < n; i++)
		if (sums[i].thread == late->busy.slowest)
			busiest = &sums[i];
	for (unsigned loss = 0; loss < LOSSES && busiest && team; loss++) {
		double all = 0;

		/* The master begins regions before the others have a part in them; that a thread
		   has no CPU is no doing of its own. */
		if (is_wait_for_team(loss) || loss == LOSS_FORK_JOIN || loss == LOSS_NOT_RUNNING)
			continue;
		for (size_t i = 0; i < n; i++)
			if (threads[sums[i].thread].process == threads[busiest->thread].process)
				all += sums[i].lost[loss];
		if (busiest->lost[loss] - all / team <= above)
			continue;
		above = busiest->lost[loss] - all / team;
		late->loss = (enum loss)loss;
		late->most = busiest->lost[loss];
		late->mean = all / team;
	}
}

const char *finding_passive(const struct finding_evidence *e)
{
	const struct prof_file *f = e->view->model->processes[0].file;
	const char *policy = surroundings_setting(f, "OMP_WAIT_POLICY");
	const struct toolchain *t;

	for (size_t i = 0; (t = toolchain_number(i)); i++) {
		const char *spin = t->spin[SPIN_NOT];
		const char *setting = t->spin_variable ? surroundings_setting(f, t->spin_variable) :
							 NULL;

		if (setting && spin && !strcmp(setting, spin))
			return setting;
	}
	return policy && !strcasecmp(policy + sizeof("OMP_WAIT_POLICY"), "passive") ? policy : NULL;
}

/*
 * A thread that was busy for less time than another one of its team was not for the
 * difference: it waited at barriers, and it did not run for what no sample shows of that.
 * Where the scheduler says how long it waited for a CPU, and it was seen to wait at
 * barriers, or could not be, the rest is sleep there. Where there are tasks, the end of a
 * single region is such a barrier, and so is a taskwait or the end of a taskgroup or
 * taskloop: threads wait there for tasks.
 */
static double asleep_of(const struct finding_evidence *e, const struct finding_spread *s,
			bool tasks, const struct finding_share *shares, size_t n)
{
	const bool unseen = finding_passive(e);
	double asleep = 0;

	for (size_t i = 0; i < n; i++) {
		const struct placement_thread *t = &e->placement->threads[shares[i].thread];
		const double single = shares[i].lost[LOSS_SINGLE];
		const double for_tasks = single + shares[i].lost[LOSS_TASK_WAIT];
		const double waits = shares[i].lost[LOSS_IMBALANCE] + (tasks ? for_tasks : 0);
		const double rest = s->most - busy_of(&shares[i]) - shares[i].lost[LOSS_IMBALANCE] -
				    single - (double)t->waited_ns;

		if (t->schedule_known && (waits > 0 || unseen) && rest > 0)
			asleep += rest;
	}
	return asleep;
}

/* A region around it that the runtime does not report, as GCC's league of teams on the host, has no
   time of its own. */
static bool is_outermost(const struct view_region *regions, uint32_t region)
{
	uint32_t parent = regions[region].parent;

	while (parent >= REGION_SPECIALS && !regions[parent].counts.entries &&
	       !regions[parent].counts.open_ns)
		parent = regions[parent].parent;
	return parent < REGION_SPECIALS;
}

static bool is_simple(const struct finding_evidence *e, const struct region_row *r)
{
	for (size_t i = 0; i < r->ncontexts; i++)
		if (r->contexts[i] < REGION_SPECIALS ||
		    !is_outermost(e->view->regions, r->contexts[i]))
			return false;
	return e->view->model->nprocesses == 1 && r->counts.team_least == r->counts.team_most;
}

/* Adds what the row's threads did in nested regions to n sums by thread; returns how many these are
   then. */
static size_t add_nested(const struct finding_share *nested, size_t nnested,
			 struct finding_share *sums, size_t n)
{
	const size_t before = n;

	for (size_t i = 0; i < nnested; i++) {
		size_t at = 0;

		while (at < before && sums[at].thread != nested[i].thread)
			at++;
		if (at == before)
			sums[n++] = nested[i];
		else
			sums[at].work += nested[i].work;
	}
	qsort(sums, n, sizeof(*sums), by_thread);
	return n;
}

/* The sums over a region's shares, by thread; how many these are. */
static size_t sums_of(const struct finding_share *shares, size_t n, struct finding_share *sums)
{
	size_t own = 0;

	for (size_t i = 0; i < n; i++)
		sums[i] = shares[i];
	qsort(sums, n, sizeof(*sums), by_thread);
	for (size_t i = 0; i < n; i++) {
		if (!own || sums[own - 1].thread != sums[i].thread) {
			sums[own++] = sums[i];
			continue;
		}
		sums[own - 1].work += sums[i].work;
		sums[own - 1].in_tasks += sums[i].in_tasks;
		for (unsigned loss = 0; loss < LOSSES; loss++)
			sums[own - 1].lost[loss] += sums[i].lost[loss];
	}
	return own;
}

static void row_spread(struct finding_evidence *e, uint32_t row, size_t begin, size_t end,
		       struct finding_share *sums, double *time)
{
	const struct region_row *r = &e->regions.all[row];
	struct finding_row *of = &e->rows[row];
	size_t nnested;
	const struct finding_share *nested = finding_nested_of(e, row, &nnested);
	const size_t own = sums_of(&e->shares[begin], end - begin, sums);
	const size_t n = nnested ? add_nested(nested, nnested, sums, own) : own;

	struct finding_task *t = &of->tasks;

	for (size_t i = 0; i < own; i++) {
		const double beside = sums[i].work - sums[i].in_tasks;

		t->beside += beside;
		t->beside_most = beside > t->beside_most ? beside : t->beside_most;
	}
	for (size_t i = 0; i < n; i++)
		time[i] = sums[i].work;
	spread_of(e, &of->spread, time, sums, n, r->counts.team_most);
	/* Nothing shows in which of the region's constructs nested regions are. */
	for (size_t i = 0; i < of->n && nnested; i++)
		e->units[of->first + i].spread = of->spread;
	for (size_t i = 0; i < n; i++)
		time[i] = busy_of(&sums[i]);
	spread_of(e, &of->late.busy, time, sums, n, r->counts.team_most);
	late_of(e, &of->late, sums, n);
	if (!e->placement || e->losses->wall || !is_simple(e, r) || !n)
		return;
	of->asleep = losses_gain_of(e->losses, finding_context(e, r),
				    asleep_of(e, &of->late.busy, of->tasks.run, sums, n));
	if (of->asleep > of->gain[LOSS_NOT_RUNNING])
		of->asleep = of->gain[LOSS_NOT_RUNNING] > 0 ? of->gain[LOSS_NOT_RUNNING] : 0;
}

/* ---- tasks ----------------------------------------------------------- */

static void add_tasks(struct finding_evidence *e)
{
	const struct view *v = e->view;
	uint32_t *row = alloc_zeroed(v->nregions + 1, sizeof(*row));

	for (uint32_t i = 0; i < e->regions.n; i++)
		for (size_t c = 0; c < e->regions.all[i].ncontexts; c++)
			row[e->regions.all[i].contexts[c]] = i + 1;
	for (size_t i = 1; i < v->ntasks; i++) {
		const struct view_task *t = &v->tasks[i];
		struct finding_task *of;

		if (!row[t->region])
			continue;
		of = &e->rows[row[t->region] - 1].tasks;
		of->created += t->created;
		of->run += t->run;
	}
	free(row);
}

/* ---- the whole ------------------------------------------------------- */

void finding_evidence_build(struct finding_evidence *e, const struct view *v,
			    const struct losses *l, const struct placement *p)
{
	struct adding a = { .e = e };

	*e = (struct finding_evidence){ .view = v, .losses = l, .placement = p, .not_waited = 1 };
	regions_build(v, l->event, true, &e->regions);
	e->rows = alloc_zeroed(e->regions.n + 1, sizeof(*e->rows));
	for (uint32_t row = 0; row < e->regions.n; row++) {
		const struct table_records *of = &e->regions.all[row].parts;

		e->rows[row].first = e->nunits;
		for (size_t i = 0; i < of->n; i++) {
			const struct view_record *r = &of->all[of->number[i]];

			if (r->event == e->losses->event && !losses_is_outside(r->region))
				add_record(&a, row, r);
		}
		e->rows[row].n = e->nunits - e->rows[row].first;
		losses_gain(e->losses, &e->regions.all[row], e->rows[row].gain);
		for (unsigned loss = 0; loss < LOSSES; loss++)
			e->rows[row].gain[loss] -= e->rows[row].own[loss];
	}
	e->sample_ns = a.samples ? a.seen_ns / (double)a.samples : 0;
	find_nested(e);
	map_free(&a.by_unit);
	shares_end(&a.shares, &e->shares, &e->nshares);
	add_tasks(e);
	struct finding_share *sums = alloc_zeroed(e->nshares + e->nnested + 1, sizeof(*sums));
	double *time = alloc_zeroed(e->nshares + e->nnested + 1, sizeof(*time));

	for (size_t i = 0, end; i < e->nshares; i = end) {
		struct finding_unit *u = &e->units[e->shares[i].unit];

		for (end = i; end < e->nshares && e->shares[end].unit == e->shares[i].unit; end++)
			time[end - i] = e->shares[end].work;
		spread_of(e, &u->spread, time, &e->shares[i], end - i,
			  e->regions.all[u->row].counts.team_most);
	}
	for (size_t i = 0, end; i < e->nshares; i = end) {
		const uint32_t row = e->units[e->shares[i].unit].row;

		for (end = i; end < e->nshares && e->units[e->shares[end].unit].row == row;)
			end++;
		row_spread(e, row, i, end, sums, time);
	}
	free(sums);
	free(time);
}

void finding_evidence_fini(struct finding_evidence *e)
{
	regions_fini(&e->regions);
	free(e->rows);
	pinned_free(e->units);
	pinned_free(e->shares);
	pinned_free(e->nested);
	*e = (struct finding_evidence){ 0 };
}

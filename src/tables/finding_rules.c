/* SPDX-License-Identifier: BSD-3-Clause */
/* finding_rules.c - rules about waits for each other, the runtime, and serial code. */
#include "config.h"

#include "src/tables/finding_rules.h"

#include <stdlib.h>

#include "src/base/alloc.h"
#include "src/base/map.h"
#include "src/model/construct_kind.h"
#include "src/model/model.h"
#include "src/tables/placement.h"
#include "src/tables/tables.h"
#include "src/view/view.h"

/* ---- what rules have in common --------------------------------------- */

double finding_worth(const struct finding_evidence *e, double thread_ns)
{
	return e->sample_ns > 0 ? thread_ns / e->sample_ns : 0;
}

double finding_thread_ns(const struct finding_evidence *e, uint32_t row, double gain_ns)
{
	const struct region_row *r = &e->regions.all[row];
	const double cost = r->ncontexts ? losses_gain_of(e->losses, finding_context(e, r), 1) : 0;

	return cost > 0 ? gain_ns / cost : 0;
}

double finding_samples(const struct finding_evidence *e, uint32_t row, enum loss loss)
{
	const struct finding_row *r = &e->rows[row];
	double sum = 0;

	if (loss == LOSS_NOT_RUNNING)
		return finding_worth(e, finding_thread_ns(e, row, r->gain[loss]));
	for (size_t i = 0; i < r->n; i++)
		sum += (double)e->units[r->first + i].samples[loss];
	return sum;
}

double finding_take(struct finding_evidence *e, struct finding_unit *u, enum loss loss, double part)
{
	const double gain = part * u->gain[loss];

	e->rows[u->row].gain[loss] -= gain;
	u->gain[loss] -= gain;
	return gain;
}

double finding_take_row(struct finding_evidence *e, uint32_t row, enum loss loss)
{
	return finding_take_part(e, row, loss, 1);
}

double finding_take_part(struct finding_evidence *e, uint32_t row, enum loss loss, double part)
{
	struct finding_row *r = &e->rows[row];
	const double gain = r->gain[loss] > 0 ? r->gain[loss] : 0;

	for (size_t i = 0; i < r->n; i++)
		e->units[r->first + i].gain[loss] *= 1 - part;
	r->gain[loss] = gain * (1 - part);
	if (loss == LOSS_NOT_RUNNING && r->asleep > r->gain[loss])
		r->asleep = r->gain[loss];
	return gain * part;
}

double finding_row_thread(const struct finding_evidence *e, uint32_t row, enum loss loss)
{
	double sum = 0;

	for (size_t i = 0; i < e->rows[row].n; i++)
		sum += e->units[e->rows[row].first + i].thread[loss];
	return sum;
}

double finding_row_work(const struct finding_evidence *e, uint32_t row)
{
	double sum = 0;

	for (size_t i = 0; i < e->rows[row].n; i++)
		sum += e->units[e->rows[row].first + i].work;
	return sum;
}

uint32_t finding_called(const struct view *v, const struct view_record *r)
{
	const struct tree_node *nodes = v->tree.nodes;
	const struct function *f = NULL;
	uint32_t node = r->node, called = 0;

	for (; node; node = nodes[node].parent) {
		f = &v->names.functions[nodes[node].function];
		if (f->kind == FUNCTION_PLAIN && !f->library)
			return called;
		called = f->library ? nodes[node].function : called;
	}
	return 0;
}

void finding_lines_init(struct finding_lines *l, size_t most)
{
	*l = (struct finding_lines){ .ns = alloc_zeroed(most + 1, sizeof(*l->ns)) };
}

void finding_lines_add(struct finding_lines *l, uint64_t line, double ns, uint64_t samples)
{
	uint32_t at;

	map_add(&l->by_line, line, 0, (uint32_t)l->by_line.count, &at);
	l->ns[at] += ns;
	l->all += ns;
	l->samples += samples;
}

void finding_lines_most(const struct finding_lines *l, struct finding *f)
{
	double most = 0;

	for (size_t i = 0; i < l->by_line.count; i++) {
		if (l->ns[i] <= most)
			continue;
		most = l->ns[i];
		f->work_line = l->by_line.entries[i].a;
	}
	f->work_part = l->all > 0 ? most / l->all : 0;
}

void finding_lines_fini(struct finding_lines *l)
{
	map_free(&l->by_line);
	free(l->ns);
}

/* Samples in a critical section are of the construct around it: its lines show them. */
static bool is_of_construct(const struct view *v, const struct view_record *r, uint32_t construct)
{
	const struct view_construct *c = &v->constructs[construct];
	const struct line *l = &v->names.lines[r->line], *at = &v->names.lines[c->line];

	if (c->kind != CONSTRUCT_CRITICAL)
		return r->construct == construct;
	return l->line && l->file == at->file && l->line >= c->first_line &&
	       l->line <= c->last_line;
}

void finding_hot_line(const struct finding_evidence *e, uint32_t row, uint32_t construct,
		      struct finding *f)
{
	const struct region_row *region = &e->regions.all[row];
	const bool one = f->thread != UINT32_MAX;
	struct table_records of = region->records;
	struct view_records own = { 0 };
	struct finding_lines lines;

	if (one)
		region_of_thread(e->view, region, f->thread, &of, &own);
	finding_lines_init(&lines, of.n);
	for (size_t i = 0; i < of.n; i++) {
		const struct view_record *r = &of.all[of.number ? of.number[i] : i];

		if (r->event != e->losses->event || r->class != OMP_WORK ||
		    (construct && !is_of_construct(e->view, r, construct)) ||
		    (f->rule == FINDING_ONE_CREATOR && r->task && r->in_task) ||
		    (one && (r->thread != f->thread || !region_has(e->view, region, r))))
			continue;
		finding_lines_add(&lines, table_line_key(e->view, r),
				  losses_of_record(e->losses, e->view, r, NULL), r->samples);
	}
	finding_lines_most(&lines, f);
	if (finding_worth(e, lines.all) < FINDING_SAMPLES)
		f->work_part = 0;
	finding_lines_fini(&lines);
	free(own.all);
}

/* ---- regions --------------------------------------------------------- */

/* A region whose begin and end cost a tenth of it, and whose threads have equal work. */
#define SHORT_COST 0.1
#define WORTH_FEWER 0.9 /* of an entry's time now: with fewer threads */
#define UNEVEN 0.5	/* of the waits that uneven work explains */
enum { SHORT_ENTRIES = 100 };

/* Waits at the end of so little work are the barrier's own cost. */
#define SHORT_WORK_NS 20e3
#define SHORT_WAIT_NS 10e3
#define SHORT_SLEEP_NS 200e3 /* an entry: threads sleep and are woken, which takes no longer */

/* Losses of a short region: those of the runtime are; where its teams change their size, so is the
   time in which threads are made and ended; and all, where waits are as short as a barrier, or come
   after as little work. */
static const struct {
	enum loss loss;
	bool resized; /* of teams that change their size, too */
} short_losses[] = {
	{ LOSS_FORK_JOIN, true },
	{ LOSS_RUNTIME, true },
	{ LOSS_IMBALANCE, false },
	{ LOSS_NOT_RUNNING, true },
};
enum { SHORT_LOSSES = sizeof(short_losses) / sizeof(*short_losses), SHORT_SURE = 2 };

/* What threads did not run because others had the CPUs is not lost to the region, nor are the
   profiler's own calls. */
static double lost_to_region(const struct finding_evidence *e, uint32_t row,
			     const struct time_split *split, enum loss loss)
{
	const double lost = split->lost[loss] - e->rows[row].own_thread[loss];

	return lost <= 0 ? 0 : loss == LOSS_NOT_RUNNING ? lost * e->not_waited : lost;
}

/* The part of a region's waits at barriers that its threads' uneven work explains. Where only some
   have a part in all teams, their work does not compare. */
static double uneven_part(const struct finding_evidence *e, uint32_t row, double waits)
{
	const struct region_row *r = &e->regions.all[row];
	double behind = 0;

	if (r->counts.team_least < r->counts.team_most)
		return 0;
	for (size_t i = 0; i < e->rows[row].n; i++)
		behind += e->units[e->rows[row].first + i].spread.behind;
	return waits <= 0 ? 0 : behind < waits ? behind / waits : 1;
}

/* A set of the losses: bit i is the i-th. */
static unsigned short_losses_of(const struct finding_evidence *e, uint32_t row,
				const struct time_split *split, bool resized)
{
	const struct region_row *r = &e->regions.all[row];
	const double waits = split->lost[LOSS_IMBALANCE], times = (double)r->counts.team_sum;
	unsigned set = 0;

	const bool brief = uneven_part(e, row, waits) <= UNEVEN &&
			   (split->work <= SHORT_WORK_NS * times || waits <= SHORT_WAIT_NS * times);
	const bool woken = lost_to_region(e, row, split, LOSS_NOT_RUNNING) <=
			   SHORT_SLEEP_NS * times;

	for (size_t i = 0; i < SHORT_LOSSES; i++)
		if (i < SHORT_SURE || (resized && short_losses[i].resized) ||
		    (brief && (woken || short_losses[i].loss != LOSS_NOT_RUNNING)))
			set |= 1u << i;
	return set;
}

/* How long an entry takes with n threads, of which `team' were measured: its work is divided among
   them; what begin and end cost grows evenly with them, from nothing for one. */
static double entry_ns(double work_ns, double cost_ns, uint32_t team, uint32_t n)
{
	return work_ns / n + cost_ns * (n - 1) / (team - 1);
}

/* The number of threads by which an entry is the shortest; 0: hardly any shorter than it is. */
static uint32_t threads_that_pay(const struct region_row *r, double work_ns, double cost_ns)
{
	const uint32_t team = (uint32_t)r->counts.team_most;
	uint32_t best = team;

	if (team < 2 || r->counts.team_least < team)
		return 0;
	for (uint32_t n = team - 1; n > 0; n--)
		if (entry_ns(work_ns, cost_ns, team, n) < entry_ns(work_ns, cost_ns, team, best))
			best = n;
	return entry_ns(work_ns, cost_ns, team, best) <
			       WORTH_FEWER * entry_ns(work_ns, cost_ns, team, team) ?
		       best :
		       0;
}

static void rule_short(struct finding_evidence *e, struct finding_list *list, uint32_t row)
{
	const struct region_row *r = &e->regions.all[row];
	double lost = 0, gain = 0, own = 0, samples = 0, uneven;
	uint64_t resized = 0;
	struct time_split split;
	struct finding *f;
	unsigned set;

	if (r->special != REGION_SPECIALS || r->counts.entries < SHORT_ENTRIES ||
	    r->counts.elapsed_unknown || !r->counts.team_sum)
		return;
	for (size_t i = 0; i < r->ncontexts; i++)
		resized += e->view->regions[r->contexts[i]].counts.resized;
	losses_of_region(e->losses, r, &split);
	set = short_losses_of(e, row, &split, finding_is_resized(resized, r->counts.entries));
	for (size_t i = 0; i < SHORT_LOSSES; i++) {
		if (!(set >> i & 1))
			continue;
		lost += lost_to_region(e, row, &split, short_losses[i].loss);
		samples += finding_samples(e, row, short_losses[i].loss);
	}
	if (lost < SHORT_COST * split.all || lost + split.work > split.all * (1 + SHORT_COST) ||
	    samples < FINDING_SAMPLES)
		return;
	/* How work in regions inside is divided among the threads is not known here. */
	if (e->rows[row].inside > split.work)
		return;
	uneven = uneven_part(e, row, split.lost[LOSS_IMBALANCE]);
	for (size_t i = 0; i < SHORT_LOSSES; i++) {
		const enum loss loss = short_losses[i].loss;

		if (!(set >> i & 1))
			continue;
		gain += finding_take_part(e, row, loss, loss == LOSS_IMBALANCE ? 1 - uneven : 1);
		own += e->rows[row].own[loss];
	}
	f = finding_add(list, FINDING_SHORT_REGIONS, r, gain);
	f->resized = resized;
	if (e->view->model->nprocesses == 1)
		f->initials =
			(uint32_t)e->view->model->processes[0].threads.begun[PROF_THREAD_INITIAL];
	f->setting = e->contended ? NULL : finding_passive(e);
	f->pieces = r->counts.entries;
	/* Of a thread: teams may have several sizes. */
	f->elapsed_ns = split.all / (double)r->counts.team_sum;
	f->piece_ns = split.work / (double)r->counts.team_sum;
	f->cost_ns = lost / (double)r->counts.team_sum;
	f->alone_ns = split.work / (double)r->counts.entries;
	f->alone = split.work < (double)r->counts.elapsed_ns;
	f->fit = threads_that_pay(r, f->alone_ns, f->cost_ns);
	f->own_ns = own;
}

void finding_rules_regions(struct finding_evidence *e, struct finding_list *list)
{
	for (uint32_t row = 0; row < e->regions.n; row++)
		rule_short(e, list, row);
}

/* ---- tasks ----------------------------------------------------------- */

#define SMALL_COST 0.2	  /* of a task's work */
#define TINY_TASK_NS 1e3  /* no runtime creates, queues and ends a task for less than its work */
#define MOSTLY 0.5	  /* of a region's work */
#define IDLE_WAITS 2.0	  /* times the tasks' work */
#define ONE_THREAD 0.9	  /* of the work beside tasks */
#define ONE_AT_A_TIME 1.1 /* times the region's elapsed time: all work in it */
enum {
	SMALL_TASKS = 1000,
	FEW_TASKS = 8, /* for each thread in an entry of the region */
};

/* Losses to tasks: those of waits for them first, and last that of a region's begin and end, which
   is theirs where it has few entries: threads get tasks there. */
static const enum loss task_losses[] = { LOSS_TASK_WAIT, LOSS_SINGLE,  LOSS_IMBALANCE,
					 LOSS_TASKS,	 LOSS_RUNTIME, LOSS_FORK_JOIN };
enum { TASK_LOSSES = sizeof(task_losses) / sizeof(*task_losses), TASK_WAITS = 3 };

/* FINDING_RULES: none. cost: thread time of the runtime; waits: for tasks to complete; helped: work
   of tasks that the runtime's helpers execute, in any region. */
static enum finding_rule rule_of_tasks(const struct region_row *r, const struct finding_task *t,
				       double work, double cost, double waits, double ran,
				       double helped)
{
	const bool one = r->counts.entries &&
			 t->run / r->counts.entries >= (uint64_t)FEW_TASKS * r->counts.team_most &&
			 t->beside_most >= ONE_THREAD * t->beside;

	/* What its creator does for each task takes longer than the tasks, and the runtime with
	   them. */
	if (one && t->beside_most > t->work + cost)
		return FINDING_ONE_CREATOR;
	/* Without a sample in them, they have no more than all work. */
	/* What threads wait for is mostly that one creates so many. */
	if (t->run >= SMALL_TASKS && (cost > SMALL_COST * (t->work > 0 ? t->work : work) ||
				      (t->work > 0 && t->work < TINY_TASK_NS * (double)t->run)))
		return FINDING_SMALL_TASKS;
	if (t->work > 0 && t->work >= MOSTLY * work) {
		/* Why threads wait for tasks that have most of the region's work and are not small.
		   ran: the part of the time in which threads did not wait for a CPU. */
		if (r->counts.entries &&
		    t->run / r->counts.entries < (uint64_t)FEW_TASKS * r->counts.team_most)
			return FINDING_FEW_TASKS;
		if (!r->counts.elapsed_unknown &&
		    work < ONE_AT_A_TIME * ran * (double)r->counts.elapsed_ns)
			return FINDING_TASK_CHAIN;
		return FINDING_TASK_WAITS;
	}
	if (waits > IDLE_WAITS * (t->work + helped))
		return FINDING_IDLE_TASKS;
	return one ? FINDING_ONE_CREATOR : FINDING_RULES;
}

static void rule_tasks(struct finding_evidence *e, struct finding_list *list, uint32_t row)
{
	const struct region_row *r = &e->regions.all[row];
	const struct finding_task *t = &e->rows[row].tasks;
	const double asleep = e->rows[row].asleep;
	const double cost =
		finding_row_thread(e, row, LOSS_TASKS) + finding_row_thread(e, row, LOSS_RUNTIME);
	const double work = finding_row_work(e, row);
	double gain = asleep;
	double samples = finding_worth(e, finding_thread_ns(e, row, asleep));
	enum finding_rule rule;
	struct finding *f;
	size_t n;

	if (!t->run)
		return;
	rule = rule_of_tasks(r, t, work, cost, finding_row_thread(e, row, LOSS_TASK_WAIT),
			     1 - e->waited, e->losses->helpers_ns);
	n = rule != FINDING_SMALL_TASKS	      ? TASK_WAITS :
	    r->counts.entries < SHORT_ENTRIES ? TASK_LOSSES :
						TASK_LOSSES - 1;
	for (size_t i = 0; i < n; i++)
		samples += finding_samples(e, row, task_losses[i]);
	if (rule == FINDING_RULES || samples < FINDING_SAMPLES)
		return;
	for (size_t i = 0; i < n; i++)
		gain += finding_take_row(e, row, task_losses[i]);
	e->rows[row].gain[LOSS_NOT_RUNNING] -= asleep;
	e->rows[row].asleep = 0;
	f = finding_add(list, rule, r, gain);
	f->asleep_ns = asleep;
	f->pieces = t->run;
	f->piece_ns = t->work / (double)t->run; /* 0: no sample is in them */
	f->cost_ns = cost / (double)t->run;
	f->user_only = e->losses->user_only;
	f->elapsed_ns = (double)e->regions.all[row].counts.elapsed_ns;
	f->most_ns = work;
	if (f->rule == FINDING_IDLE_TASKS)
		f->most_ns = finding_row_thread(e, row, LOSS_TASK_WAIT);
	if (f->rule == FINDING_ONE_CREATOR)
		f->most_ns = t->beside_most;
	if (rule == FINDING_ONE_CREATOR)
		finding_hot_line(e, row, 0, f);
	for (size_t i = 0; i < n; i++)
		f->own_ns += e->rows[row].own[task_losses[i]];
}

void finding_rules_tasks(struct finding_evidence *e, struct finding_list *list)
{
	for (uint32_t row = 0; row < e->regions.n; row++)
		rule_tasks(e, list, row);
}

/* ---- waits ----------------------------------------------------------- */

/* gcc combines the threads' copies of an array, behind a loop, between the calls that begin and end
   an atomic update: at the loop's or the region's own line, where no directive can be. */
static bool is_array_reduction(const struct finding_evidence *e, const struct finding_unit *u)
{
	const struct view *v = e->view;
	const struct finding_row *row = &e->rows[u->row];
	const uint32_t line = v->constructs[u->construct].line;

	if (line == e->regions.all[u->row].line)
		return true;
	for (size_t i = 0; i < row->n; i++) {
		const struct view_construct *c = &v->constructs[e->units[row->first + i].construct];

		if (c->line == line && (construct_is_loop((enum construct_kind)c->kind) ||
					c->kind == CONSTRUCT_SECTIONS))
			return true;
	}
	return false;
}

static enum finding_rule rule_of_lock(const struct finding_evidence *e,
				      const struct finding_unit *u)
{
	switch (e->view->constructs[u->construct].kind) {
	case CONSTRUCT_CRITICAL: return FINDING_CRITICAL;
	case CONSTRUCT_ATOMIC:
		return is_array_reduction(e, u) ? FINDING_ARRAY_REDUCTION : FINDING_ATOMIC;
	}
	return FINDING_LOCK;
}

static bool has_name(const struct view_construct *c)
{
	return c->object && c->object[0] != '(';
}

static struct finding *rule_wait(struct finding_evidence *e, struct finding_list *list,
				 struct finding_unit *u, enum loss loss, enum finding_rule rule)
{
	struct finding *f;

	if (u->gain[loss] <= 0 || u->samples[loss] < FINDING_SAMPLES)
		return NULL;
	f = finding_add(list, rule, &e->regions.all[u->row], finding_take(e, u, loss, 1));
	f->construct = u->construct;
	f->own_ns = u->own[loss];
	return f;
}

/* Loops count their iterations at each thread's entry. */
static void rule_dispatch(struct finding_evidence *e, struct finding_list *list,
			  struct finding_unit *u)
{
	const struct view_construct *c = &e->view->constructs[u->construct];
	const double lost = u->thread[LOSS_DISPATCH];
	struct finding *f = rule_wait(e, list, u, LOSS_DISPATCH, FINDING_DISPATCH);

	if (!f || !c->count_sum || !c->nthreads)
		return;
	f->pieces = c->count_sum / c->nthreads;
	if (!f->pieces)
		return;
	f->piece_ns = u->work / (double)f->pieces;
	f->cost_ns = lost / (double)f->pieces;
}

static void rule_lock(struct finding_evidence *e, struct finding_list *list, struct finding_unit *u)
{
	const struct view_construct *c = &e->view->constructs[u->construct];
	const double lost = u->thread[LOSS_LOCK];
	struct finding *f = rule_wait(e, list, u, LOSS_LOCK, rule_of_lock(e, u));

	if (!f)
		return;
	if (f->rule != FINDING_ARRAY_REDUCTION && u->in_calls > MOSTLY * lost) {
		f->in_calls = u->in_calls / lost;
		f->pieces = c->entries;
		f->cost_ns = c->entries ? lost / (double)c->entries : 0;
	}
	if (f->rule != FINDING_CRITICAL)
		return;
	/* Other critical sections without a name: all are one. */
	const struct view *v = e->view;
	uint32_t n = 0;

	for (uint32_t i = CONSTRUCT_SPECIALS; i < v->nconstructs; i++)
		n += i != u->construct && v->constructs[i].kind == CONSTRUCT_CRITICAL &&
		     !has_name(&v->constructs[i]);
	f->same = has_name(&v->constructs[u->construct]) ? 0 : n;
	finding_hot_line(e, u->row, u->construct, f);
}

void finding_rules_waits(struct finding_evidence *e, struct finding_list *list)
{
	for (size_t i = 0; i < e->nunits; i++) {
		struct finding_unit *u = &e->units[i];

		rule_lock(e, list, u);
		rule_wait(e, list, u, LOSS_ORDERED, FINDING_ORDERED);
		rule_wait(e, list, u, LOSS_TARGET, FINDING_TARGET);
		struct finding *f = rule_wait(e, list, u, LOSS_SINGLE, FINDING_SINGLE);

		if (f)
			finding_hot_line(e, u->row, u->construct, f);
		rule_dispatch(e, list, u);
	}
}

/* ---- outside --------------------------------------------------------- */

uint32_t finding_row_of(const struct finding_evidence *e, uint32_t special)
{
	for (uint32_t row = 0; row < e->regions.n; row++)
		if (e->regions.all[row].special == special)
			return row;
	return UINT32_MAX;
}

/* What the run would be shorter by if all threads had equal parts of the work outside of regions.
   The time in which an initial thread is in MPI or waits for a file can't be shared. */
static double serial_work_shared(const struct losses *l)
{
	return l->region[REGION_SERIAL].work * (1 - 1.0 / l->threads) / l->at_once;
}

static void rule_serial(struct finding_evidence *e, struct finding_list *list, uint32_t idle)
{
	const uint32_t row = finding_row_of(e, REGION_SERIAL);
	const double gain = e->rows[idle].gain[LOSS_SERIAL], most = serial_work_shared(e->losses);
	struct finding *f;

	if (row == UINT32_MAX || gain <= 0 || most <= 0)
		return;
	f = finding_add(list, FINDING_SERIAL, &e->regions.all[row],
			finding_take_part(e, idle, LOSS_SERIAL, gain < most ? 1 : most / gain));
	f->nthreads = e->losses->threads;
	finding_hot_line(e, row, 0, f);
}

/* Thread time of the region that other threads of the process have no part in. */
static double missed_by_others(const struct finding_evidence *e, const struct region_row *r)
{
	double missed = 0;

	for (size_t c = 0; c < r->ncontexts && r->special == REGION_SPECIALS; c++) {
		const struct view_region *of = &e->view->regions[r->contexts[c]];

		if (of->parent < REGION_SPECIALS && of->counts.wide_ns > of->counts.team_ns)
			missed += of->counts.wide_ns - of->counts.team_ns;
	}
	return missed;
}

/* More threads than CPUs gain nothing. */
static bool has_all_cpus(const struct finding_evidence *e, const struct region_row *r)
{
	const uint32_t ncpus =
		e->placement && e->placement->processes ? e->placement->processes[0].ncpus : 0;

	return ncpus && r->counts.team_least >= ncpus;
}

/* Each region has its part of what small teams lose. */
static void rule_small_teams(struct finding_evidence *e, struct finding_list *list, uint32_t idle)
{
	double all = 0, gain;

	for (size_t i = 0; i < e->regions.n; i++)
		all += missed_by_others(e, &e->regions.all[i]);
	gain = all > 0 ? finding_take_row(e, idle, LOSS_SMALL_TEAM) : 0;
	for (size_t i = 0; i < e->regions.n && gain > 0; i++) {
		const struct region_row *r = &e->regions.all[i];
		const double missed = missed_by_others(e, r);
		struct finding *f =
			missed > 0 && !has_all_cpus(e, r) ?
				finding_add(list, FINDING_SMALL_TEAMS, r, gain * missed / all) :
				NULL;

		if (!f)
			continue;
		f->pieces = e->losses->threads;
		/* Where teams have several sizes, the small ones are meant. */
		if (r->counts.team_least && r->counts.team_least < f->nthreads)
			f->nthreads = r->counts.team_least;
		f->varies = r->counts.team_least < r->counts.team_most;
		f->setting = finding_dynamic(e);
	}
}

void finding_rules_outside(struct finding_evidence *e, struct finding_list *list)
{
	const uint32_t idle = finding_row_of(e, REGION_IDLE);

	if (idle == UINT32_MAX)
		return;
	rule_serial(e, list, idle);
	rule_small_teams(e, list, idle);
}

/* ---- what is left ---------------------------------------------------- */

/* Time in which threads slept has findings of its own, and so has time in which they did not run;
   where ranks differ, MPI's time is explained by that. */
static bool has_rules(const struct finding_list *list, enum loss loss)
{
	if (loss == LOSS_BLOCKED || loss == LOSS_NOT_RUNNING)
		return true;
	for (size_t i = 0; i < list->n && loss == LOSS_MPI; i++)
		if (list->all[i].rule == FINDING_RANKS)
			return true;
	return false;
}

/* The samples of a loss; of what clocks show, those that would be taken in it. */
static double samples_of(const struct finding_evidence *e, uint32_t row, enum loss loss)
{
	if (loss == LOSS_SERIAL || loss == LOSS_SMALL_TEAM)
		return finding_worth(e, e->rows[row].gain[loss] /
						losses_gain_of(e->losses, REGION_SERIAL, 1));
	return finding_samples(e, row, loss);
}

static void rule_left(const struct finding_evidence *e, struct finding_list *list, enum loss loss)
{
	double all = 0, samples = 0;
	uint32_t most = 0;
	struct finding *f;

	for (uint32_t row = 0; row < e->regions.n; row++) {
		const double gain = e->rows[row].gain[loss];

		if (gain <= 0)
			continue;
		all += gain;
		samples += samples_of(e, row, loss);
		most = gain > e->rows[most].gain[loss] ? row : most;
	}
	if (all <= 0 || samples < FINDING_SAMPLES)
		return;
	/* Outside of regions one thread works, and the others are idle. */
	if (loss == LOSS_SERIAL && finding_row_of(e, REGION_SERIAL) != UINT32_MAX)
		most = finding_row_of(e, REGION_SERIAL);
	f = finding_add(list, FINDING_LEFT, &e->regions.all[most], all);
	f->spent = loss;
	f->pieces = e->regions.all[most].counts.entries;
	f->waited = e->contended ? e->waited : 0;
	if (loss == LOSS_RUNTIME)
		finding_runtime_call(e, most, f);
}

void finding_rules_left(const struct finding_evidence *e, struct finding_list *list)
{
	for (unsigned loss = 0; loss < LOSSES; loss++)
		if (!has_rules(list, (enum loss)loss))
			rule_left(e, list, (enum loss)loss);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* finding_teams.c - rules about regions that asked for more threads than their teams have, and
   about runs of one thread. */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "src/model/model.h"
#include "src/tables/finding_rules.h"
#include "src/tables/placement.h"
#include "src/tables/surroundings.h"
#include "src/toolchain/toolchain.h"
#include "src/view/view.h"

#define ASKED_WORK 0.1	/* of the run's work: in the region */
#define NESTED_IDLE 0.1 /* of the run's time: the team around it does not work */
#define ASKED_NS 100e3	/* an entry: a shorter one gains nothing by more threads */

const char *finding_dynamic(const struct finding_evidence *e)
{
	const struct prof_file *f = e->view->model->processes[0].file;
	const char *setting = surroundings_setting(f, "OMP_DYNAMIC");

	return setting && !strcasecmp(setting + sizeof("OMP_DYNAMIC"), "true") ? setting : NULL;
}

/* Why a team is smaller than was asked for: a setting that says so, or a region around it. */
static const char *why_fewer(const struct finding_evidence *e, const struct region_row *r)
{
	const struct prof_file *f = e->view->model->processes[0].file;
	const char *dynamic = finding_dynamic(e);
	const char *limit = surroundings_setting(f, "OMP_THREAD_LIMIT");

	for (size_t i = 0; i < r->ncontexts; i++)
		if (r->contexts[i] >= REGION_SPECIALS &&
		    e->view->regions[r->contexts[i]].parent >= REGION_SPECIALS)
			return FINDING_NESTED;
	return dynamic ? dynamic : limit;
}

/* Whether the region's teams have one thread within a team of several that waits meanwhile: where a
   region does not say how many threads it asks for, not all runtimes report. */
static bool is_alone_within(const struct finding_evidence *e, const struct region_row *r)
{
	const struct view_region *regions = e->view->regions;

	if (r->counts.team_most != 1 || r->counts.team_least != 1)
		return false;
	for (size_t i = 0; i < r->ncontexts; i++) {
		const uint32_t parent = regions[r->contexts[i]].parent;
		const struct time_split *around = &e->losses->region[parent];

		if (parent < REGION_SPECIALS || regions[parent].counts.team_most < 2 ||
		    around->all - around->work < NESTED_IDLE * e->losses->run.all)
			return false;
	}
	return r->ncontexts > 0;
}

static void rule_asked(struct finding_evidence *e, struct finding_list *list, uint32_t row)
{
	const struct region_row *r = &e->regions.all[row];
	uint64_t fewer = 0, asked = 0;
	const double work = finding_row_work(e, row);
	struct finding *f;

	if (r->special != REGION_SPECIALS || !r->counts.entries || r->counts.elapsed_unknown)
		return;
	for (size_t i = 0; i < r->ncontexts; i++) {
		fewer += e->view->regions[r->contexts[i]].counts.fewer;
		asked += e->view->regions[r->contexts[i]].counts.asked;
	}
	if (!fewer && is_alone_within(e, r)) {
		fewer = r->counts.entries;
		asked = 0;
	}
	if (!fewer || work < ASKED_WORK * e->losses->run.work ||
	    finding_worth(e, work) < FINDING_SAMPLES ||
	    (double)r->counts.elapsed_ns < ASKED_NS * (double)r->counts.entries)
		return;
	f = finding_add(list, FINDING_ASKED, r, 0);
	f->part = work / e->losses->run.all;
	f->pieces = fewer;
	f->ncpus = (uint32_t)(asked / fewer);
	f->nthreads = r->counts.team_least;
	f->setting = why_fewer(e, r);
}

/* A setting that gives all teams one thread; or NULL. */
static const char *why_one(const struct prof_file *f)
{
	static const char *const names[] = { "OMP_NUM_THREADS", "OMP_THREAD_LIMIT" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *setting = surroundings_setting(f, names[i]);

		if (setting && strtoul(setting + strlen(names[i]) + 1, NULL, 10) == 1)
			return setting;
	}
	return NULL;
}

/* One process alone, not a rank of several: its other CPUs are idle. */
static bool is_one_of_one(const struct finding_evidence *e)
{
	const struct model *m = e->view->model;

	return m->nprocesses == 1 && m->processes[0].openmp_threads == 1 &&
	       !prof_text(m->processes[0].file, PROF_INFO_LAUNCHER) && e->placement &&
	       e->placement->processes && e->placement->processes[0].ncpus > 1;
}

/* All of the process's regions have one thread. */
static void rule_one_thread(const struct finding_evidence *e, struct finding_list *list)
{
	double all = 0, most = 0;
	uint32_t at = 0;
	struct finding *f;

	for (uint32_t row = 0; row < e->regions.n; row++) {
		const double work = finding_row_work(e, row);

		if (e->regions.all[row].special != REGION_SPECIALS)
			continue;
		at = work > most ? row : at;
		most = work > most ? work : most;
		all += work;
	}
	for (size_t i = 0; i < list->n; i++)
		if (list->all[i].rule == FINDING_ASKED)
			return;
	if (all < ASKED_WORK * e->losses->run.work || finding_worth(e, all) < FINDING_SAMPLES)
		return;
	f = finding_add(list, FINDING_ONE_THREAD, &e->regions.all[at], 0);
	f->part = all / e->losses->run.all;
	f->ncpus = e->placement->processes[0].ncpus;
	f->setting = why_one(e->view->model->processes[0].file);
	if (!f->setting)
		f->setting = finding_dynamic(e);
}

static bool has_same(const struct prof_file *a, const struct prof_file *b, enum prof_info_kind kind)
{
	const char *x = prof_text(a, kind), *y = prof_text(b, kind);

	return x && y && !strcmp(x, y);
}

/* The process that forked the child and has workers; NULL: none of the profiles is its own. */
static const struct model_process *forked_by(const struct model *m, const struct prof_file *child)
{
	for (size_t i = 0; i < m->nprocesses; i++) {
		const struct prof_file *f = m->processes[i].file;

		if (f->header.pid == child->header.ppid &&
		    f->header.start_monotonic_ns <= child->header.start_monotonic_ns &&
		    m->processes[i].threads.begun[PROF_THREAD_WORKER] &&
		    has_same(f, child, PROF_INFO_HOST) && has_same(f, child, PROF_INFO_BOOT))
			return &m->processes[i];
	}
	return NULL;
}

/* A process that never had a second thread began a team and did not come to its end; its parent
   has threads of OpenMP's, which its runtime does not make anew. */
void finding_rules_forked(const struct view *v, struct finding_list *list)
{
	const struct model *m = v->model;

	for (size_t i = REGION_SPECIALS; i < v->nregions; i++) {
		const struct region_counts *c = &v->regions[i].counts;
		const struct region_row at = { .special = REGION_SPECIALS,
					       .line = v->regions[i].line,
					       .counts = *c };
		const struct model_process *parent;
		struct finding *f;

		if (!c->alone || m->processes[c->alone - 1].file->header.run != PROF_RUN_RUNNING ||
		    !(view_toolchain(m->processes[c->alone - 1].file)->traits & RUNTIME_TEAM_FORKS))
			continue;
		parent = forked_by(m, m->processes[c->alone - 1].file);
		if (!parent)
			continue;
		f = finding_add(list, FINDING_FORKED, &at, 0);
		f->part = 1;
		f->process = c->alone - 1;
		f->pieces = parent->file->header.pid;
		return;
	}
}

void finding_rules_teams(struct finding_evidence *e, struct finding_list *list)
{
	for (uint32_t row = 0; row < e->regions.n; row++)
		rule_asked(e, list, row);
	if (is_one_of_one(e))
		rule_one_thread(e, list);
}

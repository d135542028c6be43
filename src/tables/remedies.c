/* SPDX-License-Identifier: BSD-3-Clause */
/* remedies.c - a table of settings, and what each is tried against. */
#include "config.h"

#include "src/tables/remedies.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "src/model/model.h"
#include "src/tables/findings.h"
#include "src/tables/losses.h"
#include "src/tables/placement.h"
#include "src/tables/surroundings.h"
#include "src/toolchain/toolchain.h"
#include "src/view/view.h"

enum { SLEEP_LEAST_NS = 1000000 };

/* A finding, and the process that it is of. */
struct patient {
	const struct view *view;
	const struct placement *placement;
	const struct findings *all;
	const struct finding *f;
	uint32_t process; /* of the model */
	prof_variable *present;
};

/* ---- what the process has -------------------------------------------- */

static const struct prof_file *remedies_file_of(const struct patient *p)
{
	return p->view->model->processes[p->process].file;
}

/* The finding's, or where that is one that only starts others, the first that uses OpenMP. */
static uint32_t process_of(const struct model *m, const struct finding *f)
{
	uint32_t i = 0;

	if (losses_uses_openmp(&m->processes[f->process]))
		return f->process;
	while (i + 1 < m->nprocesses && !losses_uses_openmp(&m->processes[i]))
		i++;
	return i;
}

/* NULL: not set. */
static const char *remedies_value_of(const struct patient *p, const char *name)
{
	const char *setting = surroundings_setting(remedies_file_of(p), name);

	return setting ? setting + strlen(name) + 1 : NULL;
}

/* How many threads the environment asks for; 0: not known. */
static uint32_t asked_threads(const struct patient *p)
{
	const char *asked = remedies_value_of(p, "OMP_NUM_THREADS");
	const unsigned long n = asked ? strtoul(asked, NULL, 10) : 0;

	if (n && n <= UINT32_MAX)
		return (uint32_t)n;
	return p->placement->processes ? p->placement->processes[p->process].ncpus : 0;
}

/* ---- conditions: 0, or the number that the setting has --------------- */

/* As many as there are CPUs for. The program's own num_threads would decide against it. */
static uint32_t threads_as_cpus(const struct patient *p)
{
	const struct finding *f = p->f;
	const uint32_t threads = p->view->model->processes[p->process].openmp_threads;
	double fit = f->ncpus;

	if (threads != asked_threads(p) && !f->nested && f->initials < 2)
		return 0;
	if (f->rule == FINDING_QUOTA)
		fit = f->quota;
	else if (f->rule == FINDING_NO_CPU)
		fit = round((1 - f->waited) * threads);
	else if (f->rule == FINDING_PROCESSES)
		fit = (double)f->ncpus / f->nprocesses;
	else if (f->initials > 1)
		fit = (double)f->ncpus / f->initials;
	if (fit < 1)
		fit = 1;
	return fit < asked_threads(p) ? (uint32_t)fit : 0;
}

/* Where the setting is why there is one. */
static uint32_t all_cpus(const struct patient *p)
{
	return remedies_value_of(p, "OMP_NUM_THREADS") ? p->f->ncpus : 0;
}

/* As many as would take the least time, or half of them; one where one alone would be faster. */
static uint32_t fewer_threads(const struct patient *p)
{
	if (p->f->nthreads < 2 || p->f->nthreads != asked_threads(p))
		return 0;
	if (p->f->fit)
		return p->f->fit;
	return p->f->alone ? 1 : p->f->nthreads / 2;
}

/* The finding's loop; of a region's waits, any of its loops. */
static uint32_t is_runtime_loop(const struct patient *p)
{
	const struct view *v = p->view;
	const struct finding *f = p->f;
	const uint8_t kind = v->constructs[f->construct].kind;

	if (kind == CONSTRUCT_FOR_RUNTIME)
		return true;
	for (size_t i = 0; i < v->nplaces && kind < CONSTRUCT_FOR; i++)
		if (v->constructs[v->places[i].construct].kind == CONSTRUCT_FOR_RUNTIME &&
		    v->regions[v->places[i].region].line == f->line)
			return true;
	return false;
}

static uint32_t is_runtime_static(const struct patient *p)
{
	return is_runtime_loop(p) &&
	       (!(view_toolchain(remedies_file_of(p))->traits & RUNTIME_DYNAMIC) ||
		remedies_value_of(p, "OMP_SCHEDULE"));
}

/* Not where a quota, or more threads than CPUs, is why threads wait for these, nor where the
   initial thread sleeps outside of regions. */
static uint32_t may_spin(const struct patient *p)
{
	if (p->f->outside_ns > p->f->gain_ns / 2)
		return false;
	for (size_t i = 0; i < p->all->n; i++)
		if (finding_is_condition(p->all->all[i].rule) &&
		    p->all->all[i].rule != FINDING_NO_CPU &&
		    p->all->all[i].rule != FINDING_SHARED_CPU)
			return false;
	return true;
}

/* Others that have the CPU can't be avoided. */
static uint32_t remedies_is_bound(const struct patient *p)
{
	return remedies_value_of(p, "OMP_PROC_BIND") ? true : false;
}

static uint32_t has_nested_teams(const struct patient *p)
{
	return p->f->nested;
}

static uint32_t remedies_is_nested(const struct patient *p)
{
	return p->f->setting && !strcmp(p->f->setting, FINDING_NESTED);
}

static uint32_t is_dynamic(const struct patient *p)
{
	return remedies_value_of(p, "OMP_DYNAMIC") ? true : false;
}

static uint32_t maps_again(const struct patient *p)
{
	return finding_maps_again(p->f);
}

/* ---- the table ------------------------------------------------------- */

#define OF(rule) (UINT64_C(1) << FINDING_##rule)
_Static_assert(FINDING_RULES <= 64, "a set of rules is a number");

/* Threads had fewer CPUs than they are. */
#define FEW_CPUS (OF(QUOTA) | OF(MASK) | OF(CROWDED) | OF(PROCESSES) | OF(NO_CPU))
#define WANTED_CPUS (FEW_CPUS | OF(POOLS) | OF(RUNTIMES) | OF(SHARED_CPU))
/* Waits that are short: what it takes to wake a thread counts. */
#define SHORT_WAITS \
	(OF(VARYING_LOOP) | OF(VARYING_CHUNKS) | OF(VARYING_SECTIONS) | OF(VARYING_TEAM) | \
	 OF(UNCOUNTED_LOOP) | OF(SHORT_LOOP) | OF(SHORT_STEPS) | OF(SHORT_REGIONS) | OF(SINGLE) | \
	 OF(SMALL_TASKS) | OF(FEW_TASKS) | OF(TASK_CHAIN) | OF(TASK_WAITS) | OF(CRITICAL) | \
	 OF(LOCK) | OF(ORDERED) | OF(BLOCKED))
/* What costs more with more threads. */
#define DEARER \
	(OF(SHORT_LOOP) | OF(SHORT_STEPS) | OF(SHORT_REGIONS) | OF(SMALL_TASKS) | OF(CRITICAL) | \
	 OF(LOCK) | OF(ATOMIC) | OF(ARRAY_REDUCTION) | OF(ALLOCATOR) | OF(MEMORY))
#define UNEVEN \
	(OF(STATIC_LOOP) | OF(OTHER_LOOP) | OF(VARYING_LOOP) | OF(VARYING_CHUNKS) | \
	 OF(UNCOUNTED_LOOP) | OF(LIKE_FEW) | OF(LATE_THREAD) | OF(UNEVEN_TEAM) | OF(VARYING_TEAM))

static uint32_t is_mallocs(const struct patient *p)
{
	return !p->f->is_static;
}

/* A thread that sleeps between two regions is woken for each: so not where they come in less time
   than pays for that, unless threads are more than CPUs. */
static uint32_t may_sleep(const struct patient *p)
{
	const struct model_process *m = &p->view->model->processes[p->process];
	uint64_t entries = 0;

	for (size_t i = REGION_SPECIALS; i < p->view->nregions; i++)
		if (p->view->regions[i].counts.team_most > 1)
			entries += p->view->regions[i].counts.entries;
	return m->openmp_threads > p->placement->processes[p->process].ncpus || !entries ||
	       model_elapsed_ns(m) / entries >= SLEEP_LEAST_NS;
}

/* Settings, in which # is the condition's number; or the runtime's own variable, where that is set
   and so goes before OMP_WAIT_POLICY, or where nothing else says it. */
static const struct rule {
	uint64_t findings;
	uint32_t (*when)(const struct patient *p); /* NULL: always */
	const char *settings;			   /* NULL: none for all runtimes */
	enum toolchain_spin spin;		   /* of the runtime's own variable */
} rules[] = {
	{ FEW_CPUS, threads_as_cpus, "OMP_NUM_THREADS=#", SPIN_UNSET },
	{ OF(ONE_THREAD), all_cpus, "OMP_NUM_THREADS=#", SPIN_UNSET },
	{ OF(CROWDED), has_nested_teams, "OMP_MAX_ACTIVE_LEVELS=1", SPIN_UNSET },
	{ WANTED_CPUS | OF(SERIAL), may_sleep, "OMP_WAIT_POLICY=passive", SPIN_NOT },
	{ WANTED_CPUS, may_sleep, NULL, SPIN_SHORTLY },
	{ OF(SHARED_CPU) | OF(MEMORY), NULL, "OMP_PLACES=cores OMP_PROC_BIND=spread", SPIN_UNSET },
	{ OF(SHARED_CPU) | OF(NO_CPU), remedies_is_bound, "OMP_PROC_BIND=false", SPIN_UNSET },
	{ UNEVEN, is_runtime_static, "OMP_SCHEDULE=dynamic", SPIN_UNSET },
	{ UNEVEN | OF(DISPATCH), is_runtime_loop, "OMP_SCHEDULE=guided", SPIN_UNSET },
	{ OF(DISPATCH), is_runtime_loop, "OMP_SCHEDULE=static", SPIN_UNSET },
	{ SHORT_WAITS, may_spin, "OMP_WAIT_POLICY=active", SPIN_ALWAYS },
	{ DEARER, fewer_threads, "OMP_NUM_THREADS=#", SPIN_UNSET },
	{ OF(ASKED), remedies_is_nested, "OMP_MAX_ACTIVE_LEVELS=2", SPIN_UNSET },
	{ OF(ASKED) | OF(SMALL_TEAMS), is_dynamic, "OMP_DYNAMIC=false", SPIN_UNSET },
	{ OF(FAULTS), maps_again, FINDING_KEEP_BLOCKS, SPIN_UNSET },
	{ OF(FAULTS), is_mallocs, FINDING_HUGE_PAGES, SPIN_UNSET },
};

/* Whether settings that can be made from outside change anything for the process. */
static bool is_new(const struct patient *p, const char *settings)
{
	char copy[REMEDY_BYTES], *rest = copy, *setting;
	bool new = false;

	snprintf(copy, sizeof(copy), "%s", settings);
	while ((setting = strsep(&rest, " "))) {
		const char *name = strsep(&setting, "=");
		const char *inside = remedies_value_of(p, name), *outside = p->present(name);
		/* Of a list the setting would be all. */
		const bool from_outside = inside && outside && !strcmp(inside, outside) &&
					  strcmp(name, "GLIBC_TUNABLES") != 0;

		if ((inside || outside) && !from_outside)
			return false;
		new = new || !inside || strcasecmp(inside, setting);
	}
	return new;
}

/* Behind those of a rank that is as low; whether it is added. */
static bool remedies_add(struct remedies *r, const struct patient *p, const char *settings,
			 uint32_t number, unsigned rank)
{
	const size_t before = strcspn(settings, "#");
	struct remedy new = { .finding = p->f, .rank = rank };
	size_t at = r->n;

	if (settings[before])
		snprintf(new.settings, sizeof(new.settings), "%.*s%u", (int)before, settings,
			 number);
	else
		snprintf(new.settings, sizeof(new.settings), "%s", settings);
	for (size_t i = 0; i < r->n; i++)
		if (!strcmp(r->all[i].settings, new.settings))
			return false;
	if (r->n == REMEDIES_MOST || !is_new(p, new.settings))
		return false;
	while (at > 0 && r->all[at - 1].rank > rank)
		at--;
	memmove(&r->all[at + 1], &r->all[at], (r->n++ - at) * sizeof(*r->all));
	r->all[at] = new;
	return true;
}

void remedies_find(const struct view *v, const struct placement *p, const struct findings *f,
		   prof_variable *present, struct remedies *r)
{
	*r = (struct remedies){ 0 };
	for (size_t i = 0; i < f->n; i++) {
		const struct finding *of = &f->all[i];
		const struct patient patient = {
			.view = v,
			.placement = p,
			.all = f,
			.f = of,
			.process = process_of(v->model, of),
			.present = present,
		};

		const struct toolchain *t = view_toolchain(remedies_file_of(&patient));
		unsigned rank = 0;

		for (size_t k = 0; k < sizeof(rules) / sizeof(*rules); k++) {
			const struct rule *rule = &rules[k];
			const char *own = t->spin[rule->spin], *settings = rule->settings;
			uint32_t number;

			if (!(rule->findings >> of->rule & 1))
				continue;
			number = rule->when ? rule->when(&patient) : 1;
			if (own && (!settings || remedies_value_of(&patient, t->spin_variable)))
				settings = own;
			if (number && settings)
				rank += remedies_add(r, &patient, settings, number, rank);
		}
	}
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tasks.c - the rows of explicit tasks.
 *
 * First, waits are grouped by the region or explicit task that waits, and by function.  A
 * group waited for tasks that its region or task created: for those created in the waiting
 * function if there are any, otherwise for all.
 */
#include "config.h"

#include "src/tables/tasks.h"

#include <stdbool.h>
#include <stdlib.h>

#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/model/model.h"
#include "src/view/view.h"

enum { BLOCKS = 1 + TASK_WAITS }; /* blocks per site */

struct wait_group {
	uint64_t creator;  /* creator_key() */
	uint32_t function; /* 0: any */
	uint32_t within;   /* the function as compiled: an outlined one if it contains
				   the wait */
	uint8_t wait;	   /* enum task_wait */
	struct cost *self; /* a block */
};

struct tasks_build {
	const struct view *view;
	struct tasks *tasks;
	struct wait_group *groups;
	size_t ngroups, room;
	struct map by_group;
	uint32_t *next;	      /* next site with the same creator; 0: none */
	uint32_t *next_there; /* the same, and with the same function */
	struct map first;     /* by creator, and 0 or a function */
};

const char *task_wait_name(enum task_wait wait)
{
	static const char *const names[TASK_WAITS] = { "taskwait", "taskgroup", "barrier" };

	return wait < TASK_WAITS ? names[wait] : "unknown";
}

const char *task_dependence_name(unsigned kind)
{
	static const char *const names[PROF_DEPENDENCE_KINDS] = {
		[PROF_DEPENDENCE_IN] = "in",
		[PROF_DEPENDENCE_OUT] = "out",
		[PROF_DEPENDENCE_INOUT] = "inout",
		[PROF_DEPENDENCE_MUTEXINOUTSET] = "mutexinoutset",
		[PROF_DEPENDENCE_INOUTSET] = "inoutset",
		[PROF_DEPENDENCE_ALL_MEMORY] = "omp_all_memory",
	};

	return kind < PROF_DEPENDENCE_KINDS && names[kind] ? names[kind] : "unknown";
}

double task_parallelism(const struct view *v)
{
	return v->path_ns ? (double)v->tasks_ns / (double)v->path_ns : 0;
}

const char *task_graph_unknown(const struct view *v)
{
	if (v->filtered)
		return "dependences belong to no sample: not shown of a part";
	if (!v->path_ns && !v->ndependences)
		return "No dependences were recorded: measure with --dependences, which needs a "
		       "runtime with OMPT (LLVM's).";
	return v->path_ns ? NULL : "no task's end was recorded: the longest path is not known";
}

char *task_flags(const struct view_task *t)
{
	static const struct {
		uint32_t flag;
		const char *name;
	} flags[] = {
		{ PROF_TASK_DEPEND, "depend" },	      { PROF_TASK_DETACHED, "detached" },
		{ PROF_TASK_EXPORTING, "exporting" }, { PROF_TASK_FINAL, "final" },
		{ PROF_TASK_IMPORTING, "importing" }, { PROF_TASK_MERGEABLE, "mergeable" },
		{ PROF_TASK_MERGED, "merged" },	      { PROF_TASK_PRIORITY, "priority" },
		{ PROF_TASK_TARGET, "target" },	      { PROF_TASK_UNDEFERRED, "undeferred" },
		{ PROF_TASK_UNTIED, "untied" },
	};
	/* A thread that said nothing created plain ones.  A taskloop's are counted by others. */
	const bool plain = t->makers > t->described && (t->are & PROF_TASK_TASKLOOP) == 0;
	char *s = NULL;

	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++) {
		const bool some = (t->are_not & flags[i].flag) ||
				  (plain && flags[i].flag != PROF_TASK_DETACHED);
		char *before = s;

		if (!(t->are & flags[i].flag))
			continue;
		s = alloc_printf("%s%s%s%s", s ? s : "", s ? " " : "", some ? "some-" : "",
				 flags[i].name);
		free(before);
	}
	return s;
}

static uint64_t creator_key(uint32_t region, uint32_t task)
{
	return task ? (uint64_t)1 << 32 | task : region;
}

static size_t block_size(const struct tasks_build *b)
{
	return b->view->model->nevents * OMP_CLASSES;
}

/* ---- who waits ------------------------------------------------------- */

static bool wait_of(const struct view_record *r, enum task_wait *wait)
{
	switch (r->leaf) {
	case LEAF_TASKWAIT:
	case LEAF_DEPEND: *wait = TASK_WAIT_TASKWAIT; return true;
	case LEAF_TASKGROUP: *wait = TASK_WAIT_TASKGROUP; return true;
	case LEAF_IMPLICIT_BARRIER:
	case LEAF_BARRIER:
	case LEAF_EXPLICIT_BARRIER: *wait = TASK_WAIT_BARRIER; return true;
	default: return false;
	}
}

/* ---- for whom -------------------------------------------------------- */

static uint32_t site_function(const struct tasks_build *b, uint32_t task)
{
	return b->view->names.lines[b->view->tasks[task].line].function;
}

/* Calls visit for each site that g may have waited for.  Returns their number. */
static size_t group_sites(const struct tasks_build *b, const struct wait_group *g, bool by_function,
			  void (*visit)(const struct tasks_build *b, const struct wait_group *g,
					uint32_t task, size_t sharing),
			  size_t sharing)
{
	const uint32_t own = g->creator >> 32 ? (uint32_t)g->creator : 0;
	const uint32_t *next = by_function ? b->next_there : b->next;
	uint32_t task = map_get(&b->first, g->creator, by_function ? g->function : 0, 0);
	size_t n = 0;

	for (; task; task = next[task]) {
		n++;
		if (visit)
			visit(b, g, task, sharing);
	}
	/* A recursive task, created at the same place as its creator, has no site of its own: it
	   shares its creator's site. Such a task waits for tasks of its own site if it waits in the
	   function that created it, of which it executes another call. Its own body lies in the
	   same function of the source, but creates nothing that has no site. */
	if (own && g->creator == creator_key(0, own) && g->within == b->view->tasks[own].within &&
	    g->function == site_function(b, own) && b->view->tasks[own].creator != own) {
		n++;
		if (visit)
			visit(b, g, own, sharing);
	}
	return n;
}

static void site_waited(const struct tasks_build *b, const struct wait_group *g, uint32_t task,
			size_t sharing)
{
	struct task_waits *w = &b->tasks->all[task - 1].waits[g->wait];

	cost_add(w->self, g->self, b->view->model->nevents);
	if (sharing > w->sharing)
		w->sharing = sharing;
}

/* The first site of a creator and function stays first; later ones go behind it. */
static void site_chain(struct tasks_build *b, uint32_t task, uint32_t function, uint32_t *next)
{
	const struct view_task *t = &b->view->tasks[task];
	uint32_t first;

	if (map_add(&b->first, creator_key(t->region, t->creator), function, task, &first))
		return;
	next[task] = next[first];
	next[first] = task;
}

static void sites_chain(struct tasks_build *b)
{
	const size_t n = b->view->ntasks;

	b->next = alloc_zeroed(n + 1, sizeof(*b->next));
	b->next_there = alloc_zeroed(n + 1, sizeof(*b->next_there));
	for (uint32_t i = 1; i < n; i++) {
		const uint32_t function = site_function(b, i);

		site_chain(b, i, 0, b->next);
		if (function)
			site_chain(b, i, function, b->next_there);
	}
}

static void groups_share(struct tasks_build *b)
{
	for (size_t i = 0; i < b->ngroups; i++) {
		const struct wait_group *g = &b->groups[i];
		const uint32_t own = g->creator >> 32 ? (uint32_t)g->creator : 0;
		const bool named = g->function && group_sites(b, g, true, NULL, 0);
		const size_t n = group_sites(b, g, named, NULL, 0);

		group_sites(b, g, named, site_waited, n);
		/* The wait can only be for tasks of the site itself: functions that it called
		   created them. */
		if (!n && own && g->function == site_function(b, own) &&
		    b->view->tasks[own].created > 1)
			site_waited(b, g, own, 1);
	}
}

/* ---- rows ------------------------------------------------------------ */

static int by_cost(const void *a, const void *b, void *event)
{
	const struct task_site *x = a, *y = b;
	const uint64_t m = cost_sum(x->self, *(size_t *)event).weight;
	const uint64_t n = cost_sum(y->self, *(size_t *)event).weight;

	if (m != n)
		return m > n ? -1 : 1;
	if (x->what->created != y->what->created)
		return x->what->created > y->what->created ? -1 : 1;
	return x->what < y->what ? -1 : x->what > y->what;
}

/* Adds up what was sampled in tasks, and in each group of waits. */
static void records_add(struct tasks_build *b)
{
	const struct view *v = b->view;

	for (size_t i = 0; i < v->nrecords; i++) {
		const struct view_record *r = &v->records[i];
		struct wait_group g = { 0 };
		enum task_wait wait;
		uint32_t id;

		if (r->task)
			cost_add_record(b->tasks->all[r->task - 1].self, r);
		if (!wait_of(r, &wait))
			continue;
		g.wait = (uint8_t)wait;
		g.creator = creator_key(r->region, r->in_task ? r->task : 0);
		if (wait != TASK_WAIT_BARRIER) {
			g.function = v->names.lines[v->constructs[r->construct].line].function;
			g.within = r->within;
		}
		if (map_add(&b->by_group, g.creator | (uint64_t)g.wait << 40,
			    (uint64_t)g.function << 32 | g.within, (uint32_t)b->ngroups, &id)) {
			b->groups = grow(b->groups, b->ngroups, &b->room, sizeof(*b->groups));
			g.self = alloc_zeroed(block_size(b), sizeof(*g.self));
			b->groups[b->ngroups++] = g;
		}
		cost_add_record(b->groups[id].self, r);
	}
}

void tasks_build(const struct view *v, size_t event, struct tasks *t)
{
	struct tasks_build b = { .view = v, .tasks = t };

	*t = (struct tasks){ 0 };
	const size_t block = block_size(&b);

	t->n = b.view->ntasks - 1;
	t->all = alloc_zeroed(t->n + 1, sizeof(*t->all));
	t->costs = alloc_zeroed((t->n * BLOCKS + 1) * (block + 1), sizeof(*t->costs));
	for (size_t i = 0; i < t->n; i++) {
		struct cost *at = &t->costs[i * BLOCKS * block];

		t->all[i] = (struct task_site){ .what = &b.view->tasks[i + 1], .self = at };
		for (unsigned w = 0; w < TASK_WAITS; w++)
			t->all[i].waits[w].self = at + (1 + w) * block;
	}
	records_add(&b);
	sites_chain(&b);
	groups_share(&b);
	if (v->filtered) {
		/* Of a filtered view's tasks only those with samples are known to belong to it. */
		size_t n = 0;

		for (size_t i = 0; i < t->n; i++)
			if (!cost_is_zero(t->all[i].self, v->model->nevents))
				t->all[n++] = t->all[i];
		t->n = n;
	}
	qsort_r(t->all, t->n, sizeof(*t->all), by_cost, &event);
	for (size_t i = 0; i < b.ngroups; i++)
		free(b.groups[i].self);
	free(b.groups);
	free(b.next);
	free(b.next_there);
	map_free(&b.by_group);
	map_free(&b.first);
}

void tasks_fini(struct tasks *t)
{
	free(t->all);
	free(t->costs);
	*t = (struct tasks){ 0 };
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* depend.c - see depend.h: tasks, teams, and the path. */
#include "config.h"

#include "ompt_tool/omp/depend.h"

#include <stdatomic.h>
#include <stddef.h>

#include "ompt_tool/machine/ticks.h"
#include "ompt_tool/omp/depend_parts.h"
#include "ompt_tool/omp/omp_thread.h"
#include "ompt_tool/omp/region.h"
#include "ompt_tool/tree/cct.h"
#include "ompt_tool/tree/process.h"
#include "src/profile/syscalls.h"

enum { TASK_LISTS = 1 << 14 };

/* Owned by this file; what follows `lock' is written by its holder. */
static bool on;
static atomic_flag lock = ATOMIC_FLAG_INIT;
static struct task *tasks[TASK_LISTS];
static uint32_t numbers;
static uint64_t longest;

void depend_prepare(bool yes)
{
	on = yes;
}

bool depend_on(void)
{
	return on;
}

void depend_forget(struct omp_thread *t)
{
	t->depend.node = 0;
	t->depend.task = t->depend.implicit = NULL;
}

static void drop_taskgroup(struct taskgroup *g)
{
	if (g && --g->users == 0)
		depend_give_back(g);
}

static void drop_task(struct task *d)
{
	while (d && --d->users == 0) {
		struct task *parent = d->parent;

		depend_drop_variables(d);
		drop_taskgroup(d->of);
		drop_task(d->root);
		depend_give_back(d);
		d = parent;
	}
}

static struct task **list_of(const void *name)
{
	return &tasks[(uintptr_t)name * UINT64_C(0x9e3779b97f4a7c15) >> 50 & (TASK_LISTS - 1)];
}

static struct task *find(const void *name, enum depend_kind kind)
{
	struct task *d = name ? *list_of(name) : NULL;

	while (d && (d->name != name || d->kind != kind))
		d = d->next;
	return d;
}

/* A task or team of that parent, or of none; named: it can be found. NULL: no memory. */
static struct task *make(enum depend_kind kind, struct task *parent, const void *name)
{
	struct task *d = depend_take();

	if (!d)
		return NULL;
	d->kind = (uint8_t)kind;
	d->users = 1;
	d->number = ++numbers;
	d->parent = parent;
	if (parent) {
		parent->users++;
		d->at = parent->at;
		d->timed = parent->timed;
	}
	if (kind == TEAM) {
		d->barrier[0] = d->barrier[1] = d->at;
	} else if (kind == EXPLICIT) {
		d->root = parent->kind == IMPLICIT ? parent : parent->root;
		d->root->users++;
		d->of = d->now = parent->now;
		if (d->of)
			d->of->users++;
	}
	if (name) {
		d->name = name;
		d->next = *list_of(name);
		*list_of(name) = d;
	}
	return d;
}

/* Takes it from its list. What has it as parent, or runs it, may still use it. */
static void unlist(struct task *d)
{
	struct task **at = list_of(d->name);

	while (*at && *at != d)
		at = &(*at)->next;
	if (*at)
		*at = d->next;
	drop_task(d);
}

/* t begins an implicit task of that team; NULL: of one that is not known. */
static struct task *begin_implicit(struct omp_thread *t, struct task *team)
{
	struct task *unknown = team ? NULL : make(TEAM, NULL, NULL), *d;

	team = team ? team : unknown;
	d = team ? make(IMPLICIT, team, NULL) : NULL;
	drop_task(unknown);
	if (!d)
		return NULL;
	d->outer.explicit = t->depend.task;
	d->outer.implicit = t->depend.implicit;
	t->depend.task = NULL;
	return t->depend.implicit = d;
}

static void end_implicit(struct omp_thread *t)
{
	struct task *d = t->depend.implicit;

	t->depend.task = d->outer.explicit;
	t->depend.implicit = d->outer.implicit;
	drop_task(d);
}

/* NULL: no memory. */
static struct task *current(struct omp_thread *t)
{
	return t->depend.task	  ? t->depend.task :
	       t->depend.implicit ? t->depend.implicit :
				    begin_implicit(t, NULL);
}

/* The current task has come so far. t: NULL for a thread that has no record. */
static void enter(struct omp_thread *t)
{
	const uint64_t now = ticks_now();

	for (unsigned tries = 0; atomic_flag_test_and_set_explicit(&lock, memory_order_acquire);)
		call_give_way(tries++);
	struct task *d = !t ? NULL : t->depend.task ? t->depend.task : t->depend.implicit;

	if (d && d->timed && !d->waiting) {
		d->at += now - t->depend.since;
		t->depend.work += now - t->depend.since;
	}
}

/* What was done here is no time of the task that goes on. */
static void leave(struct omp_thread *t)
{
	atomic_flag_clear_explicit(&lock, memory_order_release);
	if (t)
		t->depend.since = ticks_now();
}

/* The words of the thread's PATH node, or NULL. */
static struct prof_node *path_node(struct omp_thread *t)
{
	if (t->depend.node == 0)
		t->depend.node = cct_child(&t->cct, cct_root(&t->cct),
					   PROF_NODE_INFO(PROF_NODE_STATS, 0, 0, PROF_STATS_PATH),
					   0);
	return t->depend.node != 0 ? cct_node(&process.writer, t->depend.node) : NULL;
}

static void publish(struct omp_thread *t)
{
	struct prof_node *node = path_node(t);

	if (!node)
		return;
	node->a = longest;
	node->b += t->depend.work;
	t->depend.work = 0;
}

void depend_variable(struct omp_thread *t, const void *name, const void *variable,
		     enum prof_dependence kind)
{
	enter(t);
	struct task *d = find(name, EXPLICIT);

	if (d && !d->begun)
		depend_name(t, d, variable, (uint8_t)kind);
	leave(t);
}

/* ---- tasks ------------------------------------------------------------ */

void depend_created(struct omp_thread *t, const void *name, uint64_t token, bool undeferred)
{
	enter(t);
	struct task *parent = current(t), *d = parent ? make(EXPLICIT, parent, name) : NULL;

	if (d) {
		d->waits = token == 0;
		d->context = d->waits ? 0 : task_context(token);
		d->timed = true;
		d->undeferred = (undeferred && !d->root->alone) || d->waits;
	} else {
		omp_thread_lose(t, PROF_LOST_ENTRIES);
	}
	leave(t);
}

/* What waits for it goes on where it ended. */
static void finish(struct task *d)
{
	struct task *p = d->parent;

	if (!d->begun)
		depend_begin(d);
	depend_end(d);
	depend_drop_variables(d);
	depend_later(&longest, d->at);
	depend_later(&p->children, d->at);
	if (d->undeferred)
		depend_later(&p->at, d->at);
	if (d->of)
		depend_later(&d->of->at, d->at);
	depend_later(&d->root->parent->barrier[d->root->phase & 1], d->at);
	d->parent = NULL;
	drop_task(p);
	unlist(d);
}

void depend_switch(struct omp_thread *t, const void *ended, const void *next)
{
	enter(t);
	struct task *d = find(ended, EXPLICIT);

	if (d)
		finish(d);
	d = find(next, EXPLICIT);
	if (d && !d->begun)
		depend_begin(d);
	t->depend.task = d;
	publish(t);
	leave(t);
}

void depend_ended(struct omp_thread *t, const void *name)
{
	enter(t);
	struct task *d = find(name, EXPLICIT);

	if (t && d && current(t))
		depend_later(&d->at, current(t)->at);
	if (d)
		finish(d);
	if (t)
		publish(t);
	leave(t);
}

void depend_waiting(struct omp_thread *t, bool yes)
{
	enter(t);
	struct task *d = current(t);

	if (d)
		d->waiting = yes;
	leave(t);
}

void depend_comes(struct omp_thread *t)
{
	enter(t);
	struct task *d = current(t);

	if (d && d->kind == IMPLICIT)
		depend_later(&d->parent->barrier[d->phase & 1], d->at);
	leave(t);
}

void depend_waited(struct omp_thread *t, bool barrier)
{
	enter(t);
	struct task *d = current(t);

	if (d && !barrier)
		depend_later(&d->at, d->children);
	else if (d && d->kind == IMPLICIT)
		depend_later(&d->at, d->parent->barrier[d->phase++ & 1]);
	publish(t);
	leave(t);
}

void depend_group_begins(struct omp_thread *t)
{
	enter(t);
	struct task *d = current(t);
	struct taskgroup *g = d ? depend_take() : NULL;

	if (g) {
		g->users = 1;
		g->outer = d->now;
		d->now = g;
	}
	leave(t);
}

void depend_group_ends(struct omp_thread *t)
{
	enter(t);
	struct task *d = current(t);
	struct taskgroup *g = d ? d->now : NULL;

	if (g && g != d->of) {
		depend_later(&d->at, g->at);
		d->now = g->outer;
		drop_taskgroup(g);
	}
	leave(t);
}

/* ---- teams ------------------------------------------------------------ */

void depend_team_begins(struct omp_thread *t, const void *name)
{
	enter(t);
	struct task *by = current(t);

	if (by)
		make(TEAM, by, name);
	leave(t);
}

void depend_team_ends(struct omp_thread *t, const void *name)
{
	enter(t);
	struct task *team = find(name, TEAM);

	if (team) {
		for (int i = 0; i < 2; i++)
			depend_later(&team->parent->at, team->barrier[i]);
		if (team->timed)
			depend_later(&longest, team->parent->at);
		unlist(team);
	}
	publish(t);
	leave(t);
}

void depend_implicit_begins(struct omp_thread *t, const void *team, unsigned threads,
			    unsigned index)
{
	enter(t);
	/* A team's other threads begin with it. */
	while (index != 0 && t->depend.implicit)
		end_implicit(t);
	if (index != 0)
		t->depend.task = NULL;
	struct task *d = begin_implicit(t, find(team, TEAM));

	if (d)
		d->alone = threads == 1;
	leave(t);
}

void depend_implicit_ends(struct omp_thread *t)
{
	enter(t);
	if (t->depend.implicit)
		end_implicit(t);
	leave(t);
}

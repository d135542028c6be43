/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * depend.c - see depend.h.
 *
 * Tasks that name a variable in the same way may run side by side, if they only read it or if
 * their kind is a set; such ones are a group. A task depends on all of the group before its own,
 * and these on all of the group before that: so two groups a variable are enough, and a group
 * knows when its last task ends on the path. A task that begins reads that of the groups before
 * its own, all of whose tasks have ended.
 */
#include "config.h"

#include "ompt_tool/omp/depend.h"

#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>

#include "ompt_tool/machine/ticks.h"
#include "ompt_tool/omp/omp_thread.h"
#include "ompt_tool/omp/region.h"
#include "ompt_tool/tree/cct.h"
#include "ompt_tool/tree/process.h"
#include "src/profile/syscalls.h"

enum {
	CELL_BYTES = 128,
	CELLS = 512, /* of one piece of memory */
	SITES = 10,
	LINKS = 7,
	TASK_LISTS = 1 << 14,
	VARIABLES = 1 << 17,
	PROBES = 16,
};

/* Tasks that name a variable in the same way, one after the other. */
struct group {
	uint64_t finish; /* of those that have ended */
	uint32_t users;
	uint8_t kind, nsites;
	struct {
		uint32_t context, tasks;
	} site[SITES];
};

/* Of a task and some of its variables. */
struct links {
	struct links *next;
	uint32_t n;
	struct {
		struct group *before, *own;
	} link[LINKS];
};

struct task {
	const void *name;
	struct task *next; /* in its list */
	struct task *parent;
	struct links *links;
	uint64_t scope;	   /* its children's variables are of that; 0: none had one */
	uint64_t token;	   /* of a thread's own: what its scope is for */
	uint64_t at;	   /* on the path: where it is to begin, has come to, or ended */
	uint64_t children; /* where the last of them ended that have */
	uint32_t users;	   /* itself, and its children */
	uint32_t context;
	bool begun, over, undeferred;
};

struct variable {
	uint64_t scope; /* 0: none */
	const void *address;
	struct group *before, *own;
};

union cell {
	union cell *next;
	struct group group;
	struct links links;
	struct task task;
	unsigned char bytes[CELL_BYTES];
};
_Static_assert(sizeof(union cell) == CELL_BYTES, "a cell's room");

/* Owned by this file; what follows `lock' is written by its holder. */
static bool on;
static atomic_flag lock = ATOMIC_FLAG_INIT;
static union cell *free_cells;
static struct task *tasks[TASK_LISTS];
static struct variable *variables;
static uint64_t scopes, longest;

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
	t->depend.task = NULL;
}

static void enter(void)
{
	for (unsigned tries = 0; atomic_flag_test_and_set_explicit(&lock, memory_order_acquire);)
		call_give_way(tries++);
}

static void leave(void)
{
	atomic_flag_clear_explicit(&lock, memory_order_release);
}

static void *room_for(size_t bytes)
{
	void *room = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return room == MAP_FAILED ? NULL : room;
}

/* Zeroed, or NULL. */
static union cell *take(void)
{
	union cell *c = free_cells;

	if (!c) {
		c = room_for(CELLS * sizeof(*c));
		for (size_t i = 0; c && i < CELLS; i++) {
			c[i].next = free_cells;
			free_cells = &c[i];
		}
		c = free_cells;
	}
	if (!c)
		return NULL;
	free_cells = c->next;
	*c = (union cell){ .bytes = { 0 } };
	return c;
}

static void give_back(void *cell)
{
	union cell *c = cell;

	c->next = free_cells;
	free_cells = c;
}

static void drop_group(struct group *g)
{
	if (g && --g->users == 0)
		give_back(g);
}

static void drop_task(struct task *d)
{
	while (d && --d->users == 0) {
		struct task *parent = d->parent;

		give_back(d);
		d = parent;
	}
}

static void later(uint64_t *at, uint64_t than)
{
	if (*at < than)
		*at = than;
}

static struct task **list_of(const void *name)
{
	return &tasks[(uintptr_t)name * UINT64_C(0x9e3779b97f4a7c15) >> 50 & (TASK_LISTS - 1)];
}

static struct task *find(const void *name)
{
	struct task *d = name ? *list_of(name) : NULL;

	while (d && d->name != name)
		d = d->next;
	return d;
}

/* What stands for all implicit tasks of the thread. */
static struct task *own(struct omp_thread *t)
{
	if (!t->depend.own && (t->depend.own = (struct task *)take()))
		((struct task *)t->depend.own)->users = 1;
	return t->depend.own;
}

static struct task *current(struct omp_thread *t)
{
	return t->depend.task ? t->depend.task : own(t);
}

/* The current explicit task has come so far. */
static void advance(struct omp_thread *t)
{
	struct task *d = t->depend.task;
	const uint64_t now = ticks_now();

	if (d) {
		d->at += now - t->depend.since;
		t->depend.work += now - t->depend.since;
	}
	t->depend.since = now;
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

/* ---- dependences ------------------------------------------------------ */

/* Counts a dependence of d on tasks of another site. */
static void count(struct omp_thread *t, const struct task *d, uint8_t kind,
		  const struct group *on_it, uint32_t i)
{
	const uint32_t info = PROF_BOUNDARY_INFO(PROF_BOUNDARY_TASK, PROF_TEAM_UNKNOWN);
	uint32_t node = cct_child(&t->cct, cct_root(&t->cct), info, d->context);

	if (node != 0)
		node = cct_child(&t->cct, node, info, on_it->site[i].context);
	if (node != 0)
		node = cct_child(&t->cct, node,
				 PROF_NODE_INFO(PROF_NODE_STATS, on_it->kind << 4 | kind, 0,
						PROF_STATS_DEPENDENCE),
				 0);
	if (node != 0)
		cct_node(&process.writer, node)->a += on_it->site[i].tasks;
	else
		omp_thread_lose(t, PROF_LOST_ENTRIES);
}

static void join(struct group *g, uint32_t context)
{
	uint32_t i = 0;

	while (i < g->nsites && g->site[i].context != context)
		i++;
	if (i == SITES)
		return;
	g->nsites += i == g->nsites;
	g->site[i].context = context;
	g->site[i].tasks++;
}

/* The slot of that variable: its own; else one that is free, or of a scope that is over, or the
   oldest. NULL: no memory. */
static struct variable *slot_of(uint64_t scope, const void *address)
{
	uint64_t h = ((uintptr_t)address ^ scope << 40) * UINT64_C(0x9e3779b97f4a7c15) >> 40;
	struct variable *oldest = NULL;

	if (!variables)
		variables = room_for(VARIABLES * sizeof(*variables));
	for (int i = 0; variables && i < PROBES; i++, h++) {
		struct variable *v = &variables[h & (VARIABLES - 1)];

		if (v->scope == scope && v->address == address)
			return v;
		if (!oldest || v->scope < oldest->scope)
			oldest = v;
	}
	if (!oldest)
		return NULL;
	drop_group(oldest->before);
	drop_group(oldest->own);
	*oldest = (struct variable){ .scope = scope, .address = address };
	return oldest;
}

static bool is_set(uint8_t kind)
{
	return kind == PROF_DEPENDENCE_IN || kind == PROF_DEPENDENCE_MUTEXINOUTSET ||
	       kind == PROF_DEPENDENCE_INOUTSET;
}

/* The group of a task of that kind; NULL: no memory. */
static struct group *group_for(struct variable *v, uint8_t kind)
{
	if (v->own && v->own->kind == kind && is_set(kind))
		return v->own;
	struct group *g = (struct group *)take();

	if (!g)
		return NULL;
	drop_group(v->before);
	v->before = v->own;
	v->own = g;
	g->users = 1;
	g->kind = kind;
	return g;
}

static void link_add(struct task *d, struct group *before, struct group *own_one)
{
	if (!d->links || d->links->n == LINKS) {
		struct links *more = (struct links *)take();

		if (!more)
			return;
		more->next = d->links;
		d->links = more;
	}
	d->links->link[d->links->n].before = before;
	d->links->link[d->links->n++].own = own_one;
	own_one->users++;
	if (before)
		before->users++;
}

void depend_variable(struct omp_thread *t, const void *name, const void *variable,
		     enum prof_dependence kind)
{
	enter();
	struct task *d = find(name);
	struct variable *v = d && d->parent && !d->begun ? slot_of(d->parent->scope, variable) :
							   NULL;
	struct group *g = v ? group_for(v, (uint8_t)kind) : NULL;

	if (g) {
		for (uint32_t i = 0; v->before && i < v->before->nsites; i++)
			count(t, d, (uint8_t)kind, v->before, i);
		join(g, d->context);
		link_add(d, v->before, g);
	}
	leave();
}

/* ---- tasks ------------------------------------------------------------ */

void depend_created(struct omp_thread *t, uint64_t by, const void *name, uint64_t token,
		    bool undeferred)
{
	enter();
	advance(t);
	struct task *parent = current(t), *d = parent ? (struct task *)take() : NULL;

	if (d) {
		if (parent->scope == 0 || (parent == t->depend.own && parent->token != by))
			parent->scope = ++scopes;
		parent->token = by;
		parent->users++;
		d->users = 1;
		d->parent = parent;
		d->name = name;
		d->context = task_context(token);
		d->at = parent->at;
		d->undeferred = undeferred;
		d->next = *list_of(name);
		*list_of(name) = d;
	}
	leave();
}

static void begin(struct task *d)
{
	for (const struct links *l = d->links; l; l = l->next)
		for (uint32_t i = 0; i < l->n; i++)
			if (l->link[i].before)
				later(&d->at, l->link[i].before->finish);
	d->begun = true;
}

static void unlist(struct task *d)
{
	struct task **at = list_of(d->name);

	while (*at && *at != d)
		at = &(*at)->next;
	if (*at)
		*at = d->next;
}

/* What waits for it goes on where it ended. Its own children go on being waited for by those who
   wait for it. */
static void finish(struct task *d)
{
	for (struct links *l = d->links; l;) {
		struct links *next = l->next;

		for (uint32_t i = 0; i < l->n; i++) {
			later(&l->link[i].own->finish, d->at);
			drop_group(l->link[i].before);
			drop_group(l->link[i].own);
		}
		give_back(l);
		l = next;
	}
	d->links = NULL;
	struct task *p = d->parent;

	for (later(&p->children, d->at); p->over && p->parent; p = p->parent)
		later(&p->parent->children, d->at);
	if (d->undeferred)
		later(&d->parent->at, d->at);
	later(&longest, d->at);
	d->over = true;
	unlist(d);
	drop_task(d);
}

void depend_switch(struct omp_thread *t, const void *ended, const void *next)
{
	enter();
	advance(t);
	struct task *d = find(ended);

	if (d)
		finish(d);
	d = find(next);
	if (d && !d->begun)
		begin(d);
	t->depend.task = d;
	struct prof_node *node = path_node(t);

	if (node) {
		node->a = longest;
		node->b += t->depend.work;
		t->depend.work = 0;
	}
	leave();
}

void depend_waited(struct omp_thread *t, bool barrier)
{
	enter();
	advance(t);
	struct task *d = current(t);

	if (d)
		later(&d->at, barrier ? longest : d->children);
	leave();
}

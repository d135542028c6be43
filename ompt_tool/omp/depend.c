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
	VARIABLE_LISTS = 1 << 16,
	VARIABLES_MOST = 1 << 19, /* at a time: with their groups some 200 MB */
};

/* Tasks that name a variable in the same way, one after the other. */
struct group {
	uint64_t finish; /* of those that have ended */
	uint32_t users;
	uint32_t last; /* number of the task that joined last */
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
		struct group *before, *own; /* or NULL */
	} link[LINKS];
};

/* Its end waits for the tasks in it, and for all that these create. */
struct taskgroup {
	struct taskgroup *outer;
	uint64_t at; /* where the last of them ended */
	uint32_t users;
};

enum kind { EXPLICIT, IMPLICIT, TEAM };

/*
 * A task, or a team, which is the parent of its implicit tasks. What follows `phase' is of one kind
 * of them.
 *
 * At a barrier all of a team go on where the last of them came, or the last task of the team ended.
 * Some leave it late, when others have long come to the next one. So a team has two such times,
 * which its barriers use by turns.
 */
struct task {
	const void *name;
	struct task *next;	    /* in its list */
	struct task *parent;	    /* NULL: it is over, or has none */
	struct task *root;	    /* an explicit one's: the implicit task that it descends from */
	struct taskgroup *of, *now; /* the innermost in which it was created, and in which it is */
	struct links *links;
	struct variable *variables; /* of its children */
	uint64_t at;		    /* on the path: where it is to begin, has come to, or ended */
	uint64_t children;	    /* where the last of its children ended */
	uint32_t users;		    /* itself, and what points to it */
	uint32_t context, number;
	uint8_t kind;
	bool begun, undeferred;
	bool waits;   /* for others, as taskwait does: it is no task that others depend on */
	bool waiting; /* it takes no time now */
	bool timed;   /* it is explicit, or in a region that an explicit task began */
	bool alone;   /* an implicit task of a team of one: there all tasks are undeferred */
	uint8_t phase;
	union {
		struct {
			struct task *explicit, *implicit;
		} outer;	     /* what its thread ran when it began */
		uint64_t barrier[2]; /* a team's */
	};
};

struct variable {
	struct variable *next;	  /* in its list */
	struct variable *sibling; /* of the same scope */
	const struct task *scope;
	const void *address;
	struct group *before, *own;
};

union cell {
	union cell *next;
	struct group group;
	struct links links;
	struct taskgroup taskgroup;
	struct task task;
	struct variable variable;
	unsigned char bytes[CELL_BYTES];
};
_Static_assert(sizeof(union cell) == CELL_BYTES, "a cell's room");

/* Owned by this file; what follows `lock' is written by its holder. */
static bool on;
static atomic_flag lock = ATOMIC_FLAG_INIT;
static union cell *free_cells;
static struct task *tasks[TASK_LISTS];
static struct variable *variables[VARIABLE_LISTS];
static uint32_t nvariables, numbers;
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

/* Zeroed, or NULL. */
static union cell *take(void)
{
	union cell *c = free_cells;

	if (!c) {
		c = mmap(NULL, CELLS * sizeof(*c), PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (c == MAP_FAILED)
			return NULL;
		for (size_t i = 0; i < CELLS; i++) {
			c[i].next = free_cells;
			free_cells = &c[i];
		}
		c = free_cells;
	}
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

static struct variable **variables_of(const struct task *scope, const void *address)
{
	const uint64_t h =
		((uintptr_t)address ^ (uintptr_t)scope << 24) * UINT64_C(0x9e3779b97f4a7c15);

	return &variables[h >> 48 & (VARIABLE_LISTS - 1)];
}

static void drop_variable(struct variable *v)
{
	struct variable **at = variables_of(v->scope, v->address);

	while (*at != v)
		at = &(*at)->next;
	*at = v->next;
	nvariables--;
	drop_group(v->before);
	drop_group(v->own);
	give_back(v);
}

static void drop_variables(struct task *d)
{
	for (struct variable *v = d->variables, *sibling; v; v = sibling) {
		sibling = v->sibling;
		drop_variable(v);
	}
	d->variables = NULL;
}

static void drop_taskgroup(struct taskgroup *g)
{
	if (g && --g->users == 0)
		give_back(g);
}

static void drop_task(struct task *d)
{
	while (d && --d->users == 0) {
		struct task *parent = d->parent;

		drop_variables(d);
		drop_taskgroup(d->of);
		drop_task(d->root);
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

static struct task *find(const void *name, enum kind kind)
{
	struct task *d = name ? *list_of(name) : NULL;

	while (d && (d->name != name || d->kind != kind))
		d = d->next;
	return d;
}

/* A task or team of that parent, or of none; named: it can be found. NULL: no memory. */
static struct task *make(enum kind kind, struct task *parent, const void *name)
{
	struct task *d = (struct task *)take();

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

/* ---- dependences ------------------------------------------------------ */

/* Counts d's dependence on tasks of one site. */
static void count(struct omp_thread *t, const struct task *d, uint8_t kind,
		  const struct group *on_it, uint32_t i)
{
	const uint32_t info = PROF_BOUNDARY_INFO(PROF_BOUNDARY_TASK, PROF_TEAM_UNKNOWN);
	const bool itself = on_it->last == d->number && on_it->site[i].context == d->context;
	const uint32_t n = on_it->site[i].tasks - itself;
	uint32_t node = n != 0 ? cct_child(&t->cct, cct_root(&t->cct), info, d->context) : 0;

	if (n == 0)
		return;
	if (node != 0)
		node = cct_child(&t->cct, node, info, on_it->site[i].context);
	if (node != 0)
		node = cct_child(&t->cct, node,
				 PROF_NODE_INFO(PROF_NODE_STATS, on_it->kind << 4 | kind, 0,
						PROF_STATS_DEPENDENCE),
				 0);
	if (node != 0)
		cct_node(&process.writer, node)->a += n;
	else
		omp_thread_lose(t, PROF_LOST_ENTRIES);
}

static void join(struct omp_thread *t, struct group *g, const struct task *d)
{
	uint32_t i = 0;

	g->last = d->number;
	while (i < g->nsites && g->site[i].context != d->context)
		i++;
	if (i == SITES) {
		omp_thread_lose(t, PROF_LOST_ENTRIES);
		return;
	}
	g->nsites += i == g->nsites;
	g->site[i].context = d->context;
	g->site[i].tasks++;
}

/* What the scope's children name by that address; NULL: no memory, or too many. */
static struct variable *variable_of(struct task *scope, const void *address)
{
	struct variable **list = variables_of(scope, address), *v = *list;

	while (v && (v->scope != scope || v->address != address))
		v = v->next;
	if (v || nvariables == VARIABLES_MOST || !(v = (struct variable *)take()))
		return v;
	nvariables++;
	v->scope = scope;
	v->address = address;
	v->next = *list;
	*list = v;
	v->sibling = scope->variables;
	return scope->variables = v;
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

static void link_add(struct omp_thread *t, struct task *d, struct group *before, struct group *own)
{
	if (!d->links || d->links->n == LINKS) {
		struct links *more = (struct links *)take();

		if (!more) {
			omp_thread_lose(t, PROF_LOST_ENTRIES);
			return;
		}
		more->next = d->links;
		d->links = more;
	}
	d->links->link[d->links->n].before = before;
	d->links->link[d->links->n++].own = own;
	if (own)
		own->users++;
	if (before)
		before->users++;
}

/* Adds d to those that name v. A task that names it twice depends on no more than if it named it
   once, as the stronger of both. */
static void use(struct omp_thread *t, struct task *d, struct variable *v, uint8_t kind)
{
	const bool again = v->own && v->own->last == d->number;
	struct group *g;

	if (again && (v->own->kind == kind || !is_set(v->own->kind)))
		return;
	g = group_for(v, kind);
	if (!g) {
		omp_thread_lose(t, PROF_LOST_ENTRIES);
		return;
	}
	for (uint32_t i = 0; v->before && i < v->before->nsites; i++)
		count(t, d, kind, v->before, i);
	join(t, g, d);
	link_add(t, d, v->before, g);
}

void depend_variable(struct omp_thread *t, const void *name, const void *variable,
		     enum prof_dependence kind)
{
	enter(t);
	struct task *d = find(name, EXPLICIT);
	struct variable *v = d && !d->begun ? variable_of(d->parent, variable) : NULL;

	if (d && !d->begun && !v)
		omp_thread_lose(t, PROF_LOST_ENTRIES);
	else if (v && !d->waits)
		use(t, d, v, (uint8_t)kind);
	else if (v)
		link_add(t, d,
			 v->own && v->own->kind == kind && is_set((uint8_t)kind) ? v->before :
										   v->own,
			 NULL);
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

static void begin(struct task *d)
{
	for (const struct links *l = d->links; l; l = l->next)
		for (uint32_t i = 0; i < l->n; i++)
			if (l->link[i].before)
				later(&d->at, l->link[i].before->finish);
	d->begun = true;
}

/* What waits for it goes on where it ended. */
static void finish(struct task *d)
{
	struct task *p = d->parent;

	if (!d->begun)
		begin(d);
	for (struct links *l = d->links, *next; l; l = next) {
		next = l->next;
		for (uint32_t i = 0; i < l->n; i++) {
			if (l->link[i].own)
				later(&l->link[i].own->finish, d->at);
			drop_group(l->link[i].before);
			drop_group(l->link[i].own);
		}
		give_back(l);
	}
	d->links = NULL;
	drop_variables(d);
	later(&longest, d->at);
	later(&p->children, d->at);
	if (d->undeferred)
		later(&p->at, d->at);
	if (d->of)
		later(&d->of->at, d->at);
	later(&d->root->parent->barrier[d->root->phase & 1], d->at);
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
		begin(d);
	t->depend.task = d;
	publish(t);
	leave(t);
}

void depend_ended(struct omp_thread *t, const void *name)
{
	enter(t);
	struct task *d = find(name, EXPLICIT);

	if (t && d && current(t))
		later(&d->at, current(t)->at);
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
		later(&d->parent->barrier[d->phase & 1], d->at);
	leave(t);
}

void depend_waited(struct omp_thread *t, bool barrier)
{
	enter(t);
	struct task *d = current(t);

	if (d && !barrier)
		later(&d->at, d->children);
	else if (d && d->kind == IMPLICIT)
		later(&d->at, d->parent->barrier[d->phase++ & 1]);
	publish(t);
	leave(t);
}

void depend_group_begins(struct omp_thread *t)
{
	enter(t);
	struct task *d = current(t);
	struct taskgroup *g = d ? (struct taskgroup *)take() : NULL;

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
		later(&d->at, g->at);
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
			later(&team->parent->at, team->barrier[i]);
		if (team->timed)
			later(&longest, team->parent->at);
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

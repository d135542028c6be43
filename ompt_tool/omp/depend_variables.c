/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * depend_variables.c - see depend_parts.h.
 *
 * Tasks that name a variable in the same way may run side by side, if they only read it or if
 * their kind is a set; such ones are a group. A task depends on all of the group before its own,
 * and these on all of the group before that: so two groups a variable are enough, and a group
 * knows when its last task ends on the path. A task that begins reads that of the groups before
 * its own, all of whose tasks have ended.
 *
 * omp_all_memory is a variable, too. A task that names it depends on the last group
 * of each other variable, and the groups of those that are named later come after its own.
 */
#include "config.h"

#include <stddef.h>
#include <sys/mman.h>

#include "ompt_tool/omp/depend_parts.h"
#include "ompt_tool/omp/omp_thread.h"
#include "ompt_tool/tree/cct.h"
#include "ompt_tool/tree/process.h"
#include "src/profile/format.h"

enum {
	CELL_BYTES = 128,
	CELLS = 512, /* of one piece of memory */
	SITES = 10,
	LINKS = 7,
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

/* Owned by this file. */
static union cell *free_cells;
static struct variable *variables[VARIABLE_LISTS];
static uint32_t nvariables;
static const char all_memory; /* its address stands for omp_all_memory */

void *depend_take(void)
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

void depend_give_back(void *cell)
{
	union cell *c = cell;

	c->next = free_cells;
	free_cells = c;
}

static void drop_group(struct group *g)
{
	if (g && --g->users == 0)
		depend_give_back(g);
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
	depend_give_back(v);
}

void depend_drop_variables(struct task *d)
{
	for (struct variable *v = d->variables, *sibling; v; v = sibling) {
		sibling = v->sibling;
		drop_variable(v);
	}
	d->variables = NULL;
}

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

static struct variable *find_variable(const struct task *scope, const void *address)
{
	struct variable *v = *variables_of(scope, address);

	while (v && (v->scope != scope || v->address != address))
		v = v->next;
	return v;
}

/* What the scope's children name by that address; NULL: no memory, or too many. */
static struct variable *variable_of(struct task *scope, const void *address)
{
	struct variable **list = variables_of(scope, address);
	struct variable *v = find_variable(scope, address), *all;

	if (v || nvariables == VARIABLES_MOST || !(v = depend_take()))
		return v;
	all = find_variable(scope, &all_memory);
	if (all && all->own) {
		v->own = all->own;
		v->own->users++;
	}
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
	struct group *g = depend_take();

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
		struct links *more = depend_take();

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

/* d, which names omp_all_memory, depends on all that name another variable, and what these name is
   forgotten. */
static void use_all(struct omp_thread *t, struct task *d, struct variable *all)
{
	struct variable *v = d->parent->variables, *sibling;
	bool others = false;

	for (; v; v = sibling) {
		sibling = v->sibling;
		if (v == all)
			continue;
		others = true;
		for (uint32_t i = 0; !d->waits && v->own && i < v->own->nsites; i++)
			count(t, d, PROF_DEPENDENCE_ALL_MEMORY, v->own, i);
		link_add(t, d, v->own, NULL);
		if (!d->waits)
			drop_variable(v);
	}
	if (d->waits) {
		link_add(t, d, all->own, NULL);
		return;
	}
	d->parent->variables = all;
	all->sibling = NULL;
	/* The others depend on those that named it before. */
	if (others && all->own) {
		drop_group(all->own);
		all->own = NULL;
	}
	use(t, d, all, PROF_DEPENDENCE_ALL_MEMORY);
}

void depend_name(struct omp_thread *t, struct task *d, const void *variable, uint8_t kind)
{
	const bool all = kind == PROF_DEPENDENCE_ALL_MEMORY;
	struct variable *v = variable_of(d->parent, all ? &all_memory : variable);

	if (!v)
		omp_thread_lose(t, PROF_LOST_ENTRIES);
	else if (all)
		use_all(t, d, v);
	else if (!d->waits)
		use(t, d, v, kind);
	else
		link_add(t, d, v->own && v->own->kind == kind && is_set(kind) ? v->before : v->own,
			 NULL);
}

void depend_begin(struct task *d)
{
	for (const struct links *l = d->links; l; l = l->next)
		for (uint32_t i = 0; i < l->n; i++)
			if (l->link[i].before)
				depend_later(&d->at, l->link[i].before->finish);
	d->begun = true;
}

void depend_end(struct task *d)
{
	for (struct links *l = d->links, *next; l; l = next) {
		next = l->next;
		for (uint32_t i = 0; i < l->n; i++) {
			if (l->link[i].own)
				depend_later(&l->link[i].own->finish, d->at);
			drop_group(l->link[i].before);
			drop_group(l->link[i].own);
		}
		depend_give_back(l);
	}
	d->links = NULL;
}

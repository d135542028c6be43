/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/stack/stack_look.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/base/alloc.h"
#include "src/base/message.h"
#include "src/stack/stack_profile.h"
#include "src/stack/stack_unwind.h"
#include "src/view/view.h"

enum { SECOND_LOOK_MS = 100 };

/* ---- regions -------------------------------------------------------------------------- */

static const struct line *region_line(const struct view *v, uint32_t region)
{
	return &v->names.lines[v->regions[region].line];
}

/* Whether two regions of the view are one construct of the source. */
static bool is_same_region(const struct view *v, uint32_t a, uint32_t b)
{
	const struct line *x = region_line(v, a), *y = region_line(v, b);

	return x->line && x->line == y->line && x->file && y->file && !strcmp(x->file, y->file);
}

/* The first region of the view that is the same construct; 0: none that is known. */
static uint32_t stack_look_team_of(const struct view *v, uint32_t region)
{
	if (region < REGION_SPECIALS || !region_line(v, region)->line)
		return 0;
	for (uint32_t i = REGION_SPECIALS; i < region; i++)
		if (is_same_region(v, i, region))
			return i;
	return region;
}

/* The region's context, if the path to it begins with the program or its thread. */
static bool is_reached(const struct view *v, uint32_t region)
{
	const uint32_t node = v->regions[region].node;

	return node && v->tree.nodes[node].parent;
}

static bool is_same_path(const struct view *v, uint32_t a, uint32_t b)
{
	while (a && b && v->tree.nodes[a].function == v->tree.nodes[b].function &&
	       v->tree.nodes[a].line == v->tree.nodes[b].line) {
		a = v->tree.nodes[a].parent;
		b = v->tree.nodes[b].parent;
	}
	return a == b;
}

/*
 * The node of what called the function that created a worker's region: the stack of the thread
 * that did shows it.  0: no stack does, or (*several) they show different ones.
 */
static uint32_t creator_of(const struct view *v, uint32_t region, bool *several)
{
	uint32_t creator = 0;

	*several = false;
	for (uint32_t i = REGION_SPECIALS; i < v->nregions; i++) {
		uint32_t above;

		if (!is_same_region(v, i, region) || !is_reached(v, i))
			continue;
		above = v->tree.nodes[v->regions[i].node].parent;
		*several |= creator && !is_same_path(v, creator, above);
		creator = above;
	}
	return *several ? 0 : creator;
}

/* ---- paths ------------------------------------------------------------------------------ */

/* Whether a node is what the program's code does: no runtime's activity, which the wait is. */
static bool is_step(const struct view *v, const struct view_record *r, uint32_t node)
{
	const struct function *f = &v->names.functions[v->tree.nodes[node].function];

	if (node == r->node && r->leaf == LEAF_BLOCKED)
		return false;
	return f->kind != FUNCTION_ARTIFICIAL;
}

static void add_steps(const struct view *v, const struct view_record *r, uint32_t node,
		      struct stack_shown *s)
{
	size_t n = 0;

	for (uint32_t i = node; i; i = v->tree.nodes[i].parent)
		n += is_step(v, r, i);
	s->steps = alloc_array(s->steps, s->n + n + 1, sizeof(*s->steps));
	s->n += n;
	for (size_t at = s->n; node; node = v->tree.nodes[node].parent)
		if (is_step(v, r, node))
			s->steps[--at] = (struct stack_step){ v->tree.nodes[node].function,
							      v->tree.nodes[node].line };
}

static void stack_look_fill_path(const struct view *v, const struct view_record *r,
				 const struct stack_thread *t, pid_t first, struct stack_shown *s)
{
	const uint32_t region = r->region;
	bool several = false;

	s->line = r->line;
	s->region = region;
	if (region >= REGION_SPECIALS && !v->regions[region].node) {
		const uint32_t creator = creator_of(v, region, &several);

		if (creator)
			add_steps(v, r, creator, s);
		else
			s->begins = several ? "the stacks show several callers" :
					      "no stack shows the caller";
	} else if (r->task) {
		s->begins = "in a task: no stack shows what created it";
	} else if (region == REGION_UNKNOWN && t->tid != first) {
		s->begins = "no stack shows the caller";
	}
	add_steps(v, r, r->node, s);
}

/* ---- threads that are shown as one ------------------------------------------------------ */

static bool is_same_look(const struct stack_shown *a, const struct stack_shown *b)
{
	if (a->n != b->n || strcmp(a->waits, b->waits) != 0 || a->begins != b->begins ||
	    (a->holder && b->holder && strcmp(a->holder, b->holder) != 0))
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (a->steps[i].function != b->steps[i].function ||
		    a->steps[i].line != b->steps[i].line)
			return false;
	return true;
}

/* ---- the look -------------------------------------------------------------------------- */

static void fill_rows(struct stack_look *l)
{
	const struct view *v = l->view;

	l->n = l->process.nthreads;
	l->rows = alloc_zeroed(l->n + 1, sizeof(*l->rows));
	l->shown = alloc_zeroed(l->n + 1, sizeof(*l->shown));
	for (size_t i = 0; i < l->n; i++) {
		const struct stack_thread *t = &l->process.threads[i];
		const struct view_record *r = &v->records[i];

		l->rows[i] = (struct stack_row){
			.tid = t->tid,
			.team = stack_look_team_of(v, r->region),
			.place = r->line,
		};
		stack_look_fill_path(v, r, t, l->process.pid, &l->shown[i]);
		stack_wait(l, i);
	}
	uint32_t *firsts = alloc_zeroed(l->n + 1, sizeof(*firsts));
	uint32_t n = 0;

	for (uint32_t i = 0; i < l->n; i++) {
		uint32_t k = 0;

		while (k < n && !is_same_look(&l->shown[firsts[k]], &l->shown[i]))
			k++;
		if (k == n)
			firsts[n++] = i;
		l->rows[i].look = k;
	}
	free(firsts);
}

/* Whether the copies differ between two addresses, or lack a part of that. */
static bool is_written(const struct stack_thread *a, const struct stack_thread *b, uint64_t lo,
		       uint64_t hi)
{
	if (lo < a->stack_lo || lo < b->stack_lo || hi < lo || hi - a->stack_lo > a->stack_bytes ||
	    hi - b->stack_lo > b->stack_bytes)
		return true;
	return memcmp(a->stack + (lo - a->stack_lo), b->stack + (lo - b->stack_lo),
		      (size_t)(hi - lo)) != 0;
}

/* Whether something moved in the outer frames, from the innermost one that is the program's on. */
static bool has_moved(const struct stack_thread *a, const struct stack_thread *b,
		      const struct prof_file *file)
{
	size_t at = 0;

	if (a->nframes != b->nframes || a->tid != b->tid || !a->whole)
		return true;
	while (at < a->nframes && stack_profile_is_system(file, a->frames[at].pc))
		at++;
	for (size_t i = at; i < a->nframes; i++)
		if (a->frames[i].pc != b->frames[i].pc || a->frames[i].sp != b->frames[i].sp ||
		    a->frames[i].saved != b->frames[i].saved)
			return true;
	if (at >= a->nframes)
		return false;
	return is_written(a, b, a->frames[at].sp, a->frames[a->nframes - 1].sp);
}

/* Looks again, at the stacks alone. */
static bool moved_meanwhile(const struct stack_look *l)
{
	static const struct timespec pause = { .tv_nsec = SECOND_LOOK_MS * 1000000 };
	struct stack_process again;
	struct trouble t;
	bool moved = true;

	nanosleep(&pause, NULL);
	if (!stack_process_copy(&again, l->process.pid, &t)) {
		stack_unwind(&again);
		moved = again.nthreads != l->n;
		for (size_t i = 0; i < l->n && !moved; i++)
			moved = has_moved(&l->process.threads[i], &again.threads[i], l->file);
	}
	stack_process_free(&again);
	return moved;
}

int stack_look(struct stack_look *l, pid_t pid, struct trouble *t)
{
	struct view_options o = { .kind = VIEW_USER, .lines = true, .mpi_threads = true };

	*l = (struct stack_look){ .n = 0 };
	if (stack_process_copy(&l->process, pid, t))
		return -1;
	stack_unwind(&l->process);
	l->file = stack_profile_of(&l->process);
	lookup_open(&l->lookup, l->process.root);
	model_init(&l->model);
	model_add(&l->model, l->file);
	o.resolver = &l->lookup.resolver;
	l->view = view_build(&l->model, &o);
	fill_rows(l);
	stack_rules(l->rows, l->n, !stack_rules_doubt(l->rows, l->n) || moved_meanwhile(l),
		    &l->found);
	l->order = alloc_zeroed(l->n + 1, sizeof(*l->order));
	stack_rules_order(l->rows, l->n, &l->found, l->order);
	return 0;
}

void stack_look_free(struct stack_look *l)
{
	for (size_t i = 0; i < l->n; i++) {
		free(l->shown[i].steps);
		free(l->shown[i].waits);
		free(l->shown[i].holder);
		free(l->shown[i].object);
	}
	free(l->shown);
	free(l->rows);
	free(l->order);
	stack_findings_free(&l->found);
	if (l->view) {
		view_free(l->view);
		model_fini(&l->model);
		lookup_close(&l->lookup);
	}
	prof_free(l->file);
	stack_process_free(&l->process);
}

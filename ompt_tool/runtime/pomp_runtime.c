/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/runtime/pomp.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "ompt_tool/machine/arch.h"
#include "ompt_tool/omp/construct_stack.h"
#include "ompt_tool/omp/created.h"
#include "ompt_tool/omp/runtime.h"
#include "ompt_tool/omp/task_switch.h"
#include "ompt_tool/runtime/calling_thread.h"
#include "ompt_tool/runtime/pomp_link.h"
#include "ompt_tool/runtime/runtime_host.h"

/* Owned by this file. */
static const void *_Atomic runtime_code;

/* ---- the query -------------------------------------------------------- */

static uint64_t token_of(const struct pomp_level *l)
{
	return l->region && !region_live(l->token) ?
		       atomic_load_explicit(&l->region->token, memory_order_relaxed) :
		       l->token;
}

static void query_pomp(struct runtime_view *v)
{
	const struct thread *t = thread_self;
	const struct pomp_levels *p = t ? pomp_levels_of(t) : NULL;
	const uint32_t n = p ? p->n : 0;
	uint32_t i = n;

	v->known = p;
	v->worker = t && t->omp.kind == PROF_THREAD_WORKER;
	v->state = v->worker ? PROF_STATE_IDLE : PROF_STATE_SERIAL;
	if (n == 0)
		return;
	const struct pomp_level *l = &p->level[n - 1];

	v->state = l->state;
	v->token = token_of(l);
	v->exit = l->exit;
	v->task = l;
	while (i > 1 && !p->level[i - 1].region)
		i--;
	v->team = token_of(&p->level[i - 1]);
	v->threads = p->level[i - 1].threads;
}

static const struct runtime pomp_runtime = {
	.name = "POMP2",
	.query = query_pomp,
	.any_thread = true,
};

/* Asked in a region, of which its runtime would have told by now. */
static bool reports_nothing(void)
{
	char text[128];

	if (runtime_is_only(&pomp_runtime))
		return true;
	if (atomic_load(&runtime_current))
		return false;
	/* Named by its file. */
	const void *const code = atomic_load(&runtime_code);
	Dl_info in = { 0 };

	if (code)
		dladdr(code, &in);
	const char *const path = in.dli_fname ? in.dli_fname : "a runtime";
	const char *const base = strrchr(path, '/');

	snprintf(text, sizeof(text), "%s, by POMP2", base ? base + 1 : path);
	runtime_host.begins(&pomp_runtime, text, code);
	return runtime_is_only(&pomp_runtime);
}

void pomp_runtime_code(const void *code)
{
	atomic_store(&runtime_code, code);
}

/* ---- levels ----------------------------------------------------------- */

/* NULL: t is in none. */
static struct pomp_level *top(struct pomp_levels *p)
{
	return p->n != 0 && p->deeper == 0 ? &p->level[p->n - 1] : NULL;
}

static uint64_t token_now(struct pomp_levels *p)
{
	const struct pomp_level *l = top(p);

	return l ? token_of(l) : 0;
}

/* In the runtime's frame that called the function that called POMP; 0: it can't be known. */
static uintptr_t exit_of(struct omp_thread *t, const struct pomp_event *e)
{
	return context_caller(&t->contexts, (uintptr_t)e->frame - ARCH_FRAME_BELOW,
			      (uintptr_t)e->call);
}

static void push(struct pomp_levels *p, const struct pomp_level *l)
{
	if (p->n == POMP_LEVELS) {
		p->deeper++;
		return;
	}
	p->level[p->n] = *l;
	atomic_signal_fence(memory_order_release);
	p->n++;
}

static void pop(struct pomp_levels *p)
{
	if (p->deeper != 0)
		p->deeper--;
	else if (p->n != 0)
		p->n--;
}

static void encounter_fill(struct encounter *e, struct pomp_levels *p, const struct pomp_event *by,
			   enum prof_boundary_kind kind)
{
	const struct pomp_level *l = top(p);

	*e = (struct encounter){
		.call = (uintptr_t)by->call,
		.enter = (uintptr_t)by->frame - ARCH_FRAME_BELOW,
		.exit = l ? l->exit : 0,
		.token = token_now(p),
		.kind = kind,
	};
}

/* ---- regions ---------------------------------------------------------- */

static struct pomp_fork *fork_of(struct pomp_levels *p, const struct pomp_descriptor *d)
{
	return &p->fork[d->hash % POMP_FORKS];
}

/*
 * A region's context is that of the runtime's call, which comes after this one: of a fork that was
 * met before, the one that was found then. So the team's other threads, which may begin before the
 * primary one, find the region.
 */
static void region_forks(struct omp_thread *t, struct pomp_levels *p, const struct pomp_event *e)
{
	const struct pomp_fork *f = fork_of(p, e->descriptor);
	struct encounter at;

	encounter_fill(&at, p, e, PROF_BOUNDARY_REGION);
	const struct context *const c = context_here(&t->contexts, &at);

	p->from = c->node;
	p->forked = NULL;
	if (f->descriptor != e->descriptor || f->from != p->from || p->from == 0)
		return;
	struct context known = f->context;

	known.cfa = c->cfa;
	atomic_store(&e->descriptor->token,
		     region_created_in(t, &at, &known, (uintptr_t)__builtin_frame_address(0)));
	p->forked = e->descriptor;
}

/* The primary thread is in the body of what it forked: the runtime's frames are on its stack. */
static void region_begins(struct omp_thread *t, struct pomp_levels *p, const struct pomp_event *e,
			  uint64_t begin_ticks)
{
	struct encounter at;

	encounter_fill(&at, p, e, PROF_BOUNDARY_REGION);
	at.in_body = true;
	const uint64_t token = region_created(t, &at, (uintptr_t)__builtin_frame_address(0));
	struct region *const r = region_live(token);

	if (r && begin_ticks != 0)
		r->begin_ticks = begin_ticks;
	if (p->from != 0)
		*fork_of(p, e->descriptor) = (struct pomp_fork){
			.descriptor = e->descriptor,
			.from = p->from,
			.context = *context_here(&t->contexts, &at),
		};
	atomic_store(&e->descriptor->token, token);
}

static void implicit_begins(struct omp_thread *t, struct pomp_levels *p, const struct pomp_event *e,
			    uint64_t begin_ticks)
{
	const bool primary = e->number == 0;

	if (!calling_thread_is_ready(t))
		t = calling_thread(primary ? PROF_THREAD_INITIAL : PROF_THREAD_WORKER);
	if (!t)
		return;
	if (primary && p->forked != e->descriptor)
		region_begins(t, p, e, begin_ticks);
	if (primary)
		region_has_team(t, atomic_load(&e->descriptor->token), e->threads);
	p->forked = NULL;
	p->from = 0;
	push(p, &(struct pomp_level){
			.region = e->descriptor,
			.token = primary ? atomic_load(&e->descriptor->token) : 0,
			.exit = exit_of(t, e),
			.threads = e->threads,
			.state = PROF_STATE_PARALLEL,
		});
}

/* The end of its implicit task has been told, and that is the innermost one that the thread began
   itself. */
static void region_joins(struct omp_thread *t, const struct pomp_descriptor *d)
{
	const uint64_t last = atomic_load_explicit(&d->token, memory_order_relaxed);
	const struct region *r = region_live(last);

	region_over(r && r->owner == t->index ? last : region_innermost(&t->regions));
}

/* ---- tasks ------------------------------------------------------------ */

/* What kinds of tasks they are is not reported. */
static struct task_flags flags_of(uint32_t reported)
{
	return (struct task_flags){ .are = reported };
}

/* ---- constructs and waits ----------------------------------------------- */

/* What begins and ends by which step; 0: nothing. The one who executes a single is in it. */
static const struct {
	uint8_t begins; /* enum pomp_step */
	uint8_t construct;
	uint8_t waits; /* enum prof_state, up to the step after the entry */
} kinds[] = {
	[POMP_FOR] = { POMP_ENTER, PROF_CONSTRUCT_LOOP, 0 },
	[POMP_SECTIONS] = { POMP_ENTER, PROF_CONSTRUCT_SECTIONS, 0 },
	[POMP_WORKSHARE] = { POMP_ENTER, PROF_CONSTRUCT_WORKSHARE, 0 },
	[POMP_SINGLE] = { POMP_BEGIN, PROF_CONSTRUCT_SINGLE, 0 },
	[POMP_MASTER] = { POMP_ENTER, PROF_CONSTRUCT_MASKED, 0 },
	[POMP_CRITICAL] = { 0, 0, PROF_STATE_CRITICAL },
	[POMP_ORDERED] = { 0, 0, PROF_STATE_ORDERED },
	[POMP_BARRIER] = { 0, 0, PROF_STATE_BARRIER_EXPLICIT },
	[POMP_TASKWAIT] = { 0, 0, PROF_STATE_TASKWAIT },
	[POMP_REGION] = { 0, 0, 0 },
};

static void construct_step(struct omp_thread *t, struct pomp_levels *p, const struct pomp_event *e)
{
	const enum prof_construct_kind what = (enum prof_construct_kind)kinds[e->kind].construct;

	if (what == 0 || e->step / 2 != kinds[e->kind].begins / 2)
		return;
	if (e->step % 2 == 0)
		construct_begin(t, what, (uintptr_t)e->call, token_now(p), 0);
	else
		construct_end(t, what, token_now(p));
}

static uint8_t state_after(const struct pomp_event *e)
{
	if (e->step == POMP_WAIT)
		return e->descriptor->region ? PROF_STATE_BARRIER_IMPLICIT :
					       PROF_STATE_BARRIER_WORKSHARE;
	return e->step == POMP_ENTER && kinds[e->kind].waits != 0 ? kinds[e->kind].waits :
								    PROF_STATE_PARALLEL;
}

/* ---- all ---------------------------------------------------------------- */

static void task_step(struct omp_thread *t, struct pomp_levels *p, const struct pomp_event *e)
{
	if (e->step == POMP_ENTER) {
		struct encounter at;
		struct context *c;

		encounter_fill(&at, p, e, PROF_BOUNDARY_TASK);
		*e->task = (int64_t)task_created(t, &at, PROF_TASK_EXPLICIT, flags_of, true, &c);
	} else if (e->step == POMP_BEGIN) {
		uint64_t token = (uint64_t)*e->task;
		const bool begins = task_begin(&token);

		task_switch(t, token, begins);
		push(p, &(struct pomp_level){
				.token = token,
				.exit = exit_of(t, e),
				.state = PROF_STATE_PARALLEL,
			});
	} else if (e->step == POMP_END) {
		pop(p);
		task_switch(t, token_now(p), false);
	}
}

void pomp_runtime_event(struct thread *t, struct pomp_levels *p, const struct pomp_event *e,
			uint64_t begin_ticks)
{
	const bool begins = e->kind == POMP_PARALLEL && e->step == POMP_BEGIN;

	if (begins ? !reports_nothing() : !runtime_is_only(&pomp_runtime))
		return;
	if (e->kind == POMP_PARALLEL) {
		if (e->step == POMP_ENTER)
			region_forks(&t->omp, p, e);
		else if (e->step == POMP_BEGIN)
			implicit_begins(&t->omp, p, e, begin_ticks);
		else if (e->step == POMP_END)
			pop(p);
		else if (e->step == POMP_EXIT)
			region_joins(&t->omp, e->descriptor);
	} else if (e->kind == POMP_TASK) {
		task_step(&t->omp, p, e);
	} else {
		struct pomp_level *const l = top(p);

		construct_step(&t->omp, p, e);
		if (l)
			l->state = state_after(e);
	}
}

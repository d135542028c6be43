/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Regions and tasks carry their token in the word that the producer keeps for the
 * collector, so nothing has to be looked up.
 */
#include "config.h"

#include "ompt_tool/runtime/collector_gomp.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

#include "ompt_tool/collector/gomp_thread.h"
#include "ompt_tool/count/counting.h"
#include "ompt_tool/omp/blame.h"
#include "ompt_tool/omp/construct_stack.h"
#include "ompt_tool/omp/created.h"
#include "ompt_tool/omp/entries.h"
#include "ompt_tool/omp/locks.h"
#include "ompt_tool/omp/runtime.h"
#include "ompt_tool/omp/task_switch.h"
#include "ompt_tool/runtime/calling_thread.h"
#include "ompt_tool/runtime/collector.h"
#include "ompt_tool/runtime/runtime_host.h"
#include "ompt_tool/tree/module.h"

/* Owned by this file; set once, before any event. */
static collector_api *api;
static struct gomp_thread *(*gomp)(void);
static int (*gomp_state)(uint64_t *wait_id);
static const void *(*gomp_copy)(unsigned n);
static bool counts; /* events are counted at boundaries (count/) */

__thread struct gomp_end gomp_end;

/* The calling thread's structure, for callbacks: the producer is asked for it once. */
static __thread struct gomp_thread *of_thread __attribute__((tls_model("initial-exec")));

static inline struct gomp_thread *gomp_here(void)
{
	if (__builtin_expect(!of_thread, 0))
		of_thread = gomp();
	return of_thread;
}

/* ---- the query -------------------------------------------------------- */

/* The producer gives frames as __builtin_frame_address() does. */
static uintptr_t record_at(uintptr_t frame)
{
	return frame != 0 ? frame - ARCH_FRAME_BELOW : 0;
}

static uint8_t state_of(int state, bool in_task)
{
	switch (state) {
	case GOMP_STATE_TASKWAIT:
	case GOMP_STATE_DEPEND: return PROF_STATE_TASKWAIT;
	case GOMP_STATE_TASKGROUP: return PROF_STATE_TASKGROUP;
	case GOMP_STATE_DOACROSS: return PROF_STATE_ORDERED;
	case THR_IBAR_STATE:
		return in_task ? PROF_STATE_BARRIER_WORKSHARE : PROF_STATE_BARRIER_IMPLICIT;
	default: return collector_state_of(state);
	}
}

/* Whether the thread waits at the end of the region whose body it has left: of a wait in a
   task of another region, the wait_id is that region's. */
static bool is_at_region_end(const struct gomp_thread *g, const struct gomp_task *task, int state,
			     uint64_t wait_id)
{
	return state == THR_IBAR_STATE && wait_id == g->last_region_id &&
	       (!task || task->region_id != wait_id);
}

static void query_gomp(struct runtime_view *v)
{
	const struct gomp_thread *g = gomp();
	const struct gomp_task *task = g->task;
	uint64_t wait_id;
	const int state = gomp_state(&wait_id);
	const bool at_region_end = is_at_region_end(g, task, state, wait_id);

	v->known = g->state != 0;
	v->worker = g->worker;
	v->state = state_of(state, task && !at_region_end);
	if (collector_waits_for_object(v->state))
		v->wait_id = wait_id;
	v->enter = record_at(g->enter);
	if (!task || at_region_end) {
		v->token = v->team = g->worker || at_region_end ? g->last_team_data : 0;
		return;
	}
	v->task = task;
	v->team = task->team_data;
	v->threads = task->team_size;
	v->token = gomp_token_of(task);
	v->exit = record_at(task->exit);
	v->at_work_end = g->ending == task;
}

static const struct runtime libgomp = {
	.name = "libgomp",
	.query = query_gomp,
	.any_thread = true,
};

/* ---- regions ---------------------------------------------------------- */

static void encounter_fill(struct encounter *e, const struct gomp_thread *g,
			   enum prof_boundary_kind kind)
{
	const struct gomp_task *task = g->task;

	*e = (struct encounter){
		.call = (uintptr_t)g->call,
		.enter = record_at(g->enter),
		.exit = task && gomp_token_of(task) != 0 ? record_at(task->exit) : 0,
		.token = task ? gomp_token_of(task) : 0,
		.kind = kind,
		.body = (uintptr_t)g->body,
	};
}

/* Marks the copies that have been called meanwhile: their files may have any name. Two
   threads may mark the same one. */
static void begins(void)
{
	static atomic_uint marked;
	unsigned n = atomic_load_explicit(&marked, memory_order_relaxed);

	collector_begins(&libgomp, api, "GNU libgomp, by libomphwc-gomp.so");
	for (const void *code = gomp_copy(n); code; code = gomp_copy(n)) {
		runtime_host.has_code(code);
		atomic_store_explicit(&marked, ++n, memory_order_relaxed);
	}
}

/* What more is to be done than on_fork() does: the runtime's or the thread's first region, or
   one that was not created before. */
static __attribute__((noinline)) void fork_begins(const struct gomp_thread *g)
{
	struct omp_thread *t = collector_thread(g->worker);
	struct encounter e;

	g->region->data = 0;
	if (!t)
		return;
	begins();
	t->asked = g->region->requested;
	encounter_fill(&e, g, PROF_BOUNDARY_REGION);
	g->region->data = region_created(t, &e, (uintptr_t)__builtin_frame_address(0));
}

static void on_fork(OMP_COLLECTORAPI_EVENT event UNUSED)
{
	const struct gomp_thread *g = gomp_here();
	struct omp_thread *t = calling_thread_known();
	struct encounter e;

	if (__builtin_expect(calling_thread_is_ready(t) && runtime_is_only(&libgomp), 1)) {
		encounter_fill(&e, g, PROF_BOUNDARY_REGION);
		const uint64_t token = region_created_again(t, &e);

		if (__builtin_expect(token != 0, 1)) {
			g->region->data = token;
			t->asked = g->region->requested;
			return;
		}
	}
	fork_begins(g);
}

static __attribute__((noinline)) void count_end(struct omp_thread *t, uint64_t token)
{
	counting_wait(t, false, true);
	counting_leave(t, token);
}

static void on_join(OMP_COLLECTORAPI_EVENT event UNUSED)
{
	const uint64_t token = gomp_here()->region->data;
	struct omp_thread *t = calling_thread_known();

	if (!t || *process.alive == 0)
		return;
	gomp_end_is_over();
	region_over(token);
	if (t->counting)
		count_end(t, token);
}

/* A worker's last wait in a region ends, for all that is reported, when the worker is needed
   again. */
static __attribute__((noinline)) void count_begin(struct omp_thread *t, const struct gomp_thread *g)
{
	if (g->worker && g->last_team_data != 0)
		count_end(t, g->last_team_data);
	counting_enter(t, g->task->team_data);
}

static void on_implicit_begin(OMP_COLLECTORAPI_EVENT event UNUSED)
{
	const struct gomp_thread *g = gomp_here();
	struct omp_thread *t = collector_thread(g->worker);
	const struct gomp_task *task = g->task;

	if (!t)
		return;
	if (task->number == 0)
		region_has_team(t, task->team_data, task->team_size);
	if (t->counting)
		count_begin(t, g);
}

/* For counting only. */
static void on_implicit_end(OMP_COLLECTORAPI_EVENT event UNUSED)
{
	struct omp_thread *t = calling_thread_known();

	if (!t || *process.alive == 0)
		return;
	/* JOIN, which ends that, is the master's. */
	gomp_end_begins(gomp_here());
	counting_wait(t, true, true);
}

/* ---- tasks ------------------------------------------------------------ */

/* What the producer counts tasks by, without events. */
_Static_assert((int)TASK_RUN_ENTRIES == (int)GOMP_METERS &&
		       sizeof(struct task_run) == sizeof(struct gomp_meter) &&
		       offsetof(struct task_run, key) == offsetof(struct gomp_meter, key) &&
		       offsetof(struct task_run, run) == offsetof(struct gomp_meter, begun) &&
		       offsetof(struct task_run, time) == offsetof(struct gomp_meter, ticks),
	       "a table of task_run is one of gomp_meter");
static __thread struct gomp_meters of_tasks __attribute__((tls_model("initial-exec")));

static void on_task_begin(OMP_COLLECTORAPI_EVENT event);
static void on_task_end(OMP_COLLECTORAPI_EVENT event);

/* The thread's callbacks have found that they can write what it does. From here on its tasks'
   creation is counted by a callback that need not find out again; and their runs by the producer,
   if nothing more is counted then. */
static void note_ready(struct omp_thread *t, struct gomp_thread *g)
{
	if (t->ready == g || !calling_thread_is_ready(t))
		return;
	of_tasks = (struct gomp_meters){
		.alive = process.alive,
		.ready = &t->ready,
		.begin = on_task_begin,
		.end = on_task_end,
		.series = of_tasks.series + 1,
		.varies = ~token_key(~UINT64_C(0)),
		.own = ~token_key(~UINT64_C(0)) & task_token(0, t->index),
		.begun = TOKEN_TASK_BEGUN,
		.meter = (struct gomp_meter *)t->task_run,
		.running = (struct gomp_running *)&t->running,
	};
	g->meters = t->counting ? NULL : &of_tasks;
	t->ready = g;
}

/* The bits of enum gomp_created, in the same order. */
static struct task_flags flags_of(uint32_t created)
{
	_Static_assert(GOMP_CREATED_UNDEFERRED << 27 == PROF_TASK_UNDEFERRED &&
			       GOMP_CREATED_UNTIED << 27 == PROF_TASK_UNTIED &&
			       GOMP_CREATED_FINAL << 27 == PROF_TASK_FINAL &&
			       GOMP_CREATED_MERGEABLE << 27 == PROF_TASK_MERGEABLE &&
			       GOMP_CREATED_DEPEND << 4 == PROF_TASK_DEPEND &&
			       GOMP_CREATED_PRIORITY << 4 == PROF_TASK_PRIORITY &&
			       GOMP_CREATED_DETACH << 4 == PROF_TASK_DETACHED,
		       "the order of both");
	const uint32_t low = GOMP_CREATED_UNDEFERRED | GOMP_CREATED_UNTIED | GOMP_CREATED_FINAL |
			     GOMP_CREATED_MERGEABLE,
		       high = GOMP_CREATED_DEPEND | GOMP_CREATED_PRIORITY | GOMP_CREATED_DETACH;
	const uint32_t are = (created & low) << 27 | (created & high) << 4 |
			     ((created & GOMP_CREATED_TASKLOOP) != 0 ? PROF_TASK_TASKLOOP : 0) |
			     PROF_TASK_EXPLICIT;

	return (struct task_flags){ .are = are, .are_not = ~are };
}

/* As fork_begins(), or where another context was found last, or the task is of another kind. */
static __attribute__((noinline)) void task_created_first(void)
{
	struct gomp_thread *g = gomp_here();
	const int saved = errno;
	struct omp_thread *t = collector_thread(g->worker);
	struct encounter e;
	struct context *c;

	if (t) {
		begins();
		encounter_fill(&e, g, PROF_BOUNDARY_TASK);
		/* One event for all tasks of a taskloop: these are counted when they begin. */
		*g->created = task_created(t, &e, g->created_flags, flags_of,
					   (g->created_flags & GOMP_CREATED_TASKLOOP) == 0, &c);
		note_ready(t, g);
	}
	errno = saved;
}

/* It calls nothing, so that it need not save and restore registers; where more is to be done, it
   does nothing but jump. */
static void on_task_create(OMP_COLLECTORAPI_EVENT event UNUSED)
{
	struct omp_thread *const t = calling_thread_known();
	const struct gomp_thread *g = __builtin_expect(t && *process.alive != 0, 1) ? t->ready :
										      NULL;
	struct encounter e;

	if (__builtin_expect(g && runtime_is_only(&libgomp), 1)) {
		encounter_fill(&e, g, PROF_BOUNDARY_TASK);
		/* Never those of a taskloop. */
		const uint64_t token = task_created_again(t, &e, g->created_flags);

		if (__builtin_expect(token != 0, 1)) {
			*g->created = token;
			return;
		}
	}
	task_created_first();
}

/* Of tasks that have no meter. */
static void on_task_begin(OMP_COLLECTORAPI_EVENT event UNUSED)
{
	struct gomp_thread *g = gomp_here();
	struct omp_thread *t = collector_thread(g->worker);

	if (!t)
		return;
	struct gomp_task *const task = g->task;
	const bool begins = task_begin(&task->data);

	if (begins && (task->flags & GOMP_CREATED_TASKLOOP) != 0)
		stats_task_found(t, task->data);
	task_switch(t, task->data, begins);
	if (t->counting)
		counting_switch(t, task->data, begins);
	note_ready(t, g);
}

static void on_task_end(OMP_COLLECTORAPI_EVENT event UNUSED)
{
	const struct gomp_thread *g = gomp_here();
	struct omp_thread *t = calling_thread_known();

	if (!t || !t->record || *process.alive == 0)
		return;
	const uint64_t next = gomp_token_below(g);

	task_switch(t, next, false);
	if (t->counting)
		counting_switch(t, next, false);
}

/* ---- work shares ------------------------------------------------------ */

static enum prof_construct_kind construct_of(uint8_t work)
{
	static const uint8_t kinds[] = {
		[GOMP_WORK_LOOP_STATIC] = PROF_CONSTRUCT_LOOP_STATIC,
		[GOMP_WORK_LOOP_DYNAMIC] = PROF_CONSTRUCT_LOOP_DYNAMIC,
		[GOMP_WORK_LOOP_GUIDED] = PROF_CONSTRUCT_LOOP_GUIDED,
		[GOMP_WORK_LOOP_RUNTIME] = PROF_CONSTRUCT_LOOP_OTHER,
		[GOMP_WORK_LOOP_ANY] = PROF_CONSTRUCT_LOOP,
		[GOMP_WORK_SECTIONS] = PROF_CONSTRUCT_SECTIONS,
		[GOMP_WORK_SINGLE] = PROF_CONSTRUCT_SINGLE,
		[GOMP_WORK_SCOPE] = PROF_CONSTRUCT_SCOPE,
		[GOMP_WORK_DISTRIBUTE] = PROF_CONSTRUCT_DISTRIBUTE,
		[GOMP_WORK_MASKED] = PROF_CONSTRUCT_MASKED,
	};
	const uint8_t kind = work & GOMP_WORK_KIND;

	return kind < sizeof(kinds) ? (enum prof_construct_kind)kinds[kind] : 0;
}

/* The address after the call that began the construct. A loop that is combined with its
   region has none: it is the region's. */
static uintptr_t called_from(struct omp_thread *t, const struct gomp_thread *g, uint64_t token)
{
	uint32_t flags;

	module_locate((uintptr_t)g->call, &flags);
	/* After a tail call, the address lies in the producer. */
	if (g->call && (flags & PROF_MODULE_RUNTIME) == 0)
		return (uintptr_t)g->call;
	const uintptr_t user = context_call(&t->contexts, token);

	return user != 0 ? user : (uintptr_t)g->call;
}

/* Outside of regions and tasks the work may be the first that is known of the runtime. */
static struct omp_thread *working(const struct gomp_thread *g)
{
	struct omp_thread *t;

	if (!g->task)
		begins();
	t = g->task ? calling_thread_known() : collector_thread(g->worker);
	return t && t->record && *process.alive != 0 ? t : NULL;
}

static uint64_t working_token(const struct gomp_thread *g)
{
	return g->task ? gomp_token_of(g->task) : 0;
}

static void on_work_begin(OMP_COLLECTORAPI_EVENT event UNUSED)
{
	const struct gomp_thread *g = gomp_here();
	const enum prof_construct_kind kind = construct_of(g->work);
	struct omp_thread *t = working(g);

	if (!t || kind == 0)
		return;
	const uint64_t token = working_token(g);

	construct_begin(t, kind, called_from(t, g, token), token, g->work_count);
}

static void on_work_end(OMP_COLLECTORAPI_EVENT event UNUSED)
{
	const struct gomp_thread *g = gomp_here();
	enum prof_construct_kind kind = construct_of(g->work);
	struct omp_thread *t = working(g);

	if (!t)
		return;
	const uint64_t token = working_token(g);
	const struct construct *c = construct_now(&t->constructs, token);

	if (kind == 0 && c)
		kind = (enum prof_construct_kind)c->kind;
	construct_end(t, kind, token);
}

/* Barriers are counted always: gcc's static loops call nothing else in the runtime, and the
   work of a pass is that of all passes by their number. */
static void on_barrier(OMP_COLLECTORAPI_EVENT event UNUSED)
{
	const struct gomp_thread *g = gomp_here();
	struct omp_thread *t = working(g);

	if (t)
		entries_count(t, PROF_CONSTRUCT_BARRIER, (uintptr_t)g->call);
}

/* ---- waits, where events are counted ---------------------------------- */

void gomp_wait(bool begins)
{
	struct omp_thread *t = calling_thread_known();

	if (t && *process.alive != 0 && !gomp_at_end(gomp_here()))
		counting_wait(t, begins, false);
}

static void on_wait_begin(OMP_COLLECTORAPI_EVENT event UNUSED)
{
	gomp_wait(true);
}

static void on_wait_end(OMP_COLLECTORAPI_EVENT event UNUSED)
{
	gomp_wait(false);
}

/* ---- locks ------------------------------------------------------------ */

static void on_lock_init(OMP_COLLECTORAPI_EVENT event UNUSED)
{
	const struct gomp_thread *g = gomp();

	locks_made(g->object, (uintptr_t)g->call);
}

/* ---- life ------------------------------------------------------------- */

static const struct gomp_registration always[] = {
	{ OMP_EVENT_FORK, on_fork },
	{ OMP_EVENT_JOIN, on_join },
	{ GOMP_EVENT_IMPLICIT_BEGIN, on_implicit_begin },
	{ GOMP_EVENT_TASK_CREATE, on_task_create },
	{ GOMP_EVENT_TASK_BEGIN, on_task_begin },
	{ GOMP_EVENT_TASK_END, on_task_end },
	{ GOMP_EVENT_WORK_BEGIN, on_work_begin },
	{ GOMP_EVENT_WORK_END, on_work_end },
	{ GOMP_EVENT_LOCK_INIT, on_lock_init },
};

static const struct gomp_registration for_barriers[] = {
	{ OMP_EVENT_THR_BEGIN_EBAR, on_barrier },
};

static const struct gomp_registration for_counts[] = {
	{ GOMP_EVENT_IMPLICIT_END, on_implicit_end }, { OMP_EVENT_THR_BEGIN_IBAR, on_wait_begin },
	{ OMP_EVENT_THR_END_IBAR, on_wait_end },      { OMP_EVENT_THR_BEGIN_EBAR, on_wait_begin },
	{ OMP_EVENT_THR_END_EBAR, on_wait_end },      { GOMP_EVENT_TASKWAIT_BEGIN, on_wait_begin },
	{ GOMP_EVENT_TASKWAIT_END, on_wait_end },
};

bool collector_gomp_fits(const struct collector_entries *entries)
{
	const int theirs = entries->gomp_interface ? entries->gomp_interface() : 0;
	char line[192];

	if (theirs == GOMP_INTERFACE)
		return true;
	snprintf(line, sizeof(line),
		 "libomphwc-gomp.so has interface %d, libomphwc.so %d: libgomp's regions are "
		 "inferred, its tasks and entries unknown: install both from one version",
		 theirs, GOMP_INTERFACE);
	runtime_host.note(line);
	module_mark((const void *)(uintptr_t)entries->gomp_api, PROF_MODULE_UNUSED);
	return false;
}

/* No event is refused: both sides have the same interface. */
static void register_all(const struct gomp_registration *all, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		collector_register(api, all[i].event, all[i].callback);
		gomp_blame_below(all[i].event, all[i].callback);
	}
}

void collector_gomp_start(const struct collector_entries *entries)
{
	api = entries->gomp_api;
	gomp = entries->gomp;
	gomp_state = entries->gomp_state;
	gomp_copy = entries->gomp_copy;
	counts = counting_on();
	register_all(always, sizeof(always) / sizeof(*always));
	if (counts)
		register_all(for_counts, sizeof(for_counts) / sizeof(*for_counts));
	else
		register_all(for_barriers, sizeof(for_barriers) / sizeof(*for_barriers));
	/* Last: they replace some of those above. */
	if (entries_on()) {
		size_t n;
		const struct gomp_registration *all = gomp_entries(gomp, &n);

		register_all(all, n);
	}
	if (blame_on())
		gomp_blame_register(api, gomp);
}

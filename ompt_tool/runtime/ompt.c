/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompt.c - the adapter for runtimes with OMPT (OpenMP 5.x, chapter 19).
 *
 * It registers few callbacks: each costs the application, and some are faulty in
 * today's runtimes. Tasks and regions carry their creation context in their
 * ompt_data_t (omp/region.h), so that the handler gets it by one inquiry, and
 * nothing has to be looked up or freed.
 */
#include "config.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "ompt_tool/count/counting.h"
#include "ompt_tool/omp/blame.h"
#include "ompt_tool/omp/construct_stack.h"
#include "ompt_tool/omp/created.h"
#include "ompt_tool/omp/depend.h"
#include "ompt_tool/omp/entries.h"
#include "ompt_tool/omp/locks.h"
#include "ompt_tool/omp/runtime.h"
#include "ompt_tool/omp/task_switch.h"
#include "ompt_tool/runtime/calling_thread.h"
#include "ompt_tool/runtime/collector.h"
#include "ompt_tool/runtime/ompt_declarations.h"
#include "ompt_tool/runtime/ompt_parts.h"
#include "ompt_tool/runtime/runtime_host.h"
#include "ompt_tool/tree/module.h"

#define EXPORT __attribute__((visibility("default")))

/* ---- callbacks -------------------------------------------------------- */

static void on_thread_begin(ompt_thread_t type, ompt_data_t *data UNUSED)
{
	runtime_host.thread_begins(type == ompt_thread_initial ? PROF_THREAD_INITIAL :
				   type == ompt_thread_worker  ? PROF_THREAD_WORKER :
								 PROF_THREAD_OTHER);
}

static void encounter_fill(struct encounter *e, const ompt_data_t *task, const ompt_frame_t *frame,
			   const void *call, enum prof_boundary_kind kind)
{
	e->call = (uintptr_t)call;
	e->enter = frame ? ompt_record_at(frame->enter_frame) : 0;
	e->exit = frame ? ompt_record_at(frame->exit_frame) : 0;
	e->token = task ? task->value : 0;
	e->kind = kind;
	e->cfa = 0;
	e->body = 0;
	e->in_body = e->inside_runtime = false;
}

/* The encountering task is undeferred: its exit pointer may be anything. */
static void encounter_undeferred(struct encounter *e, const struct omp_thread *t,
				 const ompt_data_t *task)
{
	e->cfa = undeferred_cfa(&t->undeferred, task);
	if (e->cfa != 0)
		e->exit = e->cfa;
}

/* Whether a frame lies outside of t's own stack. */
static bool is_elsewhere(const struct omp_thread *t, uintptr_t frame)
{
	return frame != 0 && frame - t->contexts.own.lo >= t->contexts.own.hi - t->contexts.own.lo;
}

/*
 * The encountering task began on another thread (its enter frame may be anything:
 * some runtimes take it from a register that the program uses for other purposes), or
 * another explicit task runs. So the code that runs here is a task that the runtime
 * split off a taskloop, to create the rest of its tasks. They belong where that task
 * itself was created: the encountering task may have left its code by a tail call.
 */
static void encounter_here(struct encounter *e)
{
	ompt_data_t *task;
	ompt_frame_t *frame;

	if (ompt_query_task(&task, &frame))
		encounter_fill(e, task, frame, (const void *)e->call, e->kind);
}

/* A region that was not created before, or not by a thread that is known; and all others for
   which more is to be done than on_parallel_begin() does. */
static __attribute__((noinline)) void parallel_begins(const ompt_data_t *task,
						      const ompt_frame_t *frame,
						      ompt_data_t *parallel, unsigned requested,
						      const void *call)
{
	struct omp_thread *t = calling_thread(PROF_THREAD_OTHER);
	struct encounter e;

	parallel->value = 0;
	if (!t)
		return;
	t->asked = requested;
	encounter_fill(&e, task, frame, call, PROF_BOUNDARY_REGION);
	if (t->undeferred.n != 0)
		encounter_undeferred(&e, t, task);
	/* libomp's hidden helper team, which executes `target nowait' and never ends. */
	parallel->value = context_is_runtimes(&t->contexts, &e) ?
				  region_own_token(t->index) :
				  region_created(t, &e, (uintptr_t)__builtin_frame_address(0));
}

/* Nothing that it calls returns to it, so it saves no registers. */
static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
			      unsigned int requested, int flags UNUSED, const void *call)
{
	struct omp_thread *t = calling_thread_known();
	struct encounter e;

	if (!parallel)
		return;
	if (__builtin_expect(calling_thread_is_ready(t) && t->undeferred.n == 0, 1)) {
		encounter_fill(&e, task, frame, call, PROF_BOUNDARY_REGION);
		const uint64_t token = region_created_again(t, &e);

		if (__builtin_expect(token != 0, 1)) {
			parallel->value = token;
			t->asked = requested;
			return;
		}
	}
	parallel_begins(task, frame, parallel, requested, call);
}

static void on_parallel_end(ompt_data_t *parallel, ompt_data_t *task UNUSED, int flags UNUSED,
			    const void *call UNUSED)
{
	if (*process.alive != 0 && parallel)
		region_over_by(calling_thread_known(), parallel->value);
}

/* The primary thread of that region's team, which was taken to be asleep or is not profiled. */
static __attribute__((noinline)) void primary_wakes(uint64_t token, unsigned int team)
{
	region_has_team(calling_thread_known(), token, team);
}

static inline __attribute__((always_inline)) void primary_begins(uint64_t token, unsigned int team)
{
	struct omp_thread *t = calling_thread_awake();

	if (__builtin_expect(!t, 0))
		primary_wakes(token, team);
	else
		region_has_team(t, token, team);
}

static inline __attribute__((always_inline)) void implicit_begins(const ompt_data_t *parallel,
								  ompt_data_t *task,
								  unsigned int team,
								  unsigned int index)
{
	const uint64_t token = parallel->value;

	task->value = token;
	/* A thread of such a team is in no team of the program's. */
	if (__builtin_expect(token_is_own(token), 0))
		runtime_host.thread_begins(PROF_THREAD_OTHER);
	else if (index == 0)
		primary_begins(token, team);
}

static __attribute__((noinline)) bool initial_begins(const ompt_data_t *parallel, ompt_data_t *task,
						     unsigned int team, unsigned int index)
{
	struct token_view v;

	/* Of a league of teams: its initial tasks, unlike others, were created somewhere. */
	token_read(parallel->value, &v);
	if (v.kind != TOKEN_REGION)
		return false;
	implicit_begins(parallel, task, team, index);
	return true;
}

/* Returns whether the task is a region's. */
static inline __attribute__((always_inline)) bool
implicit_task(ompt_scope_endpoint_t endpoint, const ompt_data_t *parallel, ompt_data_t *task,
	      unsigned int team, unsigned int index, int flags)
{
	/* At the end, too: libomp (14 at least) gives a worker's copy of the value then, and
	   aborts if it is still there when the thread next waits for dependences. */
	task->value = 0;
	if (endpoint == ompt_scope_end)
		return true;
	if (!parallel)
		return false;
	if (__builtin_expect((flags & ompt_task_initial) != 0, 0))
		return initial_begins(parallel, task, team, index);
	implicit_begins(parallel, task, team, index);
	return true;
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
			     ompt_data_t *task, unsigned int team, unsigned int index, int flags)
{
	if (task)
		implicit_task(endpoint, parallel, task, team, index, flags);
}

/* ---- the same where events are counted -------------------------------- */

static void count_implicit(ompt_scope_endpoint_t endpoint, uint64_t token)
{
	struct omp_thread *t = calling_thread_known();

	if (!t || !t->counting || *process.alive == 0)
		return;
	if (endpoint == ompt_scope_begin)
		counting_enter(t, token);
	else if (token != 0)
		counting_leave(t, token);
}

static void on_parallel_end_counted(ompt_data_t *parallel, ompt_data_t *task, int flags,
				    const void *call)
{
	on_parallel_end(parallel, task, flags, call);
	/* Where the end of the implicit task was not reported. */
	if (parallel)
		count_implicit(ompt_scope_end, parallel->value);
}

/* The runtime reports the end late, when the next region begins: all that it says is that the
   thread is in that region no more. */
static void on_implicit_task_counted(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
				     ompt_data_t *task, unsigned int team, unsigned int index,
				     int flags)
{
	const uint64_t ended = task ? task->value : 0;

	if (task && implicit_task(endpoint, parallel, task, team, index, flags))
		count_implicit(endpoint, endpoint == ompt_scope_end ? ended : task->value);
}

/* ---- tasks ----------------------------------------------------------------- */

/* Which tasks are detached shows when they end. */
static struct task_flags flags_of(uint32_t reported)
{
	return (struct task_flags){ .are = reported, .are_not = ~(reported | PROF_TASK_DETACHED) };
}

static void on_task_create(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *created,
			   int flags, int has_dependences UNUSED, const void *call)
{
	const bool undeferred = (flags & ompt_task_undeferred) != 0;
	const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	struct omp_thread *t;
	struct encounter e;

	/* Initial tasks are reported as created, too, but have no creator; so are waits
	   for dependences. */
	if ((flags & (ompt_task_initial | ompt_task_taskwait)) != 0 || !created) {
		if ((flags & ompt_task_taskwait) != 0 && entries_on())
			ompt_entries_depend(call);
		return;
	}
	t = calling_thread(PROF_THREAD_OTHER);
	if (!t) {
		created->value = 0;
		return;
	}
	encounter_fill(&e, task, frame, call, PROF_BOUNDARY_TASK);
	e.reported = (uint32_t)flags | (has_dependences != 0 ? PROF_TASK_DEPEND : 0);
	if (t->undeferred.n != 0)
		encounter_undeferred(&e, t, task);
	if (is_elsewhere(t, e.exit) ||
	    (t->scheduled != e.token && token_is_task(t->scheduled) && t->undeferred.n == 0))
		encounter_here(&e);
	/* The encountering task's enter frame may be another's: libomp gives a task with
	   dependences the enter frame of the call that created it, and keeps that up to the
	   task's first call that clears it. An explicit task's own calls lie inside of its exit
	   frame. An undeferred one's exit pointer says nothing, and its creation may be a call
	   that has not returned. */
	const bool foreign =
		token_is_task(e.token) &&
		(e.cfa != 0 || (e.exit != 0 && (e.enter <= here || e.enter >= e.exit)));

	if (foreign)
		e.enter = 0;
	/* The calls that compilers generate for undeferred tasks may have any enter frame. */
	if (undeferred || foreign)
		context_enter(&t->contexts, &e, here);
	struct context *c;

	created->value = task_created(t, &e, e.reported, flags_of, true, &c);
	if (undeferred || foreign)
		context_learn(&t->contexts, &e, here);
	if (undeferred && c->cfa != 0 &&
	    !undeferred_begin(&t->undeferred, created, e.enter + c->cfa, here))
		omp_thread_lose(t, PROF_LOST_CONSTRUCTS);
}

static inline __attribute__((always_inline)) struct omp_thread *inside(const ompt_data_t *task)
{
	struct omp_thread *t = calling_thread_known();

	return task && t && t->record && *process.alive != 0 ? t : NULL;
}

/* A task that ended and has not begun was cancelled. The runtime may report it as complete. */
static inline __attribute__((always_inline)) void task_ends(struct omp_thread *t,
							    const ompt_data_t *task)
{
	if (task && task_is_new(task->value))
		stats_task_cancelled(t, task->value);
	if (t->undeferred.n != 0)
		undeferred_end(&t->undeferred, task);
}

/* Its event was fulfilled before it ended, or was not when it ended. */
static __attribute__((noinline)) void task_is_detached(const ompt_data_t *task)
{
	struct omp_thread *t = inside(task);

	if (t)
		stats_task_is(t, task->value, PROF_TASK_DETACHED);
}

static void on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
	struct omp_thread *t = inside(next);
	bool begins = next && task_begin(&next->value);

	/* Without a next task nothing is scheduled: an event was fulfilled, or a wait
	   for dependences has ended. */
	if (!t) {
		if (status == ompt_task_early_fulfill)
			task_is_detached(prior);
		return;
	}
	if (status == ompt_task_complete || status == ompt_task_cancel)
		task_ends(t, prior);
	else if (__builtin_expect(status == ompt_task_detach, 0))
		task_is_detached(prior);
	task_switch(t, next->value, begins);
	t->scheduled = next->value;
	if (t->counting)
		counting_switch(t, next->value, begins);
}

/* ---- constructs ------------------------------------------------------------ */

/* Whether the count of a work callback is a number of iterations or sections. */
static bool has_count(enum prof_construct_kind kind)
{
	return kind == PROF_CONSTRUCT_LOOP || kind == PROF_CONSTRUCT_SECTIONS ||
	       (kind >= PROF_CONSTRUCT_LOOP_STATIC && kind <= PROF_CONSTRUCT_LOOP_OTHER);
}

/* The call address of a construct. Runtimes give an address of their own for a
   taskloop, and none for gcc's sections. */
static uintptr_t called_from(struct omp_thread *t, enum prof_construct_kind kind,
			     const ompt_data_t *task, const void *call)
{
	uint32_t flags;

	if (kind != PROF_CONSTRUCT_TASKLOOP && call)
		return (uintptr_t)call;
	module_locate((uintptr_t)call, &flags);
	if (call && (flags & PROF_MODULE_RUNTIME) == 0)
		return (uintptr_t)call;
	uintptr_t user = context_call(&t->contexts, task->value);

	return user != 0 ? user : (uintptr_t)call;
}

static void on_work(ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel UNUSED,
		    ompt_data_t *task, uint64_t count, const void *call)
{
	enum prof_construct_kind what = kind >= ompt_work_loop && kind <= ompt_work_loop_other ?
						(enum prof_construct_kind)kind :
						PROF_CONSTRUCT_WORK_OTHER;
	struct omp_thread *t = inside(task);

	if (!t)
		return;
	if (endpoint == ompt_scope_begin)
		construct_begin(t, what, called_from(t, what, task, call), task->value,
				has_count(what) ? count : 0);
	else if (endpoint == ompt_scope_end)
		construct_end(t, what, task->value);
}

/* The thread leaves a cancelled loop with an iteration unfinished, and may not report its end. */
static void on_cancel(ompt_data_t *task, int flags, const void *call UNUSED)
{
	struct omp_thread *t = inside(task);

	if (!t || (flags & (ompt_cancel_activated | ompt_cancel_detected)) == 0)
		return;
	if (flags & ompt_cancel_loop)
		construct_end(t, PROF_CONSTRUCT_LOOP, task->value);
	else if (flags & ompt_cancel_sections)
		construct_end(t, PROF_CONSTRUCT_SECTIONS, task->value);
}

static void on_masked(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel UNUSED,
		      ompt_data_t *task, const void *call)
{
	struct omp_thread *t = inside(task);

	if (!t)
		return;
	if (endpoint == ompt_scope_begin)
		construct_begin(t, PROF_CONSTRUCT_MASKED,
				called_from(t, PROF_CONSTRUCT_MASKED, task, call), task->value, 0);
	else if (endpoint == ompt_scope_end)
		construct_end(t, PROF_CONSTRUCT_MASKED, task->value);
}

/* A lock's wait_id here is the address of the application's variable. */
static void on_mutex_acquire(ompt_mutex_t kind, unsigned int hint UNUSED, unsigned int impl UNUSED,
			     ompt_wait_id_t wait_id, const void *call)
{
	struct omp_thread *t = calling_thread_known();

	if (!t)
		return;
	/* The handler finds a call with its own lock only. */
	t->lock_call = 0;
	atomic_signal_fence(memory_order_seq_cst);
	t->lock = kind < ompt_mutex_critical ? wait_id : 0;
	atomic_signal_fence(memory_order_seq_cst);
	t->lock_call = (uintptr_t)call;
}

/* Nothing but the lock's address and the call is of use: the hint is the program's own, and the
   implementation's number has a meaning for its runtime only. */
static void on_lock_init(ompt_mutex_t kind UNUSED, unsigned int hint UNUSED,
			 unsigned int impl UNUSED, ompt_wait_id_t wait_id, const void *call)
{
	locks_made(wait_id, (uintptr_t)call);
}

/* Registered for counting only. The end of a worker's last wait in a region is reported
   when the worker is needed again. */
static void on_sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
				ompt_data_t *parallel UNUSED, ompt_data_t *task UNUSED,
				const void *call UNUSED)
{
	struct omp_thread *t = calling_thread_known();

	/* libomp reports the barrier of a reduction twice. */
	if (!t || *process.alive == 0 || kind == ompt_sync_region_reduction)
		return;
	counting_wait(t, endpoint == ompt_scope_begin,
		      kind == ompt_sync_region_barrier_implicit_parallel);
}

static int on_control_tool(uint64_t command, uint64_t modifier UNUSED, void *arg,
			   const void *call UNUSED)
{
	return runtime_host.control((int)command, arg);
}

/* ---- life ------------------------------------------------------------- */

/* clang-format off */
#define CALLBACK(name, reports) { ompt_callback_##name, (ompt_callback_t)on_##name, #name, reports }
#define COUNTED(name, reports) \
	{ ompt_callback_##name, (ompt_callback_t)on_##name##_counted, #name, reports }
/* clang-format on */

static const struct ompt_registration callbacks[] = {
	CALLBACK(thread_begin, "which threads are OpenMP's"),
	CALLBACK(parallel_begin, "which regions there are"),
	CALLBACK(parallel_end, "how long regions take"),
	CALLBACK(implicit_task, "which threads are in a region"),
	CALLBACK(task_create, "which tasks there are"),
	CALLBACK(task_schedule, "how many tasks ran, where and how long"),
	CALLBACK(work, "which worksharing constructs threads are in"),
	CALLBACK(masked, "when a thread is in a masked construct"),
	CALLBACK(cancel, "which worksharing constructs were left before their end"),
	CALLBACK(lock_init, "which of several locks in the heap it is"),
	CALLBACK(mutex_acquire, "which lock a thread waits for"),
	CALLBACK(control_tool, "what omp_control_tool was to do"),
};

/* Where events are counted, registered after those above, which they replace. */
static const struct ompt_registration counted[] = {
	COUNTED(parallel_end, "how long regions take"),
	COUNTED(implicit_task, "which threads are in a region"),
};

static const struct ompt_registration waits[] = {
	CALLBACK(sync_region_wait, "what was counted while threads waited"),
};

static char runtime_text[128];

/* Whether exit() has begun: a runtime that is finalized before does not end with the
   program. */
static _Atomic bool ending;
static _Atomic uint32_t ends_noticed; /* a word: some machines have no atomic exchange of bytes
					   without a library */

/* Registered after the runtime's own function, and so called before it. */
static void program_ends(void)
{
	atomic_store(&ending, true);
}

/* Whether regions, tasks and worksharing constructs are known by the runtime's own reports: by what
   it answers, not by its name or version. */
static bool reports_the_model(ompt_set_callback_t set)
{
	static const struct ompt_registration model[] = {
		CALLBACK(parallel_begin, NULL), CALLBACK(parallel_end, NULL),
		CALLBACK(implicit_task, NULL),	CALLBACK(task_create, NULL),
		CALLBACK(task_schedule, NULL),	CALLBACK(work, NULL),
	};

	for (size_t i = 0; i < sizeof(model) / sizeof(*model); i++)
		if (set(model[i].event, model[i].function) != ompt_set_always)
			return false;
	return true;
}

static int initialize(ompt_function_lookup_t lookup, int device UNUSED, ompt_data_t *data UNUSED)
{
	const ompt_set_callback_t real_set = (ompt_set_callback_t)lookup("ompt_set_callback");
	ompt_set_callback_t set = real_set;
	const bool answers = set && ompt_query_init(lookup);

	/* What returns 0 gets no callbacks (OpenMP 5.2, section 19.2.3). */
	if ((!answers || !reports_the_model(set)) &&
	    collector_instead((const void *)(uintptr_t)lookup)) {
		runtime_host.note(
			"libgomp's own tools interface does not report all regions, tasks "
			"and loops: omphwc-gomp's is used instead");
		return 0;
	}
	if (!answers)
		return 0;
	if (blame_on())
		set = ompt_blame_set(set);
	ompt_register(set, callbacks, sizeof(callbacks) / sizeof(*callbacks));
	if (counting_on()) {
		ompt_register(set, counted, sizeof(counted) / sizeof(*counted));
		counting_waits(ompt_register(set, waits, 1));
	}
	if (entries_on())
		ompt_entries_register(set);
	ompt_target_register(set);
	if (blame_on())
		ompt_blame_register();
	if (depend_on())
		ompt_depend_register(real_set);
	if (!atomic_exchange(&ends_noticed, true))
		atexit(program_ends);
	runtime_host.begins(&ompt_runtime, runtime_text,
			    (const void *)(uintptr_t)lookup("ompt_get_state"));
	return 1;
}

/* The runtime shuts down, at exit or by omp_pause_resource_all(hard), and may start
   again. Threads are still sampled, as threads without OpenMP. */
static void finalize(ompt_data_t *data UNUSED)
{
	static atomic_flag noted = ATOMIC_FLAG_INIT;

	ompt_device_stop();
	if (!atomic_load(&ending) && *process.alive != 0 && !atomic_flag_test_and_set(&noted))
		runtime_host.note(
			"the OpenMP runtime was shut down while the program ran (by "
			"omp_pause_resource_all or dlclose): later regions and threads are not "
			"known, unless the runtime starts tools again");
	runtime_remove(&ompt_runtime);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned int version, const char *runtime);

EXPORT ompt_start_tool_result_t *ompt_start_tool(unsigned int version, const char *runtime)
{
	static ompt_start_tool_result_t result = { initialize, finalize, { 0 } };

	if (getenv("OMPHWC_SURVEY"))
		return ompt_survey(version, runtime);
	if (!runtime_host.start())
		return NULL;
	snprintf(runtime_text, sizeof(runtime_text), "%s (OpenMP %u)",
		 runtime ? runtime : "unnamed runtime", version);
	return &result;
}

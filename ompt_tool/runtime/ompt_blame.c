/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/runtime/ompt_parts.h"

#include <stddef.h>

#include "ompt_tool/omp/blame.h"
#include "ompt_tool/omp/omp_thread.h"
#include "ompt_tool/omp/region.h"
#include "ompt_tool/runtime/calling_thread.h"

/* Owned by this file; set before any callback. below: the callbacks whose place ours take,
   or NULL. */
static ompt_set_callback_t real_set;
static ompt_callback_t below[ompt_callback_nest_lock + 1];

static ompt_set_result_t set_below(ompt_callbacks_t event, ompt_callback_t function)
{
	if ((size_t)event < sizeof(below) / sizeof(*below))
		below[event] = function;
	return real_set(event, function);
}

ompt_set_callback_t ompt_blame_set(ompt_set_callback_t set)
{
	real_set = set;
	return set_below;
}

static struct omp_thread *known(void)
{
	return *process.alive != 0 ? calling_thread_known() : NULL;
}

/* ---- regions and tasks ------------------------------------------------ */

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
			      unsigned int requested, int flags, const void *call)
{
	((ompt_callback_parallel_begin_t)below[ompt_callback_parallel_begin])(task, frame, parallel,
									      requested, flags,
									      call);
	struct omp_thread *t = known();

	if (t && parallel)
		blame_fork(t, parallel->value);
}

static void on_parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *call)
{
	struct omp_thread *t = known();

	((ompt_callback_parallel_end_t)below[ompt_callback_parallel_end])(parallel, task, flags,
									  call);
	/* Also where the end of the implicit task was not reported. */
	if (t && parallel)
		blame_join(t, parallel->value);
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
			     ompt_data_t *task, unsigned int team, unsigned int index, int flags)
{
	const uint64_t ended = task ? task->value : 0;

	((ompt_callback_implicit_task_t)below[ompt_callback_implicit_task])(endpoint, parallel,
									    task, team, index,
									    flags);
	struct omp_thread *t = known();

	if (!t || !task)
		return;
	if (endpoint == ompt_scope_begin && task->value != 0)
		blame_enter(t, task->value);
	else if (endpoint == ompt_scope_end && ended != 0)
		blame_leave(t, ended);
}

static void on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
	const bool begins = next && task_is_new(next->value);

	((ompt_callback_task_schedule_t)below[ompt_callback_task_schedule])(prior, status, next);
	struct omp_thread *t = known();

	if (t && next)
		blame_switch(t, next->value, begins);
}

/* ---- waits ------------------------------------------------------------ */

/* The state of the wait; 0: none of its own. */
static uint8_t state_of_wait(ompt_sync_region_t kind)
{
	switch (kind) {
	case ompt_sync_region_taskwait: return PROF_STATE_TASKWAIT;
	case ompt_sync_region_taskgroup: return PROF_STATE_TASKGROUP;
	/* libomp reports the barrier of a reduction twice. */
	case ompt_sync_region_reduction: return 0;
	default: return PROF_STATE_BARRIER;
	}
}

static void on_sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
				ompt_data_t *parallel, ompt_data_t *task, const void *call)
{
	const uint8_t state = state_of_wait(kind);
	struct omp_thread *t = known();

	if (below[ompt_callback_sync_region_wait])
		((ompt_callback_sync_region_t)below[ompt_callback_sync_region_wait])(kind, endpoint,
										     parallel, task,
										     call);
	if (t && state != 0)
		blame_wait(t, state, endpoint == ompt_scope_begin);
}

/* ---- mutexes ---------------------------------------------------------- */

static uint8_t state_of_mutex(ompt_mutex_t kind)
{
	static const uint8_t states[] = {
		[ompt_mutex_lock] = PROF_STATE_LOCK,
		[ompt_mutex_test_lock] = PROF_STATE_LOCK,
		[ompt_mutex_nest_lock] = PROF_STATE_LOCK,
		[ompt_mutex_test_nest_lock] = PROF_STATE_LOCK,
		[ompt_mutex_critical] = PROF_STATE_CRITICAL,
		[ompt_mutex_atomic] = PROF_STATE_ATOMIC,
		[ompt_mutex_ordered] = PROF_STATE_ORDERED,
	};

	return (size_t)kind < sizeof(states) && states[kind] != 0 ? states[kind] : PROF_STATE_MUTEX;
}

static bool is_test(ompt_mutex_t kind)
{
	return kind == ompt_mutex_test_lock || kind == ompt_mutex_test_nest_lock;
}

static void on_mutex_acquire(ompt_mutex_t kind, unsigned int hint, unsigned int impl,
			     ompt_wait_id_t wait_id, const void *call)
{
	struct omp_thread *t = known();

	((ompt_callback_mutex_acquire_t)below[ompt_callback_mutex_acquire])(kind, hint, impl,
									    wait_id, call);
	/* Who tests does not wait. */
	if (t && !is_test(kind))
		blame_acquire(t, state_of_mutex(kind), wait_id);
}

static void on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void *call)
{
	const uint8_t state = state_of_mutex(kind);
	struct omp_thread *t = known();

	if (below[ompt_callback_mutex_acquired])
		((ompt_callback_mutex_t)below[ompt_callback_mutex_acquired])(kind, wait_id, call);
	/* The address of a lock is that of the program's variable. Others are the runtime's, and
	   the call says which. */
	if (t)
		blame_acquired(t, state, wait_id,
			       state == PROF_STATE_LOCK ? wait_id : (uintptr_t)call);
}

static void on_mutex_released(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void *call)
{
	struct omp_thread *t = known();

	if (below[ompt_callback_mutex_released])
		((ompt_callback_mutex_t)below[ompt_callback_mutex_released])(kind, wait_id, call);
	if (t)
		blame_released(t, wait_id);
}

/* A nested lock that the task holds already is set again, or unset but still held. */
static void on_nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t wait_id, const void *call)
{
	struct omp_thread *t = known();

	if (below[ompt_callback_nest_lock])
		((ompt_callback_nest_lock_t)below[ompt_callback_nest_lock])(endpoint, wait_id,
									    call);
	if (t && endpoint == ompt_scope_begin)
		blame_acquired_again(t, wait_id);
	else if (t && endpoint == ompt_scope_end)
		blame_released(t, wait_id);
}

/* ---- life ------------------------------------------------------------- */

/* clang-format off */
#define CALLBACK(name, reports) { ompt_callback_##name, (ompt_callback_t)on_##name, #name, reports }
/* clang-format on */

void ompt_blame_register(void)
{
	static const struct ompt_registration callbacks[] = {
		CALLBACK(parallel_begin, "which regions there are"),
		CALLBACK(parallel_end, "how long regions take"),
		CALLBACK(implicit_task, "which threads are in a region"),
		CALLBACK(task_schedule, "how many tasks ran, where and how long"),
		CALLBACK(sync_region_wait, "who makes others wait at barriers and for tasks"),
		CALLBACK(mutex_acquire, "which lock a thread waits for"),
		CALLBACK(mutex_acquired, "who makes others wait for locks"),
		CALLBACK(mutex_released, "who makes others wait for locks"),
		CALLBACK(nest_lock, "who makes others wait for nested locks"),
	};

	ompt_register(real_set, callbacks, sizeof(callbacks) / sizeof(*callbacks));
}

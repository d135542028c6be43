/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The call address of a release is ignored: libomp takes it from another thread.
 */
#include "config.h"

#include "ompt_tool/runtime/ompt_parts.h"

#include <stddef.h>
#include <stdint.h>

#include "ompt_tool/omp/construct_stack.h"
#include "ompt_tool/omp/entries.h"
#include "ompt_tool/omp/region.h"
#include "ompt_tool/runtime/calling_thread.h"
#include "ompt_tool/runtime/runtime_host.h"
#include "ompt_tool/sample/thread.h"
#include "ompt_tool/tree/process.h"

/* The thread that counts; NULL: no entries are counted here. */
static struct omp_thread *counter(void)
{
	struct thread *t = thread_self;

	if (*process.alive == 0)
		return NULL;
	if (!t)
		t = runtime_host.thread_begins(PROF_THREAD_OTHER);
	return t && (t->omp.record || thread_ready(t)) ? &t->omp : NULL;
}

static void on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void *call)
{
	struct omp_thread *t = counter();
	/* 0: an unknown kind. */
	static const uint8_t kinds[] = {
		[ompt_mutex_lock] = PROF_CONSTRUCT_LOCK,
		[ompt_mutex_test_lock] = PROF_CONSTRUCT_LOCK,
		[ompt_mutex_nest_lock] = PROF_CONSTRUCT_LOCK,
		[ompt_mutex_test_nest_lock] = PROF_CONSTRUCT_LOCK,
		[ompt_mutex_critical] = PROF_CONSTRUCT_CRITICAL,
		[ompt_mutex_atomic] = PROF_CONSTRUCT_ATOMIC,
		[ompt_mutex_ordered] = PROF_CONSTRUCT_ORDERED,
	};

	const enum prof_construct_kind what =
		(size_t)kind < sizeof(kinds) ? (enum prof_construct_kind)kinds[kind] : 0;

	if (t && what != 0)
		entries_acquire(t, what, (uintptr_t)call, wait_id);
}

static void on_mutex_released(ompt_mutex_t kind UNUSED, ompt_wait_id_t wait_id,
			      const void *call UNUSED)
{
	struct omp_thread *t = counter();

	if (t)
		entries_release(t, wait_id);
}

/* A nested lock that the task holds already is set again, or unset but still held. */
static void on_nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t wait_id, const void *call)
{
	struct omp_thread *t = counter();

	if (!t)
		return;
	if (endpoint == ompt_scope_begin)
		entries_enter(t, PROF_CONSTRUCT_LOCK, (uintptr_t)call, wait_id);
	else if (endpoint == ompt_scope_end)
		entries_leave(t, PROF_CONSTRUCT_LOCK, wait_id);
}

static void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
			   ompt_data_t *parallel UNUSED, ompt_data_t *task, const void *call)
{
	/* 0: the end of a construct or region, which is no entry. */
	static const uint8_t kinds[] = {
		[ompt_sync_region_barrier] = PROF_CONSTRUCT_BARRIER_ANY,
		[ompt_sync_region_barrier_explicit] = PROF_CONSTRUCT_BARRIER,
		[ompt_sync_region_barrier_implementation] = PROF_CONSTRUCT_BARRIER_ANY,
		[ompt_sync_region_taskwait] = PROF_CONSTRUCT_TASKWAIT,
		[ompt_sync_region_taskgroup] = PROF_CONSTRUCT_TASKGROUP,
	};

	const enum prof_construct_kind what =
		(size_t)kind < sizeof(kinds) ? (enum prof_construct_kind)kinds[kind] : 0;
	struct omp_thread *t;

	if (what == 0)
		return;
	t = counter();
	if (!t)
		return;
	/* The token, not the address of the ompt_data_t, which may be a copy. */
	const uint64_t key = task ? task->value & ~(uint64_t)TOKEN_TASK_BEGUN : 0;

	if (endpoint == ompt_scope_begin)
		entries_enter(t, what, (uintptr_t)call, key);
	else if (endpoint == ompt_scope_end)
		entries_leave(t, what, key);
}

/* Not of sections: libomp reports them when a thread gets some, not how many. */
static void on_dispatch(ompt_data_t *parallel UNUSED, ompt_data_t *task, ompt_dispatch_t kind,
			ompt_data_t instance)
{
	static const uint8_t kinds[] = {
		[ompt_dispatch_ws_loop_chunk] = PROF_CONSTRUCT_LOOP,
		[ompt_dispatch_distribute_chunk] = PROF_CONSTRUCT_DISTRIBUTE,
	};
	const uint8_t what = (size_t)kind < sizeof(kinds) ? kinds[kind] : 0;
	const ompt_dispatch_chunk_t *chunk = instance.ptr;
	struct omp_thread *t = what != 0 && task ? counter() : NULL;

	if (t && chunk)
		construct_chunk(t, (enum prof_construct_kind)what, task->value, chunk->iterations);
}

void ompt_entries_depend(const void *call)
{
	struct omp_thread *t = counter();

	if (t)
		entries_count(t, PROF_CONSTRUCT_TASKWAIT, (uintptr_t)call);
}

void ompt_entries_register(ompt_set_callback_t set)
{
	static const struct ompt_registration callbacks[] = {
		{ ompt_callback_mutex_acquired, (ompt_callback_t)on_mutex_acquired,
		  "mutex_acquired", "how often locks and critical sections are entered" },
		{ ompt_callback_mutex_released, (ompt_callback_t)on_mutex_released,
		  "mutex_released", "how long locks and critical sections are held" },
		{ ompt_callback_nest_lock, (ompt_callback_t)on_nest_lock, "nest_lock",
		  "how often nested locks are set again" },
		{ ompt_callback_sync_region, (ompt_callback_t)on_sync_region, "sync_region",
		  "how often barriers, taskwaits and taskgroups are entered" },
		{ ompt_callback_dispatch, (ompt_callback_t)on_dispatch, "dispatch",
		  "what chunks of loops threads are given" },
	};

	ompt_register(set, callbacks, sizeof(callbacks) / sizeof(*callbacks));
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/runtime/collector_gomp.h"

#include <stdbool.h>
#include <stdint.h>

#include "ompt_tool/collector/gomp_thread.h"
#include "ompt_tool/count/counting.h"
#include "ompt_tool/omp/entries.h"
#include "ompt_tool/omp/region.h"
#include "ompt_tool/runtime/calling_thread.h"
#include "ompt_tool/tree/module.h"

/* Owned by this file; set before any event. */
static struct gomp_thread *(*gomp)(void);
static bool counts; /* events are counted at boundaries (count/) */

static enum prof_construct_kind mutex_of(uint8_t kind)
{
	static const uint8_t kinds[] = {
		[GOMP_MUTEX_LOCK] = PROF_CONSTRUCT_LOCK,
		[GOMP_MUTEX_NEST_LOCK] = PROF_CONSTRUCT_LOCK,
		[GOMP_MUTEX_CRITICAL] = PROF_CONSTRUCT_CRITICAL,
		[GOMP_MUTEX_ATOMIC] = PROF_CONSTRUCT_ATOMIC,
		[GOMP_MUTEX_ORDERED] = PROF_CONSTRUCT_ORDERED,
	};

	return kind < sizeof(kinds) ? (enum prof_construct_kind)kinds[kind] : 0;
}

/* The address after the program's call. After a tail call of the task's body it lies in the
   producer: then it is the body that gives the place, at its beginning. */
static uintptr_t call_of(const struct gomp_thread *g)
{
	uint32_t flags;

	module_locate((uintptr_t)g->call, &flags);
	if (!g->task || !g->task->body || (flags & PROF_MODULE_RUNTIME) == 0)
		return (uintptr_t)g->call;
	return (uintptr_t)g->task->body + 1;
}

static void on_mutex_acquired(OMP_COLLECTORAPI_EVENT event UNUSED)
{
	struct omp_thread *t = collector_thread(gomp()->worker);
	const struct gomp_thread *g = gomp();

	/* A nested lock is reported each time that it is set. */
	if (t && g->mutex_kind == GOMP_MUTEX_NEST_LOCK)
		entries_enter(t, PROF_CONSTRUCT_LOCK, call_of(g), g->object);
	else if (t && mutex_of(g->mutex_kind) != 0)
		entries_acquire(t, mutex_of(g->mutex_kind), call_of(g), g->object);
}

static void on_mutex_released(OMP_COLLECTORAPI_EVENT event UNUSED)
{
	struct omp_thread *t = calling_thread_known();
	const struct gomp_thread *g = gomp();

	if (!t || !t->record || *process.alive == 0)
		return;
	if (g->mutex_kind == GOMP_MUTEX_NEST_LOCK)
		entries_leave(t, PROF_CONSTRUCT_LOCK, g->object);
	else
		entries_release(t, g->object);
}

static void enter_or_leave(enum prof_construct_kind kind, bool enter)
{
	struct omp_thread *t = collector_thread(gomp()->worker);
	const struct gomp_thread *g = gomp();
	const uint64_t key = g->task ? gomp_token_of(g->task) & ~(uint64_t)TOKEN_TASK_BEGUN : 0;

	if (t && enter)
		entries_enter(t, kind, call_of(g), key);
	else if (t)
		entries_leave(t, kind, key);
}

/* The events by which a construct is entered, or left. */
static const struct {
	int event;
	uint8_t kind; /* enum prof_construct_kind */
	bool enter, waits;
} constructs[] = {
	{ OMP_EVENT_THR_BEGIN_EBAR, PROF_CONSTRUCT_BARRIER, true, true },
	{ OMP_EVENT_THR_END_EBAR, PROF_CONSTRUCT_BARRIER, false, true },
	{ GOMP_EVENT_TASKWAIT_BEGIN, PROF_CONSTRUCT_TASKWAIT, true, true },
	{ GOMP_EVENT_TASKWAIT_END, PROF_CONSTRUCT_TASKWAIT, false, true },
	{ GOMP_EVENT_TASKGROUP_BEGIN, PROF_CONSTRUCT_TASKGROUP, true, false },
	{ GOMP_EVENT_TASKGROUP_END, PROF_CONSTRUCT_TASKGROUP, false, false },
};

static void on_construct(OMP_COLLECTORAPI_EVENT event)
{
	size_t i = 0;

	while (constructs[i].event != (int)event)
		i++;
	/* The wait at a taskgroup's end is reported as one for tasks, too. */
	if (constructs[i].kind != PROF_CONSTRUCT_TASKWAIT || gomp()->state != GOMP_STATE_TASKGROUP)
		enter_or_leave((enum prof_construct_kind)constructs[i].kind, constructs[i].enter);
	if (counts && constructs[i].waits)
		gomp_wait(constructs[i].enter);
}

static const struct gomp_registration for_entries[] = {
	{ GOMP_EVENT_MUTEX_ACQUIRED, on_mutex_acquired },
	{ GOMP_EVENT_MUTEX_RELEASED, on_mutex_released },
	{ OMP_EVENT_THR_BEGIN_EBAR, on_construct },
	{ OMP_EVENT_THR_END_EBAR, on_construct },
	{ GOMP_EVENT_TASKWAIT_BEGIN, on_construct },
	{ GOMP_EVENT_TASKWAIT_END, on_construct },
	{ GOMP_EVENT_TASKGROUP_BEGIN, on_construct },
	{ GOMP_EVENT_TASKGROUP_END, on_construct },
};

const struct gomp_registration *gomp_entries(struct gomp_thread *(*thread)(void), size_t *n)
{
	gomp = thread;
	counts = counting_on();
	*n = sizeof(for_entries) / sizeof(*for_entries);
	return for_entries;
}

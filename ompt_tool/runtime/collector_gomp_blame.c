/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/runtime/collector_gomp.h"

#include <stddef.h>

#include "ompt_tool/collector/gomp_thread.h"
#include "ompt_tool/omp/blame.h"
#include "ompt_tool/omp/omp_thread.h"
#include "ompt_tool/runtime/calling_thread.h"

/* Owned by this file; set before any event. */
static struct gomp_thread *(*gomp)(void);

/* ---- mutexes ---------------------------------------------------------- */

static uint8_t state_of_mutex(uint8_t kind)
{
	static const uint8_t states[] = {
		[GOMP_MUTEX_LOCK] = PROF_STATE_LOCK,
		[GOMP_MUTEX_NEST_LOCK] = PROF_STATE_LOCK,
		[GOMP_MUTEX_CRITICAL] = PROF_STATE_CRITICAL,
		[GOMP_MUTEX_ATOMIC] = PROF_STATE_ATOMIC,
		[GOMP_MUTEX_ORDERED] = PROF_STATE_ORDERED,
	};

	return kind < sizeof(states) && states[kind] != 0 ? states[kind] : PROF_STATE_MUTEX;
}

/* ---- life ------------------------------------------------------------- */

/* state: of a wait that begins or ends; 0: another event. below: the callback whose place ours
   takes, or NULL. */
static struct {
	int event;
	uint8_t state;
	bool begins;
	collector_callback *below;
} events[] = {
	{ .event = OMP_EVENT_FORK },
	{ .event = OMP_EVENT_JOIN },
	{ .event = GOMP_EVENT_IMPLICIT_BEGIN },
	{ .event = GOMP_EVENT_IMPLICIT_END },
	{ .event = GOMP_EVENT_TASK_BEGIN },
	{ .event = GOMP_EVENT_TASK_END },
	{ OMP_EVENT_THR_BEGIN_IBAR, .state = PROF_STATE_BARRIER, .begins = true },
	{ OMP_EVENT_THR_END_IBAR, .state = PROF_STATE_BARRIER },
	{ OMP_EVENT_THR_BEGIN_EBAR, .state = PROF_STATE_BARRIER, .begins = true },
	{ OMP_EVENT_THR_END_EBAR, .state = PROF_STATE_BARRIER },
	/* For an ordered region's turn, or for an iteration (doacross). */
	{ OMP_EVENT_THR_BEGIN_ODWT, .state = PROF_STATE_ORDERED, .begins = true },
	{ OMP_EVENT_THR_END_ODWT, .state = PROF_STATE_ORDERED },
	{ GOMP_EVENT_TASKWAIT_BEGIN, .state = PROF_STATE_TASKWAIT, .begins = true },
	{ GOMP_EVENT_TASKWAIT_END, .state = PROF_STATE_TASKWAIT },
	{ .event = GOMP_EVENT_MUTEX_ACQUIRE },
	{ .event = GOMP_EVENT_MUTEX_ACQUIRED },
	{ .event = GOMP_EVENT_MUTEX_RELEASED },
};

/* The wait at a taskgroup's end is reported as one for tasks, too. */
static void on_wait(struct omp_thread *t, uint8_t state, bool begins)
{
	const struct gomp_thread *g = gomp();

	if (state == PROF_STATE_TASKWAIT && g->state == GOMP_STATE_TASKGROUP)
		state = PROF_STATE_TASKGROUP;
	if (!gomp_at_end(g))
		blame_wait(t, state, begins);
}

static void on_event(OMP_COLLECTORAPI_EVENT event)
{
	size_t i = 0;

	while (events[i].event != (int)event)
		i++;
	if (events[i].below)
		events[i].below(event);
	struct omp_thread *t = *process.alive != 0 ? calling_thread_known() : NULL;

	if (!t)
		return;
	const struct gomp_thread *g = gomp();

	switch ((int)event) {
	case OMP_EVENT_FORK: blame_fork(t, g->region->data); break;
	case OMP_EVENT_JOIN:
		gomp_end_is_over();
		blame_join(t, g->region->data);
		break;
	case GOMP_EVENT_IMPLICIT_BEGIN:
		/* A worker's last wait in a region ends, for all that is reported, when the worker
		   is needed again. */
		if (g->worker && g->last_team_data != 0)
			blame_leave(t, g->last_team_data);
		blame_enter(t, g->task->team_data);
		break;
	case GOMP_EVENT_IMPLICIT_END:
		/* What follows is the wait at the region's end. */
		gomp_end_begins(g);
		blame_wait(t, PROF_STATE_BARRIER, true);
		break;
	case GOMP_EVENT_TASK_BEGIN: blame_switch(t, g->task->data, true); break;
	case GOMP_EVENT_TASK_END: blame_switch(t, gomp_token_below(g), false); break;
	case GOMP_EVENT_MUTEX_ACQUIRE:
		blame_acquire(t, state_of_mutex(g->mutex_kind), g->object);
		break;
	case GOMP_EVENT_MUTEX_ACQUIRED:
		/* A nested lock is reported each time that it is set. */
		if (g->mutex_kind != GOMP_MUTEX_NEST_LOCK || !blame_acquired_again(t, g->object))
			blame_acquired(t, state_of_mutex(g->mutex_kind), g->object, g->object);
		break;
	case GOMP_EVENT_MUTEX_RELEASED: blame_released(t, g->object); break;
	default: on_wait(t, events[i].state, events[i].begins);
	}
}

void gomp_blame_below(int event, collector_callback *callback)
{
	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++)
		if (events[i].event == event)
			events[i].below = callback;
}

void gomp_blame_register(collector_api *api, struct gomp_thread *(*thread)(void))
{
	gomp = thread;
	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++)
		collector_register(api, events[i].event, on_event);
}

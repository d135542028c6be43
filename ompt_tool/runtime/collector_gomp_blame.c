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

static struct omp_thread *known(void)
{
	return *process.alive != 0 ? calling_thread_known() : NULL;
}

/* ---- regions and tasks ------------------------------------------------ */

static void on_fork(struct omp_thread *t)
{
	blame_fork(t, gomp()->region->data);
}

static void on_join(struct omp_thread *t)
{
	gomp_end_is_over();
	blame_join(t, gomp()->region->data);
}

/* A worker's last wait in a region ends, for all that is reported, when the worker is needed
   again. */
static void on_implicit_begin(struct omp_thread *t)
{
	const struct gomp_thread *g = gomp();

	if (g->worker && g->last_team_data != 0)
		blame_leave(t, g->last_team_data);
	blame_enter(t, g->task->team_data);
}

/* What follows is the wait at the region's end. */
static void on_implicit_end(struct omp_thread *t)
{
	gomp_end_begins(gomp());
	blame_wait(t, PROF_STATE_BARRIER, true);
}

static void on_task_begin(struct omp_thread *t)
{
	blame_switch(t, gomp()->task->data, true);
}

static void on_task_end(struct omp_thread *t)
{
	blame_switch(t, gomp_token_below(gomp()), false);
}

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

static void on_mutex_acquire(struct omp_thread *t)
{
	blame_acquire(t, state_of_mutex(gomp()->mutex_kind), gomp()->object);
}

static void on_mutex_acquired(struct omp_thread *t)
{
	const struct gomp_thread *g = gomp();

	/* A nested lock is reported each time that it is set. */
	if (g->mutex_kind != GOMP_MUTEX_NEST_LOCK || !blame_acquired_again(t, g->object))
		blame_acquired(t, state_of_mutex(g->mutex_kind), g->object, g->object);
}

static void on_mutex_released(struct omp_thread *t)
{
	blame_released(t, gomp()->object);
}

/* ---- life ------------------------------------------------------------- */

/* own: what is done, or NULL: a wait in that state begins or ends. below: the callback whose place
   ours takes, or NULL. */
static struct {
	int event;
	void (*own)(struct omp_thread *t);
	uint8_t state;
	bool begins;
	collector_callback *below;
} events[] = {
	{ OMP_EVENT_FORK, .own = on_fork },
	{ OMP_EVENT_JOIN, .own = on_join },
	{ GOMP_EVENT_IMPLICIT_BEGIN, .own = on_implicit_begin },
	{ GOMP_EVENT_IMPLICIT_END, .own = on_implicit_end },
	{ GOMP_EVENT_TASK_BEGIN, .own = on_task_begin },
	{ GOMP_EVENT_TASK_END, .own = on_task_end },
	{ OMP_EVENT_THR_BEGIN_IBAR, .state = PROF_STATE_BARRIER, .begins = true },
	{ OMP_EVENT_THR_END_IBAR, .state = PROF_STATE_BARRIER },
	{ OMP_EVENT_THR_BEGIN_EBAR, .state = PROF_STATE_BARRIER, .begins = true },
	{ OMP_EVENT_THR_END_EBAR, .state = PROF_STATE_BARRIER },
	/* For an ordered region's turn, or for an iteration (doacross). */
	{ OMP_EVENT_THR_BEGIN_ODWT, .state = PROF_STATE_ORDERED, .begins = true },
	{ OMP_EVENT_THR_END_ODWT, .state = PROF_STATE_ORDERED },
	{ GOMP_EVENT_TASKWAIT_BEGIN, .state = PROF_STATE_TASKWAIT, .begins = true },
	{ GOMP_EVENT_TASKWAIT_END, .state = PROF_STATE_TASKWAIT },
	{ GOMP_EVENT_MUTEX_ACQUIRE, .own = on_mutex_acquire },
	{ GOMP_EVENT_MUTEX_ACQUIRED, .own = on_mutex_acquired },
	{ GOMP_EVENT_MUTEX_RELEASED, .own = on_mutex_released },
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
	struct omp_thread *t = known();

	if (t && events[i].own)
		events[i].own(t);
	else if (t)
		on_wait(t, events[i].state, events[i].begins);
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

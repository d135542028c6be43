/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collector_gomp.h - the part of the Collector API's adapter for libgomp, by way of
 * libomphwc-gomp.so: tasks, frames and work shares, which the API does not report
 * (ompt_tool/collector/gomp_thread.h).
 */
#ifndef OMPHWC_OMPT_TOOL_RUNTIME_COLLECTOR_GOMP_H
#define OMPHWC_OMPT_TOOL_RUNTIME_COLLECTOR_GOMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ompt_tool/collector/gomp_thread.h"
#include "ompt_tool/collector/omp_collector_api.h"
#include "ompt_tool/runtime/calling_thread.h"
#include "src/profile/format.h"

struct collector_entries;
struct gomp_thread;
struct omp_thread;
struct runtime;

/* collector_request.c: requests to a runtime with the Collector API. */

typedef int collector_api(void *requests);
typedef void collector_callback(OMP_COLLECTORAPI_EVENT event);

/* Each makes one request and returns its error code (OMP_COLLECTORAPI_EC); OMP_ERRCODE_ERROR
   where the runtime did not read the request. */
int collector_request(collector_api *api, OMP_COLLECTORAPI_REQUEST what);
int collector_register(collector_api *api, int event, collector_callback *callback);

/* The region that the calling thread is in, and the one around it; 0: none, or not known.
   Not async-signal-safe. */
void collector_regions(collector_api *api, uint64_t *current, uint64_t *parent);

/* The calling thread's state (0: not known), what it waits for, and its region, by one call
   of the runtime. Async-signal-safe. */
int collector_state(collector_api *api, uint64_t *wait_id, uint64_t *region);

/* Whether libomphwc-gomp.so has the interface that this library was built for. If not, a note says
   so, and the program is profiled without it: libgomp's regions are inferred by the reader. */
bool collector_gomp_fits(const struct collector_entries *entries);

/* Registers the events, in a session that has begun. */
void collector_gomp_start(const struct collector_entries *entries);

/* A callback and its event. */
struct gomp_registration {
	int event;
	collector_callback *callback;
};

/* Where events are counted: the calling thread's wait begins or ends. */
void gomp_wait(bool begins);

/* ---- collector.c's, for both parts ------------------------------------ */

/* A state of the API as the profile has it; PROF_STATE_UNDEFINED for any other number. */
uint8_t collector_state_of(int state);

/* Whether the API's wait_id is the address of the program's variable in this state. */
bool collector_waits_for_object(uint8_t state);

/* The slow path of collector_thread(). */
struct omp_thread *collector_thread_begins(bool worker);

/* calling_thread() for a thread that the runtime made, or another. */
static inline struct omp_thread *collector_thread(bool worker)
{
	struct omp_thread *t = calling_thread_known();

	return calling_thread_is_ready(t) ? t : collector_thread_begins(worker);
}

/* An event: the program uses this runtime, whose producer's entry point is `by'. */
void collector_begins(const struct runtime *runtime, collector_api *by, const char *text);

/*
 * collector_gomp_end.c: whether a thread of libgomp's is at the end of a region: it has left the
 * region's body as its master, and not yet the region.
 *
 * What it waits for until JOIN is that region's end, but for the waits of tasks that it runs there.
 * All concerns the calling thread, in callbacks.
 */

/* at_end: the thread is at the end of a region that it is master of. around: the task that
   encountered that, or NULL; innermost while the thread runs no task there. Owned by
   collector_gomp.c. */
struct gomp_end {
	bool at_end;
	const struct gomp_task *around;
};
extern __thread struct gomp_end gomp_end
	__attribute__((visibility("hidden"), tls_model("initial-exec")));

/* The events IMPLICIT_END and JOIN. */
static inline void gomp_end_begins(const struct gomp_thread *g)
{
	gomp_end.at_end = g->task->number == 0;
	gomp_end.around = g->task->below;
}

static inline void gomp_end_is_over(void)
{
	gomp_end.at_end = false;
}

/* Whether it waits for the others at the region's end. */
static inline bool gomp_at_end(const struct gomp_thread *g)
{
	return gomp_end.at_end && g->task == gomp_end.around;
}

/* A task's token. Below a task without one (a team of a host's teams construct, a region that was
   forked in a pause) the frames are walked on. */
static inline uint64_t gomp_token_of(const struct gomp_task *task)
{
	return task->kind == GOMP_TASK_IMPLICIT ? task->team_data : task->data;
}

/* The token of the task that goes on when the innermost one ends, or 0. */
static inline uint64_t gomp_token_below(const struct gomp_thread *g)
{
	const struct gomp_task *below = g->task->below;

	return !below || (gomp_end.at_end && below == gomp_end.around) ? g->last_team_data :
									 gomp_token_of(below);
}

/* collector_gomp_entries.c: libgomp's events for entries.h. */

/* The n callbacks, to be registered after collector_gomp.c's: they take the place of those of
   the same events. */
const struct gomp_registration *gomp_entries(struct gomp_thread *(*gomp)(void), size_t *n);

/*
 * collector_gomp_blame.c: libgomp's events for blame.h.
 *
 * These callbacks take the place of those that are registered for the same events, and call these.
 */

/* Notes that callback is to be registered for the event, before gomp_blame_register(). */
void gomp_blame_below(int event, collector_callback *callback);

/* Registers the callbacks, after all others. */
void gomp_blame_register(collector_api *api, struct gomp_thread *(*gomp)(void));

#endif

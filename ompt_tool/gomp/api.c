/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * api.c - the Collector API: __omp_collector_api(), the session and its callbacks.
 *
 * All of it is stored in single words, without locks: a fork's child never finds a lock
 * held, and requests in signal handlers need none. Requests of several threads at a time
 * are the collector's to order.
 */
#include "config.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "ompt_tool/gomp/copies.h"
#include "ompt_tool/gomp/gomp_events.h"

#define EXPORT __attribute__((visibility("default")))

/* Owned by this file; gomp_events.h. */
volatile bool events_session;
events_callback *volatile events_registered[EVENTS];
/* The same also while events are paused. */
static events_callback *volatile kept[EVENTS];
static volatile bool paused;

/* ---- events ----------------------------------------------------------------------------- */

__attribute__((noinline)) void events_report(struct self *s, const void *call, int which,
					     events_callback *callback)
{
	const int saved = errno;

	if (s->reporting)
		return;
	s->reporting = true;
	s->t.call = call;
	callback((OMP_COLLECTORAPI_EVENT)which);
	s->reporting = false;
	errno = saved;
}

/* callback: NULL for none. */
static void set(int index, events_callback *callback)
{
	kept[index] = callback;
	events_registered[index] = paused ? NULL : callback;
}

static void set_none(void)
{
	for (int i = 0; i < EVENTS; i++)
		set(i, NULL);
}

/* ---- requests --------------------------------------------------------------------------- */

/* An entry of the list. What is in mem is copied, never referred to: mem may be aligned to
   4 bytes only. */
struct request {
	int sz, number, ec, rsz;
	char mem[];
};

static size_t room(const struct request *r)
{
	return (size_t)r->sz - offsetof(struct request, mem);
}

static bool is_aligned(const struct request *r, size_t to)
{
	return (uintptr_t)r->mem % to == 0;
}

/* Where the second member of a structure { int; void * } is in mem: without padding if mem
   has just room for that. 0: mem is too small. */
static size_t second_at(const struct request *r)
{
	struct padded {
		int first;
		void *second;
	};

	if (room(r) >= sizeof(struct padded))
		return offsetof(struct padded, second);
	return room(r) == sizeof(int) + sizeof(void *) ? sizeof(int) : 0;
}

enum { PAIR_BYTES = 16 };

static int too_small(struct request *r, int needed)
{
	r->rsz = needed;
	return OMP_ERRCODE_MEM_TOO_SMALL;
}

static int answer(struct request *r, uint64_t value)
{
	if (room(r) < sizeof(value))
		return too_small(r, sizeof(value));
	if (!is_aligned(r, sizeof(value)))
		return OMP_ERRCODE_ERROR;
	memcpy(r->mem, &value, sizeof(value));
	r->rsz = sizeof(value);
	return OMP_ERRCODE_OK;
}

static int start(struct request *r)
{
	int number;

	(void)r;
	/* Nor in a region that began without a session. */
	if (events_session || (self()->t.state == 0 && copies_in_team(&number)))
		return OMP_ERRCODE_SEQUENCE_ERR;
	/* LLVM's runtime under libgomp's name, or a libgomp with a tools interface. */
	if (copies_global_is_foreign())
		return OMP_ERRCODE_UNSUPPORTED;
	paused = false;
	set_none();
	atomic_thread_fence(memory_order_seq_cst);
	events_session = true;
	return OMP_ERRCODE_OK;
}

static int stop(struct request *r)
{
	(void)r;
	events_session = false;
	set_none();
	atomic_thread_fence(memory_order_seq_cst);
	return OMP_ERRCODE_OK;
}

static int do_register(struct request *r)
{
	const size_t at = second_at(r);
	events_callback *callback;
	int which;

	if (at == 0)
		return too_small(r, PAIR_BYTES);
	if (!is_aligned(r, at))
		return OMP_ERRCODE_ERROR;
	memcpy(&which, r->mem, sizeof(which));
	memcpy(&callback, r->mem + at, sizeof(callback));
	if (events_index(which) < 0)
		return OMP_ERRCODE_UNKNOWN;
	/* Of these libgomp's entry points say nothing: compiled code begins and ends them. */
	if (which == OMP_EVENT_THR_BEGIN_MASTER || which == OMP_EVENT_THR_END_MASTER ||
	    which == OMP_EVENT_THR_END_SINGLE)
		return OMP_ERRCODE_UNSUPPORTED;
	if (!callback)
		return OMP_ERRCODE_ERROR;
	set(events_index(which), callback);
	return OMP_ERRCODE_OK;
}

static int unregister(struct request *r)
{
	int which;

	if (room(r) < sizeof(which))
		return too_small(r, sizeof(which));
	memcpy(&which, r->mem, sizeof(which));
	if (events_index(which) < 0)
		return OMP_ERRCODE_UNKNOWN;
	set(events_index(which), NULL);
	return OMP_ERRCODE_OK;
}

/* ---- the interface ---------------------------------------------------------------------- */

EXPORT int omphwc_gomp_interface(void)
{
	return GOMP_INTERFACE;
}

/* ---- what a thread is in ---------------------------------------------------------------- */

EXPORT struct gomp_thread *omphwc_gomp_thread(void)
{
	return &self()->t;
}

EXPORT int omphwc_gomp_state(uint64_t *wait_id)
{
	struct self *s = self();
	const int state = s->t.state;
	int number;

	*wait_id = 0;
	switch (state) {
	case 0:
		/* No event was about the thread. A master's team is one that lives; a worker's may
		   be over, and mostly is: regions that run when a session begins are few. */
		if (!copies_in_team(&number))
			return THR_SERIAL_STATE;
		return number == 0 ? THR_WORK_STATE : THR_IDLE_STATE;
	case GOMP_STATE_AFTER:
		if (!after_is_at_end(&s->after))
			return THR_IDLE_STATE;
		*wait_id = s->after.region_id;
		return THR_IBAR_STATE;
	case THR_OVHD_STATE:
	case THR_WORK_STATE:
	case THR_SERIAL_STATE:
	case GOMP_STATE_TASKWAIT:
	case GOMP_STATE_TASKGROUP:
	case GOMP_STATE_DEPEND: return state;
	default: *wait_id = s->t.wait_id; return state;
	}
}

static int give_state(struct request *r)
{
	uint64_t wait_id;
	const int own = omphwc_gomp_state(&wait_id);
	const int state = own == GOMP_STATE_DOACROSS ? THR_ODWT_STATE :
			  own < THR_LAST_STATE	     ? own :
						       THR_OVHD_STATE;
	const size_t at = second_at(r);

	if (room(r) < sizeof(state) || (at == 0 && wait_id != 0))
		return too_small(r, PAIR_BYTES);
	if (!is_aligned(r, at != 0 ? at : sizeof(state)))
		return OMP_ERRCODE_ERROR;
	memcpy(r->mem, &state, sizeof(state));
	if (at != 0)
		memcpy(r->mem + at, &wait_id, sizeof(wait_id));
	r->rsz = at != 0 ? (int)(at + sizeof(wait_id)) : (int)sizeof(state);
	return OMP_ERRCODE_OK;
}

static int give_current(struct request *r)
{
	const struct self *s = self();

	if (s->t.state == GOMP_STATE_AFTER)
		return answer(r, after_is_at_end(&s->after) ? s->after.region_id : 0);
	return answer(r, s->prid);
}

static int give_parent(struct request *r)
{
	const struct self *s = self();
	const struct self_task *k = (const struct self_task *)s->t.task;

	if (s->forking)
		return answer(r, s->parent_prid);
	if (s->prid == 0 || !k || k->task.number != 0)
		return OMP_ERRCODE_THREAD_ERR;
	return answer(r, k->parent_id);
}

static int pause_or_resume(struct request *r)
{
	paused = r->number == OMP_REQ_PAUSE;
	for (int i = 0; i < EVENTS; i++)
		set(i, kept[i]);
	return OMP_ERRCODE_OK;
}

static int (*const requests[])(struct request *) = {
	[OMP_REQ_START] = start,
	[OMP_REQ_REGISTER] = do_register,
	[OMP_REQ_UNREGISTER] = unregister,
	[OMP_REQ_STATE] = give_state,
	[OMP_REQ_CURRENT_PRID] = give_current,
	[OMP_REQ_PARENT_PRID] = give_parent,
	[OMP_REQ_STOP] = stop,
	[OMP_REQ_PAUSE] = pause_or_resume,
	[OMP_REQ_RESUME] = pause_or_resume,
};

EXPORT int omphwc_gomp_collector_api(void *list) __attribute__((alias(OMP_COLLECTOR_API)));

EXPORT int __omp_collector_api(void *list)
{
	if (!list || (uintptr_t)list % sizeof(int) != 0)
		return -1;
	for (struct request *r = list; r->sz != 0; r = (struct request *)((char *)r + r->sz)) {
		if (r->sz < (int)sizeof(*r) || r->sz % (int)sizeof(int) != 0)
			return -1;
		r->rsz = 0;
		if (r->number < 0 || r->number >= OMP_REQ_LAST)
			r->ec = OMP_ERRCODE_UNKNOWN;
		else if (!events_session && r->number != OMP_REQ_START)
			r->ec = OMP_ERRCODE_SEQUENCE_ERR;
		else
			r->ec = requests[r->number](r);
	}
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * testomp_api.c - libtestomp's side of the Collector API.
 *
 * STATE and CURRENT_PRID read the calling thread's own words; all else is done under a lock.
 * Callbacks are read without it, so that an event costs two loads where nobody listens.
 */
#include "config.h"

#include <stddef.h>

#include "tests/collector/testomp.h"

enum { EVENTS = OMP_EVENT_THR_END_ATWT + 1, HEADER = 16 };

struct entry {
	int size, request, error, returned;
	char mem[];
};

struct registration {
	OMP_COLLECTORAPI_EVENT event;
	void (*callback)(OMP_COLLECTORAPI_EVENT);
};

struct state_answer {
	OMP_COLLECTOR_API_THR_STATE state;
	void *wait_id;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool started, stopped;
static atomic_int paused;
static void (*_Atomic callbacks[EVENTS])(OMP_COLLECTORAPI_EVENT);

bool session_is_on(void)
{
	return started;
}

void session_forget(void)
{
	started = false;
}

void tell(OMP_COLLECTORAPI_EVENT event)
{
	void (*callback)(OMP_COLLECTORAPI_EVENT);

	if (atomic_load(&paused) > 0 && !fault(FAULT_PAUSE_CALLS))
		return;
	if (event == OMP_EVENT_THR_END_EBAR && fault(FAULT_END_MISSING))
		return;
	callback = atomic_load(&callbacks[event]);
	if (callback)
		callback(event);
}

/* The program's code between begin and end of master and single regions is not distinguished. */
static bool is_supported(int event)
{
	switch (event) {
	case OMP_EVENT_FORK: return true;
	case OMP_EVENT_THR_BEGIN_MASTER:
	case OMP_EVENT_THR_END_MASTER:
	case OMP_EVENT_THR_END_SINGLE: return false;
	case OMP_EVENT_THR_BEGIN_SINGLE:
		return !variant_least() && !fault(FAULT_UNSUPPORTED_CALLED);
	default: return !variant_least();
	}
}

/* ---- memory of entries ------------------------------------------------ */

/* What mem lacks for `size' bytes of such an alignment. */
static int lacks(struct entry *e, size_t size, size_t alignment, bool answer)
{
	if ((size_t)e->size - HEADER < size) {
		e->returned = answer && !fault(FAULT_SMALL_UNSAID) ? (int)size : 0;
		return fault(FAULT_SMALL_WRITTEN) ? OMP_ERRCODE_OK : OMP_ERRCODE_MEM_TOO_SMALL;
	}
	if ((uintptr_t)e->mem % alignment != 0 && !fault(FAULT_MISALIGNED))
		return OMP_ERRCODE_ERROR;
	return OMP_ERRCODE_OK;
}

static int answer_id(struct entry *e, uint64_t id)
{
	int error = lacks(e, sizeof(id), _Alignof(uint64_t), true);

	if (error != OMP_ERRCODE_OK)
		return error;
	__builtin_memcpy(e->mem, &id, sizeof(id));
	e->returned = sizeof(id);
	return OMP_ERRCODE_OK;
}

/* ---- requests --------------------------------------------------------- */

static int req_start(struct entry *e)
{
	(void)e;
	if (stopped && variant_least())
		return OMP_ERRCODE_SEQUENCE_ERR;
	if (started && !fault(FAULT_START_TWICE))
		return OMP_ERRCODE_SEQUENCE_ERR;
	paused = 0;
	started = true;
	return OMP_ERRCODE_OK;
}

static int req_stop(struct entry *e)
{
	int i;

	(void)e;
	for (i = 0; i < EVENTS && !fault(FAULT_STOP_CALLS); i++)
		callbacks[i] = NULL;
	started = false;
	stopped = true;
	return OMP_ERRCODE_OK;
}

static bool is_event(int event)
{
	return event >= OMP_EVENT_FORK && event < EVENTS;
}

static int req_register(struct entry *e)
{
	struct registration r;
	int error = lacks(e, sizeof(r), _Alignof(struct registration), false);

	if (error != OMP_ERRCODE_OK)
		return error;
	__builtin_memcpy(&r, e->mem, sizeof(r));
	if (!is_event((int)r.event))
		return fault(FAULT_UNKNOWN_EVENT) ? OMP_ERRCODE_OK : OMP_ERRCODE_UNKNOWN;
	if (paused > 0 && fault(FAULT_PAUSE_FORGETS))
		return OMP_ERRCODE_OK;
	if (callbacks[r.event] && fault(FAULT_FIRST_STAYS))
		return OMP_ERRCODE_OK;
	if (is_supported((int)r.event) || fault(FAULT_UNSUPPORTED_CALLED))
		callbacks[r.event] = r.callback;
	return is_supported((int)r.event) ? OMP_ERRCODE_OK : OMP_ERRCODE_UNSUPPORTED;
}

static int req_unregister(struct entry *e)
{
	int event, error = lacks(e, sizeof(event), _Alignof(int), false);

	if (error != OMP_ERRCODE_OK)
		return error;
	__builtin_memcpy(&event, e->mem, sizeof(event));
	if (!is_event(event))
		return OMP_ERRCODE_UNKNOWN;
	if (!fault(FAULT_UNREGISTER))
		callbacks[event] = NULL;
	return OMP_ERRCODE_OK;
}

static int req_pause(struct entry *e)
{
	(void)e;
	paused = fault(FAULT_PAUSE_COUNTS) ? paused + 1 : 1;
	return OMP_ERRCODE_OK;
}

static int req_resume(struct entry *e)
{
	(void)e;
	paused = fault(FAULT_PAUSE_COUNTS) ? paused - 1 : 0;
	return OMP_ERRCODE_OK;
}

static int req_parent(struct entry *e)
{
	const struct member *at = self.at;

	if (variant_least())
		return OMP_ERRCODE_UNSUPPORTED;
	if (!at && fault(FAULT_PARENT_ANYWHERE))
		return answer_id(e, 0);
	if (!at || (at->number != 0 && !fault(FAULT_PARENT_ANYWHERE)))
		return OMP_ERRCODE_THREAD_ERR;
	if (fault(FAULT_PARENT_SELF))
		return answer_id(e, at->team->id);
	return answer_id(e, at->outer ? at->outer->team->id : 0);
}

/* Async-signal-safe. */
static int req_state(struct entry *e)
{
	struct state_answer a;
	int error = lacks(e, sizeof(a), _Alignof(struct state_answer), true);

	if (error != OMP_ERRCODE_OK)
		return error;
	__builtin_memset(&a, 0, sizeof(a));
	a.state = self.state		    ? (OMP_COLLECTOR_API_THR_STATE)self.state :
		  fault(FAULT_SERIAL_WORKS) ? THR_WORK_STATE :
					      THR_SERIAL_STATE;
	if (!fault(FAULT_NO_WAIT_ID))
		a.wait_id = (void *)(uintptr_t)self.wait_id;
	__builtin_memcpy(e->mem, &a, sizeof(a));
	e->returned = sizeof(a);
	return OMP_ERRCODE_OK;
}

/* Async-signal-safe. */
static int req_current(struct entry *e)
{
	const struct member *at = self.at;
	uint64_t id = at ? at->team->id : 0;
	int error;

	if (fault(FAULT_LOCKED_REQUEST))
		pthread_mutex_lock(&lock);
	error = answer_id(e, id);
	if (fault(FAULT_LOCKED_REQUEST))
		pthread_mutex_unlock(&lock);
	return error;
}

static const struct request {
	int (*answer)(struct entry *);
	bool unlocked;
} requests[] = {
	[OMP_REQ_START] = { req_start, false },
	[OMP_REQ_REGISTER] = { req_register, false },
	[OMP_REQ_UNREGISTER] = { req_unregister, false },
	[OMP_REQ_STATE] = { req_state, true },
	[OMP_REQ_CURRENT_PRID] = { req_current, true },
	[OMP_REQ_PARENT_PRID] = { req_parent, true },
	[OMP_REQ_STOP] = { req_stop, false },
	[OMP_REQ_PAUSE] = { req_pause, false },
	[OMP_REQ_RESUME] = { req_resume, false },
};

static bool is_out_of_turn(const struct entry *e)
{
	if (started || e->request == OMP_REQ_START)
		return false;
	return !fault(stopped ? FAULT_STOP_ANSWERS : FAULT_EARLY);
}

static int serve(struct entry *e)
{
	const struct request *r;
	int error;

	e->returned = 0;
	if (e->request < 0 || e->request >= OMP_REQ_LAST)
		return fault(FAULT_UNKNOWN_REQUEST) ? OMP_ERRCODE_ERROR : OMP_ERRCODE_UNKNOWN;
	if (is_out_of_turn(e))
		return OMP_ERRCODE_SEQUENCE_ERR;
	r = &requests[e->request];
	if (r->unlocked)
		return r->answer(e);
	pthread_mutex_lock(&lock);
	error = r->answer(e);
	pthread_mutex_unlock(&lock);
	return error;
}

TESTOMP_API int __omp_collector_api(void *list)
{
	struct entry *e = list;

	for (;; e = (struct entry *)((char *)e + e->size)) {
		if ((uintptr_t)e % _Alignof(int) != 0)
			return -1;
		if (e->size == 0)
			return 0;
		if (e->size < HEADER || e->size % 4 != 0)
			return fault(FAULT_BAD_SIZE) ? 0 : -1;
		e->error = serve(e);
		if (e->error != OMP_ERRCODE_OK && fault(FAULT_BATCH_STOPS))
			return 0;
	}
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The runtime's region IDs lead to tokens through a table that the handler reads without a
 * lock. A thread remembers the regions that it has forked: a runtime need not report JOIN, and
 * then a region is over when its thread forks another one that is not inside of it.
 */
#include "config.h"

#include "ompt_tool/runtime/collector.h"

#include <stdatomic.h>
#include <stddef.h>

#include "ompt_tool/count/counting.h"
#include "ompt_tool/omp/blame.h"
#include "ompt_tool/omp/created.h"
#include "ompt_tool/omp/runtime.h"
#include "ompt_tool/runtime/calling_thread.h"
#include "ompt_tool/runtime/collector_gomp.h"
#include "ompt_tool/runtime/runtime_host.h"

enum {
	LIVE = 4096, /* live regions that the table holds; a power of two */
	PROBES = 16,
};

/* An entry that is being written has this ID, which no runtime gives. */
#define BEING_WRITTEN UINT64_MAX

/* Owned by this file. */
static collector_api *api; /* the runtime's own; NULL: no session */
static collector_api *sessions[2];
static int nsessions;
static struct collector_entries producers;
static struct {
	_Atomic uint64_t id, token;
} live[LIVE];

/* ---- region IDs ------------------------------------------------------- */

static uint32_t place_of(uint64_t id)
{
	return (uint32_t)(id * UINT64_C(0x9e3779b97f4a7c15) >> 40);
}

/* False where the table has no room: then the region is not known. */
static bool live_add(uint64_t id, uint64_t token)
{
	for (uint32_t i = place_of(id), end = i + PROBES; i != end; i++) {
		uint64_t was = atomic_load(&live[i % LIVE].id);

		if (was == BEING_WRITTEN ||
		    (was != 0 && !token_is_over(atomic_load(&live[i % LIVE].token))) ||
		    !atomic_compare_exchange_strong(&live[i % LIVE].id, &was, BEING_WRITTEN))
			continue;
		atomic_store(&live[i % LIVE].token, token);
		atomic_store(&live[i % LIVE].id, id);
		return true;
	}
	return false;
}

/* The token of a region; 0: not known. Async-signal-safe. */
static uint64_t live_find(uint64_t id)
{
	if (id == 0)
		return 0;
	for (uint32_t i = place_of(id), end = i + PROBES; i != end; i++) {
		if (atomic_load(&live[i % LIVE].id) != id)
			continue;
		const uint64_t token = atomic_load(&live[i % LIVE].token);

		/* The entry may have become another region's meanwhile. */
		return atomic_load(&live[i % LIVE].id) == id ? token : 0;
	}
	return 0;
}

/* ---- the query -------------------------------------------------------- */

static const uint8_t states[] = {
	[THR_OVHD_STATE] = PROF_STATE_OVERHEAD,
	[THR_WORK_STATE] = PROF_STATE_PARALLEL,
	[THR_IBAR_STATE] = PROF_STATE_BARRIER_IMPLICIT,
	[THR_EBAR_STATE] = PROF_STATE_BARRIER_EXPLICIT,
	[THR_IDLE_STATE] = PROF_STATE_IDLE,
	[THR_SERIAL_STATE] = PROF_STATE_SERIAL,
	[THR_REDUC_STATE] = PROF_STATE_REDUCTION,
	[THR_LKWT_STATE] = PROF_STATE_LOCK,
	[THR_CTWT_STATE] = PROF_STATE_CRITICAL,
	[THR_ODWT_STATE] = PROF_STATE_ORDERED,
	[THR_ATWT_STATE] = PROF_STATE_ATOMIC,
};

uint8_t collector_state_of(int state)
{
	if (state <= 0 || (size_t)state >= sizeof(states) || states[state] == 0)
		return PROF_STATE_UNDEFINED;
	return states[state];
}

bool collector_waits_for_object(uint8_t state)
{
	return state >= PROF_STATE_MUTEX && state <= PROF_STATE_ATOMIC;
}

/* A thread that is in a region, or idle, and never forked is a worker. */
static void query_collector(struct runtime_view *v)
{
	uint64_t wait_id, region;
	const int state = collector_state(api, &wait_id, &region);

	v->state = collector_state_of(state);
	if (collector_waits_for_object(v->state))
		v->wait_id = wait_id;
	v->known = region != 0 || state == THR_IDLE_STATE;
	v->worker = true;
	v->token = v->team = live_find(region);
	v->inside_runtime = true;
}

static const struct runtime any_producer = {
	.name = "Collector API",
	.query = query_collector,
	.any_thread = true,
};

/* ---- regions ---------------------------------------------------------- */

struct omp_thread *collector_thread_begins(bool worker)
{
	/* Threads of the program's own are initial, too, when they use OpenMP. */
	return calling_thread(worker ? PROF_THREAD_WORKER : PROF_THREAD_INITIAL);
}

void collector_begins(const struct runtime *runtime, collector_api *by, const char *text)
{
	if (!runtime_is_known(runtime))
		runtime_host.begins(runtime, text, (const void *)(uintptr_t)by);
}

static struct region_fork *forks_of(struct region_forks *f)
{
	return f->room.more ? f->room.more : f->inside;
}

/* Where the next one goes, or NULL. */
static struct region_fork *fork_room(struct region_forks *f)
{
	struct region_fork *at = forks_of(f);

	if (f->n == (f->room.more ? f->room.n : REGION_POOL) &&
	    !begun_deepen(&f->room, at, f->n, sizeof(*at)))
		return NULL;
	return &forks_of(f)[f->n];
}

static void fork_over(struct omp_thread *t)
{
	const uint64_t token = forks_of(&t->forks)[--t->forks.n].token;

	region_over(token);
	if (t->counting)
		counting_leave(t, token);
}

static void on_fork(OMP_COLLECTORAPI_EVENT event UNUSED)
{
	struct encounter e = { .kind = PROF_BOUNDARY_REGION, .inside_runtime = true };
	struct omp_thread *t = collector_thread(false);
	uint64_t id, parent;

	if (!t)
		return;
	collector_begins(&any_producer, api, "a runtime with the Collector API");
	collector_regions(api, &id, &parent);
	while (t->forks.n != 0 && forks_of(&t->forks)[t->forks.n - 1].id != parent)
		fork_over(t);
	struct region_fork *const fork = id != 0 ? fork_room(&t->forks) : NULL;

	if (!fork) {
		if (id != 0)
			omp_thread_lose(t, PROF_LOST_REGIONS);
		return;
	}
	e.token = live_find(parent);
	const uint64_t token = region_created(t, &e, (uintptr_t)__builtin_frame_address(0));

	if (!live_add(id, token))
		omp_thread_lose(t, PROF_LOST_REGIONS);
	*fork = (struct region_fork){ id, token };
	t->forks.n++;
	if (t->counting)
		counting_enter(t, token);
}

static void on_join(OMP_COLLECTORAPI_EVENT event UNUSED)
{
	struct omp_thread *t = calling_thread_known();

	if (t && *process.alive != 0 && t->forks.n != 0)
		fork_over(t);
}

/* ---- life ------------------------------------------------------------- */

static bool session_begins(collector_api *with)
{
	if (!with || collector_request(with, OMP_REQ_START) != OMP_ERRCODE_OK)
		return false;
	sessions[nsessions++] = with;
	return true;
}

/* Whether libomphwc-gomp.so has a session, which begins if it can. */
static bool gomp_session(void)
{
	for (int i = 0; i < nsessions; i++)
		if (sessions[i] == producers.gomp_api)
			return true;
	if (!producers.gomp_api || !collector_gomp_fits(&producers) ||
	    !session_begins(producers.gomp_api))
		return false;
	collector_gomp_start(&producers);
	return true;
}

void collector_start(const struct collector_entries *entries)
{
	producers = *entries;
	if (session_begins(entries->api)) {
		api = entries->api;
		if (collector_register(api, OMP_EVENT_FORK, on_fork) != OMP_ERRCODE_OK)
			runtime_host.note("the OpenMP runtime does not report FORK events: which "
					  "regions there are is not known");
		if (collector_register(api, OMP_EVENT_JOIN, on_join) != OMP_ERRCODE_OK)
			runtime_host.note(
				"the OpenMP runtime does not report JOIN events: how long "
				"regions take is not known");
		if (blame_wanted())
			runtime_host.note(
				"the OpenMP runtime does not report the lock and wait events that "
				"--blame and --trace need: its threads are charged with nothing");
	}
	gomp_session();
}

bool collector_instead(const void *code)
{
	return producers.gomp_serve && producers.gomp_serve(code) && gomp_session();
}

void collector_pause(bool pause)
{
	for (int i = 0; i < nsessions; i++)
		collector_request(sessions[i], pause ? OMP_REQ_PAUSE : OMP_REQ_RESUME);
}

void collector_stop(void)
{
	for (int i = 0; i < nsessions; i++)
		collector_request(sessions[i], OMP_REQ_STOP);
}

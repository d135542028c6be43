/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/runtime/ompt_parts.h"

#include <stddef.h>
#include <stdio.h>

#include "ompt_tool/omp/region.h"
#include "ompt_tool/runtime/runtime_host.h"
#include "ompt_tool/sample/thread.h"
#include "src/profile/format.h"

/* Owned by this file; set once, before any callback. */
static ompt_get_state_t get_state;
static ompt_get_task_info_t get_task_info;
static ompt_get_parallel_info_t get_parallel_info; /* NULL: the runtime has none */

/* OpenMP 5.1, section 4.4.4.28, with the states that LLVM's runtime adds (0x011 and
   0x015 divide its barriers further) and those of OpenMP 6.0. Index: the state's value. */
static const uint8_t states[] = {
	[0x000] = PROF_STATE_SERIAL,
	[0x001] = PROF_STATE_PARALLEL,
	[0x002] = PROF_STATE_REDUCTION,
	[0x003] = PROF_STATE_PARALLEL, /* a free agent's */
	[0x004] = PROF_STATE_PARALLEL, /* of an induction */
	[0x010] = PROF_STATE_BARRIER,
	[0x011] = PROF_STATE_BARRIER_IMPLICIT,
	[0x012] = PROF_STATE_BARRIER_WORKSHARE,
	[0x013] = PROF_STATE_BARRIER_IMPLICIT,
	[0x014] = PROF_STATE_BARRIER_EXPLICIT,
	[0x015] = PROF_STATE_BARRIER_IMPL,
	[0x016] = PROF_STATE_BARRIER_TEAMS,
	[0x020] = PROF_STATE_TASKWAIT,
	[0x021] = PROF_STATE_TASKGROUP,
	[0x040] = PROF_STATE_MUTEX,
	[0x041] = PROF_STATE_LOCK,
	[0x042] = PROF_STATE_CRITICAL,
	[0x043] = PROF_STATE_ATOMIC,
	[0x044] = PROF_STATE_ORDERED,
	[0x080] = PROF_STATE_TARGET,
	[0x081] = PROF_STATE_TARGET,
	[0x082] = PROF_STATE_TARGET,
	[0x100] = PROF_STATE_IDLE,
	[0x101] = PROF_STATE_OVERHEAD,
	[0x102] = PROF_STATE_UNDEFINED,
};

static uint8_t state_of(int state)
{
	if (state < 0 || (size_t)state >= sizeof(states))
		return PROF_STATE_UNDEFINED;
	/* Gaps in the table are unknown states. */
	if (states[state] == 0)
		return PROF_STATE_UNDEFINED;
	return states[state];
}

/* OpenMP 5.2, section 19.6.1.1: from ompt_state_undefined on. */
static void note_unknown_states(ompt_enumerate_states_t next)
{
	enum { UNDEFINED = 0x102, MOST = 256 };
	int state = UNDEFINED, n = 0;
	size_t used = 0;
	char names[256] = "", line[512];
	const char *name = NULL;

	while (next && n++ < MOST && next(state, &state, &name)) {
		if (state == UNDEFINED || state_of(state) != PROF_STATE_UNDEFINED)
			continue;
		used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s (0x%x)",
					 used ? ", " : "", name ? name : "?", (unsigned)state);
		if (used >= sizeof(names))
			break;
	}
	if (!used)
		return;
	snprintf(line, sizeof(line),
		 "the OpenMP runtime has states that this version of omphwc does not know (%s): "
		 "what threads do in them is shown as an unknown state",
		 names);
	runtime_host.note(line);
}

/* The size of the team, where the runtime reports the region of the current task: between two
   regions its parallel data may be those of either. */
static void query_team(struct runtime_view *v)
{
	ompt_data_t *parallel = NULL;
	int threads = 0;

	if (!get_parallel_info || get_parallel_info(0, &parallel, &threads) != 2 || !parallel ||
	    threads <= 0)
		return;
	if (parallel->value == v->team && !token_is_over(v->team))
		v->threads = (uint32_t)threads;
	else
		v->stale = true;
}

static void query_ompt(struct runtime_view *v)
{
	ompt_wait_id_t wait_id = 0;
	ompt_data_t *task = NULL, *parallel = NULL;
	ompt_frame_t *frame = NULL;
	int flags = 0, number = 0;

	v->state = state_of(get_state(&wait_id));
	/* The wait_id of other states is a leftover. */
	if (v->state >= PROF_STATE_MUTEX && v->state <= PROF_STATE_ORDERED)
		v->wait_id = wait_id;
	/* A lock's wait_id is the runtime's own object, not the lock variable. */
	if (v->state == PROF_STATE_LOCK && thread_self && thread_self->omp.lock != 0)
		v->wait_id = thread_self->omp.lock;
	if (get_task_info(0, &flags, &task, &frame, &parallel, &number) == 0)
		return;
	v->known = true;
	if (task)
		v->token = task->value;
	v->task = task;
	if (parallel)
		v->team = parallel->value;
	if (v->token == 0)
		v->token = v->team;
	/* libomp leaves that state behind after a barrier outside of regions, until the next region
	   ends. The initial task of a team of teams has a token. */
	if (v->state == PROF_STATE_PARALLEL && (flags & ompt_task_initial) != 0 && v->token == 0)
		v->state = PROF_STATE_SERIAL;
	query_team(v);
	if (frame) {
		v->exit = ompt_record_at(frame->exit_frame);
		v->enter = ompt_record_at(frame->enter_frame);
	}
}

const struct runtime ompt_runtime = { .name = "OMPT", .query = query_ompt };

bool ompt_query_task(ompt_data_t **task, ompt_frame_t **frame)
{
	ompt_data_t *parallel = NULL;
	int flags = 0, number = 0;

	*task = NULL;
	*frame = NULL;
	return get_task_info(0, &flags, task, frame, &parallel, &number) != 0;
}

bool ompt_query_init(ompt_function_lookup_t lookup)
{
	get_state = (ompt_get_state_t)lookup("ompt_get_state");
	get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
	get_parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
	note_unknown_states((ompt_enumerate_states_t)lookup("ompt_enumerate_states"));
	return get_state && get_task_info;
}

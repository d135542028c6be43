/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/gomp/jump.h"

#include "ompt_tool/gomp/copies.h"
#include "ompt_tool/gomp/gomp_events.h"

void *jump_known[JUMPS], *jump_session[JUMPS];

void jump_know(const struct libgomp *first)
{
	__atomic_store_n(&jump_known[JUMP_TASK], (void *)first->GOMP_task, __ATOMIC_RELEASE);
	__atomic_store_n(&jump_known[JUMP_DOACROSS], (void *)first->GOMP_doacross_wait,
			 __ATOMIC_RELEASE);
	__atomic_store_n(&jump_known[JUMP_DOACROSS_ULL], (void *)first->GOMP_doacross_ull_wait,
			 __ATOMIC_RELEASE);
	if (first->events)
		__atomic_store_n(&jump_session[JUMP_TASK], (void *)on_GOMP_task_address,
				 __ATOMIC_RELEASE);
}

static void *task_target(const void *call, const void *fn)
{
	const struct libgomp *copy = copies_of(fn ? fn : call);

	return events_on() && copy->events ? (void *)on_GOMP_task_address : (void *)copy->GOMP_task;
}

static void *doacross_target(const void *call, bool is_ull)
{
	const struct libgomp *copy = copies_of(call);

	if (events_on() && copy->events && on_doacross_is_known())
		return is_ull ? (void *)on_GOMP_doacross_ull_wait_address :
				(void *)on_GOMP_doacross_wait_address;
	return is_ull ? (void *)copy->GOMP_doacross_ull_wait : (void *)copy->GOMP_doacross_wait;
}

void *jump_target(int which, const void *call, const void *first)
{
	if (which == JUMP_TASK)
		return task_target(call, first);
	return doacross_target(call, which == JUMP_DOACROSS_ULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/gomp/self.h"

#include <pthread.h>
#include <stddef.h>

#include "ompt_tool/gomp/meters.h"

/* ---- tasks that were left ------------------------------------------------------------- */

/* Looks up the thread's own stack, as its creator knows it. */
static void find_stack(struct self *s)
{
	pthread_attr_t attr;
	void *base = NULL;
	size_t size = 0;

	s->stack_hi = 1; /* not again, if it can't be known */
	if (pthread_getattr_np(pthread_self(), &attr) != 0)
		return;
	if (pthread_attr_getstack(&attr, &base, &size) == 0) {
		s->stack_lo = (uintptr_t)base;
		s->stack_hi = (uintptr_t)base + size;
	}
	pthread_attr_destroy(&attr);
}

static bool is_own_stack(const struct self *s, uintptr_t frame)
{
	return frame >= s->stack_lo && frame < s->stack_hi;
}

/*
 * Coroutines have stacks at any address: a lower frame on another stack may live. Only
 * frames of the thread's own stack can be compared. Of more than SELF_KEPT tasks on top of
 * each other, also those that live are forgotten, until they return.
 */
__attribute__((noinline)) void self_drop_stale(struct self *s, uintptr_t frame)
{
	unsigned depth = s->depth < SELF_KEPT ? s->depth : SELF_KEPT;

	if (s->stack_hi == 0)
		find_stack(s);
	if (!is_own_stack(s, frame) || !is_own_stack(s, s->top_at))
		return;
	while (depth != 0 && s->kept[depth - 1].at < frame &&
	       is_own_stack(s, s->kept[depth - 1].at))
		depth--;
	struct gomp_task *task = depth != 0 ? s->kept[depth - 1].task : NULL;
	s->t.state = THR_OVHD_STATE;
	s->forking = false;
	s->reporting = false;
	s->prid = task ? task->region_id : 0;
	s->t.enter = 0;
	s->t.task = task;
	s->top_at = depth != 0 ? s->kept[depth - 1].at : 0;
	s->depth = depth;
	s->doacross = 0;
	s->single = false;
	s->copy = task ? ((struct self_task *)task)->copy : NULL;
	if (meters_of(s))
		s->t.meters->running->ticks = NULL;
	s->t.state = task ? THR_WORK_STATE : THR_SERIAL_STATE;
}

/* ---- IDs ------------------------------------------------------------------------- */

/* Blocks: an atomic counter for each region would be shared by all threads that fork. */
void self_take_ids(struct self_ids *ids)
{
	enum { BLOCK = 1 << 10 };
	static _Atomic uint64_t next = 1;

	ids->next = atomic_fetch_add_explicit(&next, BLOCK, memory_order_relaxed);
	ids->end = ids->next + BLOCK;
}

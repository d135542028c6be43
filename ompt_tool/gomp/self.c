/*
 * self.c - see self.h.
 */
#include "config.h"

#include "ompt_tool/gomp/self.h"

#include <pthread.h>
#include <stddef.h>

__thread struct self self_of_thread;

/* ---- tasks that were left ------------------------------------------------------------- */

/* The stack of the calling thread, as its creator knows it; false: unknown. */
static bool own_stack(uintptr_t *lo, uintptr_t *hi)
{
	pthread_attr_t attr;
	void *base = NULL;
	size_t size = 0;

	if (pthread_getattr_np(pthread_self(), &attr) != 0)
		return false;
	const bool known = pthread_attr_getstack(&attr, &base, &size) == 0;
	pthread_attr_destroy(&attr);
	*lo = (uintptr_t)base;
	*hi = *lo + size;
	return known;
}

/* Coroutines have stacks at any address: a lower frame on another stack may live. Only
   frames of the thread's own stack can be compared. */
__attribute__((noinline)) void self_drop_stale(struct self *s, uintptr_t frame)
{
	uintptr_t lo, hi;

	if (!own_stack(&lo, &hi) || frame < lo || frame >= hi)
		return;
	struct gomp_task *t = s->t.task;
	bool dropped = false;
	while (t && ((struct self_task *)t)->at < frame && ((struct self_task *)t)->at >= lo) {
		t = t->below;
		dropped = true;
	}
	if (!dropped)
		return;
	s->t.state = THR_OVHD_STATE;
	s->forking = false;
	s->telling = false;
	s->prid = t ? t->region_id : 0;
	s->t.enter = 0;
	s->t.task = t;
	s->t.state = t ? THR_WORK_STATE : THR_SERIAL_STATE;
}

/* ---- region IDs ------------------------------------------------------------------------- */

/* Blocks: an atomic counter for each region would be shared by all threads that fork. */
uint64_t self_new_id(struct self *s)
{
	enum { BLOCK = 1 << 10 };
	static _Atomic uint64_t next = 1;

	if (s->id_next == s->id_end) {
		s->id_next = atomic_fetch_add_explicit(&next, BLOCK, memory_order_relaxed);
		s->id_end = s->id_next + BLOCK;
	}
	return s->id_next++;
}

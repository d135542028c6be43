/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gomp_locks.c - OpenMP's locks.
 *
 * A lock is tried first: libgomp's omp_test_lock() does what the first step of its
 * omp_set_lock() does, and there is no queue that it could overtake. So the state of
 * waiting is set only where the lock is held.
 *
 * Nest locks have had two sizes. Callers name a version, and so do the wrappers
 * (gomp.map): the wrong function would write beyond the caller's lock.
 */
#include "config.h"

#include "ompt_tool/gomp/wrap.h"

static inline void lock_event(struct self *s, const void *call, int which, uint8_t kind,
			      const void *lock)
{
	if (!event_is_wanted(which))
		return;
	s->t.mutex_kind = kind;
	s->t.object = (uint64_t)(uintptr_t)lock;
	event(s, call, which);
}

static inline void lock_wait_begins(struct self *s, const void *call, const void *lock)
{
	self_set_state(s, THR_LKWT_STATE, (uint64_t)(uintptr_t)lock);
	event(s, call, OMP_EVENT_THR_BEGIN_LKWT);
}

static inline void lock_wait_ends(struct self *s, const void *call)
{
	event(s, call, OMP_EVENT_THR_END_LKWT);
	s->t.state = THR_OVHD_STATE;
}

/* The functions of one kind of locks. */
#define LOCKS(init, set, test, unset, mutex) \
	AROUND(init, (void *lock), (lock), , \
	       lock_event(s, e.call, GOMP_EVENT_LOCK_INIT, mutex, lock)) \
	ENTRY(void, set, (void *lock), (lock), HERE) \
	{ \
		ENTER(HERE, set, (lock)); \
\
		lock_event(s, e.call, GOMP_EVENT_MUTEX_ACQUIRE, mutex, lock); \
		if (copy->test(lock) == 0) { \
			lock_wait_begins(s, e.call, lock); \
			copy->set(lock); \
			lock_wait_ends(s, e.call); \
		} \
		lock_event(s, e.call, GOMP_EVENT_MUTEX_ACQUIRED, mutex, lock); \
		entry_end(&e); \
	} \
	AROUND_RESULT(int, test, (void *lock), (lock), , \
		      if (got != 0) lock_event(s, e.call, GOMP_EVENT_MUTEX_ACQUIRED, mutex, lock)) \
	AROUND(unset, (void *lock), (lock), , \
	       lock_event(s, e.call, GOMP_EVENT_MUTEX_RELEASED, mutex, lock))
LOCKS(omp_init_lock, omp_set_lock, omp_test_lock, omp_unset_lock, GOMP_MUTEX_LOCK)
LOCKS(omp_init_lock_, omp_set_lock_, omp_test_lock_, omp_unset_lock_, GOMP_MUTEX_LOCK)

/* Exported by the names that .symver gives them. */
#define VERSIONED(field, name, version) __asm__(".symver " #field ", " name version);
#define NEST_LOCKS(v, version) \
	LOCKS(omp_init_nest_lock_##v, omp_set_nest_lock_##v, omp_test_nest_lock_##v, \
	      omp_unset_nest_lock_##v, GOMP_MUTEX_NEST_LOCK) \
	LOCKS(omp_init_nest_lock_f##v, omp_set_nest_lock_f##v, omp_test_nest_lock_f##v, \
	      omp_unset_nest_lock_f##v, GOMP_MUTEX_NEST_LOCK)
NEST_LOCK_VERSIONS(NEST_LOCKS)
#define NEST_VERSIONS(suffix, at) \
	VERSIONED(omp_init_nest_lock_##suffix, "omp_init_nest_lock", at) \
	VERSIONED(omp_set_nest_lock_##suffix, "omp_set_nest_lock", at) \
	VERSIONED(omp_test_nest_lock_##suffix, "omp_test_nest_lock", at) \
	VERSIONED(omp_unset_nest_lock_##suffix, "omp_unset_nest_lock", at)
#define NEST_VERSIONS_FORTRAN(suffix, at) \
	VERSIONED(omp_init_nest_lock_##suffix, "omp_init_nest_lock_", at) \
	VERSIONED(omp_set_nest_lock_##suffix, "omp_set_nest_lock_", at) \
	VERSIONED(omp_test_nest_lock_##suffix, "omp_test_nest_lock_", at) \
	VERSIONED(omp_unset_nest_lock_##suffix, "omp_unset_nest_lock_", at)
NEST_VERSIONS(1, "@OMP_1.0")
NEST_VERSIONS(3, "@@OMP_3.0")
NEST_VERSIONS_FORTRAN(f1, "@OMP_1.0")
NEST_VERSIONS_FORTRAN(f3, "@@OMP_3.0")

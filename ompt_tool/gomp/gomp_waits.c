/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gomp_waits.c - barriers, critical, atomic and ordered regions.
 *
 * libgomp has no way to try whether a critical or atomic region is free. So the state of
 * waiting is set around the call, and its events are reported, also where the thread enters at
 * once: that takes some nanoseconds.
 */
#include "config.h"

#include "ompt_tool/gomp/wrap.h"

/* ---- barriers ------------------------------------------------------------------------------ */

/* The compiler calls it for the barriers that end static loops and single regions, too. Who
   looks at the code of the call can know; here all are taken as the directive's. */
static inline void barrier_begins(struct self *s, const void *call)
{
	single_ends(s, call);
	self_set_state(s, THR_EBAR_STATE, s->prid);
	event(s, call, OMP_EVENT_THR_BEGIN_EBAR);
}

AROUND(GOMP_barrier, (void), (), barrier_begins(s, e.call),
       event(s, e.call, OMP_EVENT_THR_END_EBAR))
AROUND_RESULT(bool, GOMP_barrier_cancel, (void), (), barrier_begins(s, e.call),
	      event(s, e.call, OMP_EVENT_THR_END_EBAR))

/* ---- mutual exclusion ---------------------------------------------------------------------- */

/* Objects whose addresses stand for the unnamed critical region and for all atomic ones. */
static char unnamed_critical, atomic_region;

static inline void mutex_event(struct self *s, const void *call, int which, uint8_t kind,
			       uint64_t object)
{
	if (!event_is_wanted(which))
		return;
	s->t.mutex_kind = kind;
	s->t.object = object;
	event(s, call, which);
}

/* An entry into a region of mutual exclusion: what it is, the state and the events of the
   wait, and the event after it. */
struct exclusion {
	uint8_t kind, state;
	int begin, end;
};

static const struct exclusion critical = { GOMP_MUTEX_CRITICAL, THR_CTWT_STATE,
					   OMP_EVENT_THR_BEGIN_CTWT, OMP_EVENT_THR_END_CTWT };
static const struct exclusion atomic = { GOMP_MUTEX_ATOMIC, THR_ATWT_STATE,
					 OMP_EVENT_THR_BEGIN_ATWT, OMP_EVENT_THR_END_ATWT };
static const struct exclusion ordered = { GOMP_MUTEX_ORDERED, THR_ODWT_STATE,
					  OMP_EVENT_THR_BEGIN_ODWT, OMP_EVENT_THR_END_ODWT };

static inline void waits_for(struct self *s, const void *call, const struct exclusion *x,
			     uint64_t object)
{
	self_set_state(s, x->state, object);
	mutex_event(s, call, GOMP_EVENT_MUTEX_ACQUIRE, x->kind, object);
	event(s, call, x->begin);
}

static inline void has_entered(struct self *s, const void *call, const struct exclusion *x,
			       uint64_t object)
{
	event(s, call, x->end);
	s->t.state = THR_OVHD_STATE;
	mutex_event(s, call, GOMP_EVENT_MUTEX_ACQUIRED, x->kind, object);
}

#define OBJECT_ID(object) ((uint64_t)(uintptr_t)(object))
#define EXCLUSION(start, end, parameters, arguments, x, object) \
	AROUND(start, parameters, arguments, waits_for(s, e.call, &x, OBJECT_ID(object)), \
	       has_entered(s, e.call, &x, OBJECT_ID(object))) \
	AROUND(end, parameters, arguments, , \
	       mutex_event(s, e.call, GOMP_EVENT_MUTEX_RELEASED, (x).kind, OBJECT_ID(object)))

EXCLUSION(GOMP_critical_start, GOMP_critical_end, (void), (), critical, &unnamed_critical)
EXCLUSION(GOMP_critical_name_start, GOMP_critical_name_end, (void **name), (name), critical, name)
EXCLUSION(GOMP_atomic_start, GOMP_atomic_end, (void), (), atomic, &atomic_region)

/* ---- ordered ------------------------------------------------------------------------------- */

static inline void ordered_begins(struct self *s, const void *call)
{
	has_entered(s, call, &ordered, s->prid);
	event(s, call, OMP_EVENT_THR_BEGIN_ORDERED);
}

AROUND(GOMP_ordered_start, (void), (), waits_for(s, e.call, &ordered, s->prid),
       ordered_begins(s, e.call))
AROUND(GOMP_ordered_end, (void), (), event(s, e.call, OMP_EVENT_THR_END_ORDERED),
       mutex_event(s, e.call, GOMP_EVENT_MUTEX_RELEASED, GOMP_MUTEX_ORDERED, s->prid))

static inline void turn_begins(struct self *s, const void *call)
{
	self_set_state(s, THR_ODWT_STATE, s->prid);
	event(s, call, OMP_EVENT_THR_BEGIN_ODWT);
}

/* The next chunk of an ordered loop is given only when it is the thread's turn to hand the
   order on. */
#define ORDERED_NEXT_ONE(name, parameters) \
	AROUND_RESULT(bool, name, parameters, (A_RANGE), turn_begins(s, e.call), \
		      event(s, e.call, OMP_EVENT_THR_END_ODWT))
#define ORDERED_NEXT(kind) \
	ORDERED_NEXT_ONE(GOMP_loop_##kind##_next, (P_RANGE)) \
	ORDERED_NEXT_ONE(GOMP_loop_ull_##kind##_next, (P_RANGE_ULL))
LOOPS_NEXT_WAITS(ORDERED_NEXT)

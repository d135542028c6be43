/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gomp_work.c - work shares: loops, sections, single, scope, and the barriers that end them.
 *
 * Only the first call of a work share is wrapped; the calls that fetch the next chunk are
 * many, and are nothing new.
 */
#include "config.h"

#include "ompt_tool/gomp/jump.h"
#include "ompt_tool/gomp/wrap.h"

static inline void work_begins(struct self *s, const void *call, uint8_t work, uint64_t count)
{
	single_ends(s, call);
	if (!event_is_wanted(GOMP_EVENT_WORK_BEGIN))
		return;
	s->t.work = work;
	s->t.work_count = count;
	event(s, call, GOMP_EVENT_WORK_BEGIN);
}

static inline void work_ends(struct self *s, const void *call)
{
	if (!event_is_wanted(GOMP_EVENT_WORK_END))
		return;
	s->t.work = 0;
	s->t.work_count = 0;
	event(s, call, GOMP_EVENT_WORK_END);
}

/* ---- loops --------------------------------------------------------------------------------- */

/* Defines a _start of a work share. */
#define WORK_START(result, name, parameters, arguments, work, count) \
	AROUND_RESULT(result, name, parameters, arguments, work_begins(s, e.call, work, count), )

#define LOOP_START(kind, work, modifier) \
	WORK_START(bool, GOMP_loop_##kind##_start, (P_LOOP, long chunk, P_RANGE), \
		   (A_LOOP, chunk, A_RANGE), (work) | (modifier), wrap_iterations(A_LOOP)) \
	WORK_START(bool, GOMP_loop_ull_##kind##_start, (P_LOOP_ULL, ull chunk, P_RANGE_ULL), \
		   (A_LOOP_ULL, chunk, A_RANGE), (work) | (modifier), \
		   wrap_iterations_ull(A_LOOP_ULL))
LOOPS_CHUNKED(LOOP_START)

#define LOOP_START_RUNTIME(kind, work, modifier) \
	WORK_START(bool, GOMP_loop_##kind##_start, (P_LOOP, P_RANGE), (A_LOOP, A_RANGE), \
		   (work) | (modifier), wrap_iterations(A_LOOP)) \
	WORK_START(bool, GOMP_loop_ull_##kind##_start, (P_LOOP_ULL, P_RANGE_ULL), \
		   (A_LOOP_ULL, A_RANGE), (work) | (modifier), wrap_iterations_ull(A_LOOP_ULL))
LOOPS_RUNTIME(LOOP_START_RUNTIME)

/* The general form, with the schedule in an argument. */
static uint8_t work_of(long schedule)
{
	switch (schedule & SCHEDULE_KIND) {
	case SCHEDULE_RUNTIME: return GOMP_WORK_LOOP_RUNTIME;
	case SCHEDULE_STATIC: return GOMP_WORK_LOOP_STATIC;
	case SCHEDULE_DYNAMIC: return GOMP_WORK_LOOP_DYNAMIC;
	case SCHEDULE_GUIDED: return GOMP_WORK_LOOP_GUIDED;
	default: return GOMP_WORK_LOOP_ANY;
	}
}

#define P_GENERAL P_LOOP, long schedule, long chunk, P_RANGE, P_REDUCE
#define P_GENERAL_ULL P_LOOP_ULL, long schedule, ull chunk, P_RANGE_ULL, P_REDUCE
#define A_GENERAL schedule, chunk, A_RANGE, A_REDUCE
WORK_START(bool, GOMP_loop_start, (P_GENERAL), (A_LOOP, A_GENERAL), work_of(schedule),
	   wrap_iterations(A_LOOP))
WORK_START(bool, GOMP_loop_ordered_start, (P_GENERAL), (A_LOOP, A_GENERAL),
	   work_of(schedule) | GOMP_WORK_ORDERED, wrap_iterations(A_LOOP))
WORK_START(bool, GOMP_loop_ull_start, (P_GENERAL_ULL), (A_LOOP_ULL, A_GENERAL), work_of(schedule),
	   wrap_iterations_ull(A_LOOP_ULL))
WORK_START(bool, GOMP_loop_ull_ordered_start, (P_GENERAL_ULL), (A_LOOP_ULL, A_GENERAL),
	   work_of(schedule) | GOMP_WORK_ORDERED, wrap_iterations_ull(A_LOOP_ULL))

/* ---- loops whose iterations wait for each other -------------------------------------------- */

/* All iterations of the nest. counts has the outer loops' only where they are known. */
static uint64_t doacross_count(unsigned n, const ull *counts)
{
	uint64_t all = 1;

	for (unsigned i = 0; i < n; i++)
		all *= counts[i];
	return all;
}

/* The waits have as many arguments as the loop nest has loops. */
static inline void doacross_begins(struct self *s, const void *call, uint8_t work, unsigned n,
				   const ull *counts)
{
	s->doacross = n;
	work_begins(s, call, work | GOMP_WORK_DOACROSS, doacross_count(n, counts));
}

#define DOACROSS_START(name, parameters, arguments, work) \
	AROUND_RESULT(bool, name, parameters, arguments, \
		      doacross_begins(s, e.call, work, n, (const ull *)counts), )
#define LOOP_DOACROSS(kind, work) \
	DOACROSS_START(GOMP_loop_doacross_##kind##_start, (P_DOACROSS, long chunk, P_RANGE), \
		       (A_DOACROSS, chunk, A_RANGE), work) \
	DOACROSS_START(GOMP_loop_ull_doacross_##kind##_start, \
		       (P_DOACROSS_ULL, ull chunk, P_RANGE_ULL), (A_DOACROSS, chunk, A_RANGE), \
		       work)
LOOPS_DOACROSS(LOOP_DOACROSS)
DOACROSS_START(GOMP_loop_doacross_runtime_start, (P_DOACROSS, P_RANGE), (A_DOACROSS, A_RANGE),
	       GOMP_WORK_LOOP_RUNTIME)
DOACROSS_START(GOMP_loop_ull_doacross_runtime_start, (P_DOACROSS_ULL, P_RANGE_ULL),
	       (A_DOACROSS, A_RANGE), GOMP_WORK_LOOP_RUNTIME)
DOACROSS_START(GOMP_loop_doacross_start, (P_DOACROSS, long schedule, long chunk, P_RANGE, P_REDUCE),
	       (A_DOACROSS, schedule, chunk, A_RANGE, A_REDUCE), work_of(schedule))
DOACROSS_START(GOMP_loop_ull_doacross_start,
	       (P_DOACROSS_ULL, long schedule, ull chunk, P_RANGE_ULL, P_REDUCE),
	       (A_DOACROSS, schedule, chunk, A_RANGE, A_REDUCE), work_of(schedule))

/*
 * The waits are variadic. Here they take as many words as will do, in the places where the
 * ABIs pass variadic integers: those that the caller did not pass are read from its frame,
 * and libgomp does not look at them. Those of a loop with more, or of which the number is
 * not known, are libgomp's alone (jump.c).
 */
bool on_doacross_is_known(void)
{
	const unsigned n = self()->doacross;

	return n != 0 && n <= DOACROSS_WORDS;
}

#define DOACROSS_WAIT(name) \
	ON void on_##name(WORDS(P_WORD)) \
	{ \
		const struct libgomp *const copy = copies_of(HERE); \
		struct entry e; \
		struct self *const s = ENTRY_BEGIN(&e); \
\
		self_set_state(s, GOMP_STATE_DOACROSS, s->prid); \
		event(s, e.call, OMP_EVENT_THR_BEGIN_ODWT); \
		copy->name(WORDS(A_WORD)); \
		event(s, e.call, OMP_EVENT_THR_END_ODWT); \
		entry_end(&e); \
	}
DOACROSS_WAIT(GOMP_doacross_wait)
DOACROSS_WAIT(GOMP_doacross_ull_wait)
ADDRESS_OF(on_GOMP_doacross_wait);
ADDRESS_OF(on_GOMP_doacross_ull_wait);

/* ---- sections, single, scope --------------------------------------------------------------- */

WORK_START(unsigned, GOMP_sections_start, (unsigned count), (count), GOMP_WORK_SECTIONS, count)
WORK_START(unsigned, GOMP_sections2_start, (unsigned count, P_REDUCE), (count, A_REDUCE),
	   GOMP_WORK_SECTIONS, count)

static inline void single_begins(struct self *s, const void *call)
{
	event(s, call, OMP_EVENT_THR_BEGIN_SINGLE);
	work_begins(s, call, GOMP_WORK_SINGLE, 1);
	s->single = true;
}

AROUND_RESULT(bool, GOMP_single_start, (void), (), single_ends(s, e.call),
	      if (got) single_begins(s, e.call))
AROUND(GOMP_scope_start, (uintptr_t * reductions), (reductions),
       work_begins(s, e.call, GOMP_WORK_SCOPE, 1), )

/* ---- what GCC 17 calls --------------------------------------------------------------------- */

/* It calls this for each static loop. Where that ends is not reported, but how often it is entered
   and how many iterations it has is known. */
AROUND_RESULT(share, GOMP_loop_static_worksharing, (ull count), (count),
	      (work_begins(s, e.call, GOMP_WORK_LOOP_STATIC, count), work_ends(s, e.call)), )

/* And these, with their ends, where it was asked for -fopenmp-ompt. */
WORK_START(share, GOMP_loop_static_worksharing_start, (ull count), (count), GOMP_WORK_LOOP_STATIC,
	   count)
WORK_START(share, GOMP_distribute_static_worksharing_start, (ull count), (count),
	   GOMP_WORK_DISTRIBUTE, count)

static inline void chosen_begins(struct self *s, const void *call)
{
	event(s, call, OMP_EVENT_THR_BEGIN_SINGLE);
	work_begins(s, call, GOMP_WORK_SINGLE, 1);
}

AROUND_RESULT(bool, GOMP_single_start_with_end, (void), (), single_ends(s, e.call),
	      if (got) chosen_begins(s, e.call))
AROUND_RESULT(bool, GOMP_has_masked_thread_num_with_end, (int filter), (filter),
	      single_ends(s, e.call), if (got) work_begins(s, e.call, GOMP_WORK_MASKED, 1))

/* ---- the ends ------------------------------------------------------------------------------ */

/* The barrier's ID is that of its region: the same on all threads of the team. */
static inline void ibar_begins(struct self *s, const void *call)
{
	self_set_state(s, THR_IBAR_STATE, s->prid);
	event(s, call, OMP_EVENT_THR_BEGIN_IBAR);
}

static inline void ibar_ends(struct self *s, const void *call)
{
	event(s, call, OMP_EVENT_THR_END_IBAR);
}

#define WORK_END_NOWAIT(name) AROUND(name, (void), (), , work_ends(s, e.call))
WORK_END_NOWAIT(GOMP_loop_static_worksharing_end)
WORK_END_NOWAIT(GOMP_distribute_static_worksharing_end)
WORK_END_NOWAIT(GOMP_single_end)
WORK_END_NOWAIT(GOMP_masked_end)
WORK_END_NOWAIT(GOMP_loop_end_nowait)
WORK_END_NOWAIT(GOMP_sections_end_nowait)

/* The end of the work comes before the barrier. */
static inline struct gomp_task *work_waits(struct self *s, const void *call)
{
	struct gomp_task *const before = s->t.ending;

	work_ends(s, call);
	ibar_begins(s, call);
	s->t.ending = s->t.task;
	return before;
}

static inline void work_waited(struct self *s, const void *call, struct gomp_task *before)
{
	s->t.ending = before;
	ibar_ends(s, call);
}

#define WORK_END(name, name_cancel) \
	AROUND(name, (void), (), struct gomp_task *const ending = work_waits(s, e.call), \
	       work_waited(s, e.call, ending)) \
	AROUND_RESULT(bool, name_cancel, (void), (), \
		      struct gomp_task *const ending = work_waits(s, e.call), \
		      work_waited(s, e.call, ending))
WORK_END(GOMP_loop_end, GOMP_loop_end_cancel)
WORK_END(GOMP_sections_end, GOMP_sections_end_cancel)

/* A barrier that ends single regions, too. */
static inline void single_waits(struct self *s, const void *call)
{
	single_ends(s, call);
	ibar_begins(s, call);
}

static inline void single_copied(struct self *s, const void *call, const void *data)
{
	ibar_ends(s, call);
	s->t.state = THR_OVHD_STATE;
	if (!data)
		single_begins(s, call);
}

/* single copyprivate: who executes it gets NULL at once; the others wait for its data. */
AROUND_RESULT(void *, GOMP_single_copy_start, (void), (), single_waits(s, e.call),
	      single_copied(s, e.call, got))
AROUND(GOMP_single_copy_end, (void *data), (data), single_waits(s, e.call), ibar_ends(s, e.call))
/* Waits unless the construct was cancelled. */
AROUND(GOMP_workshare_task_reduction_unregister, (bool cancelled), (cancelled),
       single_waits(s, e.call), ibar_ends(s, e.call))

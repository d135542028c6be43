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
	ON result on_##name parameters \
	{ \
		COPY(HERE, name, arguments); \
		struct entry e; \
		struct self *const s = ENTRY_BEGIN(&e); \
\
		work_begins(s, e.call, work, count); \
		const result got = copy->name arguments; \
		entry_end(&e); \
		return got; \
	} \
	WRAP(result, name, parameters, arguments, HERE)

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
static inline void doacross_begins(struct self *s, unsigned n)
{
	s->doacross = n;
}

#define DOACROSS_START(name, parameters, arguments, work) \
	ON bool on_##name parameters \
	{ \
		COPY(HERE, name, arguments); \
		struct entry e; \
		struct self *const s = ENTRY_BEGIN(&e); \
\
		doacross_begins(s, n); \
		work_begins(s, e.call, (work) | GOMP_WORK_DOACROSS, \
			    doacross_count(n, (const ull *)counts)); \
		const bool got = copy->name arguments; \
		entry_end(&e); \
		return got; \
	} \
	WRAP(bool, name, parameters, arguments, HERE)
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

ON bool on_GOMP_single_start(void)
{
	COPY(HERE, GOMP_single_start, ());
	struct entry e;
	struct self *const s = ENTRY_BEGIN(&e);

	single_ends(s, e.call);
	const bool mine = copy->GOMP_single_start();

	if (mine)
		single_begins(s, e.call);
	entry_end(&e);
	return mine;
}
WRAP(bool, GOMP_single_start, (void), (), HERE)

ON void on_GOMP_scope_start(uintptr_t *reductions)
{
	COPY(HERE, GOMP_scope_start, (reductions));
	struct entry e;
	struct self *const s = ENTRY_BEGIN(&e);

	work_begins(s, e.call, GOMP_WORK_SCOPE, 1);
	copy->GOMP_scope_start(reductions);
	entry_end(&e);
}
WRAP(void, GOMP_scope_start, (uintptr_t * reductions), (reductions), HERE)

/* ---- what GCC 17 calls --------------------------------------------------------------------- */

/* It calls this for each static loop. Where that ends is not reported, but how often it is entered
   and how many iterations it has is known. */
ON share on_GOMP_loop_static_worksharing(ull count)
{
	COPY(HERE, GOMP_loop_static_worksharing, (count));
	struct entry e;
	struct self *const s = ENTRY_BEGIN(&e);

	work_begins(s, e.call, GOMP_WORK_LOOP_STATIC, count);
	work_ends(s, e.call);
	const share mine = copy->GOMP_loop_static_worksharing(count);
	entry_end(&e);
	return mine;
}
WRAP(share, GOMP_loop_static_worksharing, (ull count), (count), HERE)

/* And these, with their ends, where it was asked for -fopenmp-ompt. */
WORK_START(share, GOMP_loop_static_worksharing_start, (ull count), (count), GOMP_WORK_LOOP_STATIC,
	   count)
WORK_START(share, GOMP_distribute_static_worksharing_start, (ull count), (count),
	   GOMP_WORK_DISTRIBUTE, count)

/* Begins what one thread executes, if it is this one. */
#define CHOSEN_START(name, parameters, arguments, begin, work) \
	ON bool on_##name parameters \
	{ \
		COPY(HERE, name, arguments); \
		struct entry e; \
		struct self *const s = ENTRY_BEGIN(&e); \
\
		single_ends(s, e.call); \
		const bool mine = copy->name arguments; \
		if (mine) { \
			begin; \
			work_begins(s, e.call, work, 1); \
		} \
		entry_end(&e); \
		return mine; \
	} \
	WRAP(bool, name, parameters, arguments, HERE)
CHOSEN_START(GOMP_single_start_with_end, (void), (), event(s, e.call, OMP_EVENT_THR_BEGIN_SINGLE),
	     GOMP_WORK_SINGLE)
CHOSEN_START(GOMP_has_masked_thread_num_with_end, (int filter), (filter), (void)0, GOMP_WORK_MASKED)

/* ---- the ends ------------------------------------------------------------------------------ */

/* The barrier's ID is that of its region: the same on all threads of the team. */
#define IBAR_BEGIN(s, call) \
	do { \
		self_set_state(s, THR_IBAR_STATE, (s)->prid); \
		event(s, call, OMP_EVENT_THR_BEGIN_IBAR); \
	} while (0)
#define IBAR_END(s, call) event(s, call, OMP_EVENT_THR_END_IBAR)

/* The same at the end of a work share, after work_ends(). */
#define WORK_IBAR_BEGIN(s, call) \
	struct gomp_task *const ending = (s)->t.ending; \
\
	IBAR_BEGIN(s, call); \
	(s)->t.ending = (s)->t.task
#define WORK_IBAR_END(s, call) \
	do { \
		(s)->t.ending = ending; \
		IBAR_END(s, call); \
	} while (0)

#define WORK_END_NOWAIT(name) \
	ON void on_##name(void) \
	{ \
		COPY(HERE, name, ()); \
		struct entry e; \
		struct self *const s = ENTRY_BEGIN(&e); \
\
		copy->name(); \
		work_ends(s, e.call); \
		entry_end(&e); \
	} \
	WRAP(void, name, (void), (), HERE)
WORK_END_NOWAIT(GOMP_loop_static_worksharing_end)
WORK_END_NOWAIT(GOMP_distribute_static_worksharing_end)
WORK_END_NOWAIT(GOMP_single_end)
WORK_END_NOWAIT(GOMP_masked_end)
WORK_END_NOWAIT(GOMP_loop_end_nowait)
WORK_END_NOWAIT(GOMP_sections_end_nowait)

/* The end of the work comes before the barrier. */
#define WORK_END(name) \
	ON void on_##name(void) \
	{ \
		COPY(HERE, name, ()); \
		struct entry e; \
		struct self *const s = ENTRY_BEGIN(&e); \
\
		work_ends(s, e.call); \
		WORK_IBAR_BEGIN(s, e.call); \
		copy->name(); \
		WORK_IBAR_END(s, e.call); \
		entry_end(&e); \
	} \
	WRAP(void, name, (void), (), HERE)
#define WORK_END_CANCEL(name) \
	ON bool on_##name(void) \
	{ \
		COPY(HERE, name, ()); \
		struct entry e; \
		struct self *const s = ENTRY_BEGIN(&e); \
\
		work_ends(s, e.call); \
		WORK_IBAR_BEGIN(s, e.call); \
		const bool cancelled = copy->name(); \
		WORK_IBAR_END(s, e.call); \
		entry_end(&e); \
		return cancelled; \
	} \
	WRAP(bool, name, (void), (), HERE)
WORK_END(GOMP_loop_end)
WORK_END(GOMP_sections_end)
WORK_END_CANCEL(GOMP_loop_end_cancel)
WORK_END_CANCEL(GOMP_sections_end_cancel)

/* single copyprivate: who executes it gets NULL at once; the others wait for its data. */
ON void *on_GOMP_single_copy_start(void)
{
	COPY(HERE, GOMP_single_copy_start, ());
	struct entry e;
	struct self *const s = ENTRY_BEGIN(&e);

	single_ends(s, e.call);
	IBAR_BEGIN(s, e.call);
	void *const data = copy->GOMP_single_copy_start();
	IBAR_END(s, e.call);
	s->t.state = THR_OVHD_STATE;
	if (!data)
		single_begins(s, e.call);
	entry_end(&e);
	return data;
}
WRAP(void *, GOMP_single_copy_start, (void), (), HERE)

ON void on_GOMP_single_copy_end(void *data)
{
	COPY(HERE, GOMP_single_copy_end, (data));
	struct entry e;
	struct self *const s = ENTRY_BEGIN(&e);

	single_ends(s, e.call);
	IBAR_BEGIN(s, e.call);
	copy->GOMP_single_copy_end(data);
	IBAR_END(s, e.call);
	entry_end(&e);
}
WRAP(void, GOMP_single_copy_end, (void *data), (data), HERE)

/* Waits unless the construct was cancelled. */
ON void on_GOMP_workshare_task_reduction_unregister(bool cancelled)
{
	COPY(HERE, GOMP_workshare_task_reduction_unregister, (cancelled));
	struct entry e;
	struct self *const s = ENTRY_BEGIN(&e);

	single_ends(s, e.call);
	IBAR_BEGIN(s, e.call);
	copy->GOMP_workshare_task_reduction_unregister(cancelled);
	IBAR_END(s, e.call);
	entry_end(&e);
}
WRAP(void, GOMP_workshare_task_reduction_unregister, (bool cancelled), (cancelled), HERE)

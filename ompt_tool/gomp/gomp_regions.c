/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gomp_regions.c - parallel regions: the entry points that run an outlined function on a team.
 *
 * libgomp gets a body of ours instead of the outlined function, and a record in the frame
 * of the wrapper, which lives as long as any thread of the team is in the body. After the
 * body a worker may be slower than the master: what it needs later is copied before.
 */
#include "config.h"

#include <stddef.h>
#include <stdlib.h>

#include "ompt_tool/gomp/wrap.h"

/*
 * A region as its team sees it. What each thread reads lies in the first cache line, is
 * written before the team is made, and is read before the body: a line that another thread has
 * costs as much as all else that is done for a region.
 */
struct fork {
	void *first_word; /* the data's: libgomp reads it where tasks reduce */
	const struct libgomp *copy;
	body_fn *fn;
	void *data;
	struct gomp_region region; /* own: ends_are_seen() */
	uint64_t work_count;
	bool waits; /* the master's: BEGIN_IBAR was reported, its END was not */
};

enum { LINE = 64 };
_Static_assert(offsetof(struct fork, region.requested) <= LINE, "one cache line");

/* Room for a struct fork at the beginning of a cache line. Not by an attribute: a frame that is
   aligned more than the stack has rules by which callers are found slowly. */
struct fork_room {
	char bytes[sizeof(struct fork) + LINE];
};

static inline struct fork *fork_in(struct fork_room *room)
{
	return (struct fork *)(((uintptr_t)room + LINE - 1) & ~(uintptr_t)(LINE - 1));
}

/* ---- on each thread of the team -------------------------------------------------------- */

static void begin_work(struct self *s, const struct fork *f, const void *call)
{
	s->t.work = f->region.work;
	s->t.work_count = f->work_count;
	event(s, call, GOMP_EVENT_WORK_BEGIN);
}

/*
 * Returns false where the region was cancelled: others may still wait. The barrier ends when
 * the region is cancelled. A thread that knows that it was must not wait: libgomp counts the
 * threads that arrive, also those that have been at another barrier when it was.
 */
static __attribute__((noinline)) bool wait_seen(struct self *s, const struct libgomp *copy)
{
	event(s, NULL, OMP_EVENT_THR_BEGIN_IBAR);
	const bool cancelled = copy->GOMP_cancellation_point(CANCEL_PARALLEL) ||
			       copy->GOMP_barrier_cancel();
	event(s, NULL, OMP_EVENT_THR_END_IBAR);
	return !cancelled;
}

static __attribute__((noinline)) void become_idle(struct self *s)
{
	s->t.state = THR_IDLE_STATE;
	s->idle = true;
	event(s, NULL, OMP_EVENT_THR_BEGIN_IDLE);
}

static __attribute__((noinline)) void leave_idle(struct self *s)
{
	s->idle = false;
	event(s, NULL, OMP_EVENT_THR_END_IDLE);
}

static void worker_ends(struct self *s, const struct libgomp *copy, bool seen, uint64_t region_id)
{
	if (__builtin_expect(!seen, 1)) {
		self_set_state(s, GOMP_STATE_AFTER, region_id);
		return;
	}
	/* A sample sees IBAR with its region, and no region with IDLE. */
	s->prid = region_id;
	self_set_state(s, THR_IBAR_STATE, region_id);
	const bool done = wait_seen(s, copy);
	s->t.state = THR_OVHD_STATE;
	s->prid = 0;
	if (done)
		become_idle(s);
	else
		self_set_state(s, GOMP_STATE_AFTER, region_id);
}

/* A team of one has nothing to wait for. */
static void master_ends(struct self *s, struct fork *f, bool seen, const struct gomp_task *task)
{
	if (task->team_size == 1)
		return;
	self_set_state(s, THR_IBAR_STATE, task->region_id);
	if (seen) {
		wait_seen(s, f->copy);
	} else {
		f->waits = true;
		event(s, NULL, OMP_EVENT_THR_BEGIN_IBAR);
	}
}

/* The thread has left the body for the region's end. f is read by the master only. */
static inline void end_body(struct self *s, struct fork *f, bool seen, const struct self_task *k)
{
	const struct gomp_task *task = &k->task;

	s->t.last_region_id = task->region_id;
	s->t.last_team_data = task->team_data;
	if (task->number == 0)
		master_ends(s, f, seen, task);
	else
		worker_ends(s, k->copy, seen, task->region_id);
}

static inline void fill_task(struct self_task *k, struct self *s, const struct fork *f,
			     uintptr_t frame)
{
	k->task = (struct gomp_task){
		.region_id = f->region.id,
		.team_data = f->region.data,
		.exit = frame,
		.body = f->fn,
		.number = (uint32_t)f->copy->omp_get_thread_num(),
		.team_size = (uint32_t)f->copy->omp_get_num_threads(),
		.kind = GOMP_TASK_IMPLICIT,
	};
	k->at = frame;
	k->copy = f->copy;
	k->parent_id = f->region.parent_id;
	s->place.region_id = k->task.region_id;
	s->place.number = k->task.number;
	s->place.team_size = k->task.team_size;
}

/* libgomp calls it on each thread. Its frame stays directly below the outlined function's. */
ON void omphwc_run_implicit(void *arg)
{
	struct fork *f = arg;
	struct self *s = self();
	const bool seen = f->region.own != 0;
	struct self_task k;

	fill_task(&k, s, f, (uintptr_t)__builtin_frame_address(0));
	const bool master = k.task.number == 0;
	if (!master && __builtin_expect(s->idle, 0))
		leave_idle(s);
	task_push(s, &k, THR_OVHD_STATE);
	if (!master)
		s->t.worker = true;
	event(s, NULL, GOMP_EVENT_IMPLICIT_BEGIN);
	if (__builtin_expect(f->region.work != 0, 0))
		begin_work(s, f, NULL);
	s->t.state = THR_WORK_STATE;
	f->fn(f->data);
	s->t.state = THR_OVHD_STATE;
	single_ends(s, NULL);
	event(s, NULL, GOMP_EVENT_IMPLICIT_END);
	if (!master)
		after_note(&s->after, k.task.region_id, __builtin_frame_address(0), HERE,
			   k.copy->lo, k.copy->hi);
	task_pop(s, &k);
	end_body(s, f, seen, &k);
	KEEP_FRAME();
}
ADDRESS_OF(omphwc_run_implicit);

/* ---- on the master ----------------------------------------------------------------------- */

static void report_region(struct self *s, struct fork *f, const void *call, int which)
{
	s->t.region = &f->region;
	s->t.body = f->fn;
	event(s, call, which);
}

/* Fills in the part of f that the entry point knows; fork_begin() does the rest. Member by
   member: compilers clear a structure of this size by an instruction whose start takes as long
   as all that is done here. */
static inline void fork_fill(struct fork *f, body_fn *fn, void *data, unsigned threads,
			     unsigned flags, uint8_t work, uint64_t count)
{
	f->first_word = NULL;
	f->fn = fn;
	f->data = data;
	f->region.data = 0;
	f->region.work = work;
	f->region.requested = threads;
	f->region.flags = flags;
	f->work_count = count;
	f->waits = false;
}

/* On top of entry_begin(). */
static inline void fork_begin(struct fork *f, struct self *s, const struct libgomp *copy,
			      const void *call)
{
	f->copy = copy;
	/* A worker's way from the body to the region's end, and to the dock, is inside libgomp.
	   Where a collector wants to know when threads leave that barrier, they wait at another
	   one before: of that one both ends are seen, and at the last nobody waits any more. It
	   costs a barrier for each region. */
	const bool idle = event_is_wanted(OMP_EVENT_THR_BEGIN_IDLE) ||
			  event_is_wanted(OMP_EVENT_THR_END_IDLE);
	const bool barrier = event_is_wanted(OMP_EVENT_THR_BEGIN_IBAR) ||
			     event_is_wanted(OMP_EVENT_THR_END_IBAR);

	f->region.own = (idle || (barrier && !event_is_wanted(GOMP_EVENT_IMPLICIT_END))) &&
			copy->has_barrier_cancel;
	f->region.id = self_new_id(&s->regions);
	f->region.parent_id = s->prid;
	f->region.creator = s->t.task;
	s->parent_prid = s->prid;
	s->forking = true;
	s->prid = f->region.id;
	after_region_begins(f->region.id);
	if (event_is_wanted(OMP_EVENT_FORK))
		report_region(s, f, call, OMP_EVENT_FORK);
}

/* Before entry_end(). outer: s->forking before, where the region is in another's end. */
static inline void fork_end(struct fork *f, struct self *s, const void *call, bool outer)
{
	if (f->waits)
		event(s, call, OMP_EVENT_THR_END_IBAR);
	s->t.state = THR_OVHD_STATE;
	after_region_ends(f->region.id);
	if (event_is_wanted(OMP_EVENT_JOIN))
		report_region(s, f, call, OMP_EVENT_JOIN);
	s->prid = f->region.parent_id;
	s->forking = outer;
}

/* Defines an entry point that runs fn on a team until all have done. */
#define REGION(name, parameters, arguments, real_arguments, kind, count) \
	ENTRY(void, name, parameters, arguments, fn) \
	{ \
		ENTER(fn, name, arguments); \
		const bool outer = s->forking; \
		struct fork_room room; \
		struct fork *const f = fork_in(&room); \
\
		fork_fill(f, fn, data, threads, flags, kind, count); \
		fork_begin(f, s, copy, e.call); \
		copy->name real_arguments; \
		fork_end(f, s, e.call, outer); \
		entry_end(&e); \
	}

REGION(GOMP_parallel, (P_FORK, unsigned flags), (fn, data, threads, flags),
       (omphwc_run_implicit_address, f, threads, flags), 0, 0)
REGION(GOMP_parallel_sections, (P_FORK, unsigned count, unsigned flags),
       (fn, data, threads, count, flags), (omphwc_run_implicit_address, f, threads, count, flags),
       GOMP_WORK_SECTIONS, count)

#define REGION_LOOP(kind, work) \
	REGION(GOMP_parallel_loop_##kind, (P_FORK, P_LOOP, long chunk, unsigned flags), \
	       (fn, data, threads, A_LOOP, chunk, flags), \
	       (omphwc_run_implicit_address, f, threads, A_LOOP, chunk, flags), work, \
	       wrap_iterations(A_LOOP))
#define REGION_LOOP_RUNTIME(kind, work) \
	REGION(GOMP_parallel_loop_##kind, (P_FORK, P_LOOP, unsigned flags), \
	       (fn, data, threads, A_LOOP, flags), \
	       (omphwc_run_implicit_address, f, threads, A_LOOP, flags), work, \
	       wrap_iterations(A_LOOP))
PARALLEL_LOOPS_CHUNKED(REGION_LOOP)
PARALLEL_LOOPS_RUNTIME(REGION_LOOP_RUNTIME)

ENTRY(unsigned, GOMP_parallel_reductions, (P_FORK, unsigned flags), (fn, data, threads, flags), fn)
{
	ENTER(fn, GOMP_parallel_reductions, (fn, data, threads, flags));
	const bool outer = s->forking;
	struct fork_room room;
	struct fork *const f = fork_in(&room);

	fork_fill(f, fn, data, threads, flags, 0, 0);
	f->first_word = *(void **)data;
	fork_begin(f, s, copy, e.call);
	const unsigned n =
		copy->GOMP_parallel_reductions(omphwc_run_implicit_address, f, threads, flags);
	fork_end(f, s, e.call, outer);
	entry_end(&e);
	return n;
}

/* ---- before GCC 4.9 ---------------------------------------------------------------------- */

/*
 * The caller runs the master's body by itself, between _start and GOMP_parallel_end(). So
 * the record outlives the wrapper's frame, and the master's task has no frame of ours.
 */
struct legacy {
	struct fork f;
	struct self_task k;
	int level; /* omp_get_level() in the region */
	bool outer;
};

static struct legacy *legacy_of(const struct self *s)
{
	struct self_task *k = (struct self_task *)s->t.task;

	return k && s->top_at == UINTPTR_MAX ?
		       (struct legacy *)((char *)k - offsetof(struct legacy, k)) :
		       NULL;
}

/* The master's body begins when the wrapper returns. */
static void legacy_started(struct legacy *l, struct self *s, struct entry *e)
{
	l->level = l->f.copy->omp_get_level();
	fill_task(&l->k, s, &l->f, 0);
	l->k.at = UINTPTR_MAX;
	/* The master is back in the program's code: libgomp is not below it. */
	entry_end(e);
	task_push(s, &l->k, THR_OVHD_STATE);
	event(s, e->call, GOMP_EVENT_IMPLICIT_BEGIN);
	if (l->f.region.work != 0)
		begin_work(s, &l->f, e->call);
	s->t.state = THR_WORK_STATE;
}

#define LEGACY(name, parameters, arguments, real_arguments, kind, count) \
	ENTRY(void, name, parameters, arguments, fn) \
	{ \
		COPY(fn, name, arguments); \
		struct legacy *l = calloc(1, sizeof(*l)); \
\
		if (!l) { \
			copy->name arguments; \
			return; \
		} \
		struct entry e; \
		struct self *const s = ENTRY_BEGIN(&e); \
		l->outer = s->forking; \
		l->f.fn = fn; \
		l->f.data = data; \
		l->f.region.requested = threads; \
		l->f.region.work = kind; \
		l->f.work_count = count; \
		fork_begin(&l->f, s, copy, e.call); \
		l->f.copy->name real_arguments; \
		legacy_started(l, s, &e); \
	}

LEGACY(GOMP_parallel_start, (P_FORK), (fn, data, threads),
       (omphwc_run_implicit_address, &l->f, threads), 0, 0)
LEGACY(GOMP_parallel_sections_start, (P_FORK, unsigned count), (fn, data, threads, count),
       (omphwc_run_implicit_address, &l->f, threads, count), GOMP_WORK_SECTIONS, count)
LEGACY(GOMP_parallel_loop_runtime_start, (P_FORK, P_LOOP), (fn, data, threads, A_LOOP),
       (omphwc_run_implicit_address, &l->f, threads, A_LOOP), GOMP_WORK_LOOP_RUNTIME,
       wrap_iterations(A_LOOP))
#define LEGACY_LOOP(kind, work) \
	LEGACY(GOMP_parallel_loop_##kind##_start, (P_FORK, P_LOOP, long chunk), \
	       (fn, data, threads, A_LOOP, chunk), \
	       (omphwc_run_implicit_address, &l->f, threads, A_LOOP, chunk), work, \
	       wrap_iterations(A_LOOP))
LEGACY_LOOPS_CHUNKED(LEGACY_LOOP)

ON void on_GOMP_parallel_end(struct self *s, struct legacy *l)
{
	struct entry e;

	s->t.state = THR_OVHD_STATE;
	single_ends(s, HERE);
	event(s, HERE, GOMP_EVENT_IMPLICIT_END);
	task_pop(s, &l->k);
	/* As the state was before the region, so it is after. */
	e = (struct entry){ .self = s,
			    .call = HERE,
			    .state = l->k.below_state,
			    .wait_id = l->k.below_wait_id,
			    .enter = s->t.enter };
	s->t.enter = (uintptr_t)__builtin_frame_address(0);
	s->forking = true;
	s->prid = l->f.region.id;
	end_body(s, &l->f, l->f.region.own != 0, &l->k);
	l->f.copy->GOMP_parallel_end();
	fork_end(&l->f, s, e.call, l->outer);
	entry_end(&e);
	free(l);
}

/* With a session or without: a region that was noted when it began is forgotten here. */
ENTRY_POINT void GOMP_parallel_end(void);
ENTRY_POINT void GOMP_parallel_end(void)
{
	struct self *s = self();
	struct legacy *l = legacy_of(s);

	if (l && l->f.copy->omp_get_level() == l->level)
		on_GOMP_parallel_end(s, l);
	else
		COPIES_REAL(GOMP_parallel_end, HERE)();
	KEEP_FRAME();
}

/* ---- teams on the host ------------------------------------------------------------------- */

struct teams {
	const struct libgomp *copy;
	body_fn *fn;
	void *data;
};

ON void omphwc_run_teams(void *arg)
{
	const struct teams *t = arg;
	struct self *s = self();
	const uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
	struct self_task k = {
		.task = { .region_id = s->prid,
			  .exit = frame,
			  .body = t->fn,
			  .team_size = 1,
			  .kind = GOMP_TASK_TEAMS },
		.at = frame,
		.copy = t->copy,
		.parent_id = s->parent_prid,
	};

	task_push(s, &k, s->prid != 0 ? THR_WORK_STATE : THR_SERIAL_STATE);
	t->fn(t->data);
	task_pop(s, &k);
	KEEP_FRAME();
}
ADDRESS_OF(omphwc_run_teams);

ENTRY(void, GOMP_teams_reg,
      (body_fn * fn, void *data, unsigned teams, unsigned limit, unsigned flags),
      (fn, data, teams, limit, flags), fn)
{
	COPY(fn, GOMP_teams_reg, (fn, data, teams, limit, flags));
	struct entry e;
	struct teams t = { copy, fn, data };

	ENTRY_BEGIN(&e);
	copy->GOMP_teams_reg(omphwc_run_teams_address, &t, teams, limit, flags);
	entry_end(&e);
}

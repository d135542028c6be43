/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * testomp_entries.c - GOMP_*: what gcc's code calls.
 */
#include "config.h"

#include "tests/collector/testomp_entries.h"

#include <stdlib.h>
#include <string.h>

#include "tests/collector/testomp_loop.h"

/* ---- regions ---------------------------------------------------------- */

void GOMP_parallel(body *fn, void *data, unsigned n, unsigned flags)
{
	(void)flags;
	region_run(fn, data, n, NULL);
}

void GOMP_parallel_sections(body *fn, void *data, unsigned n, unsigned count, unsigned flags)
{
	(void)flags;
	region_run(fn, data, n, share_of_sections(count));
}

/* schedule(runtime): OMP_SCHEDULE=KIND[,CHUNK], with or without a modifier. */
static enum schedule runtime_schedule(long *chunk)
{
	const char *text = getenv("OMP_SCHEDULE"), *comma;

	*chunk = 0;
	if (!text)
		return SCHEDULE_DYNAMIC;
	comma = strchr(text, ',');
	*chunk = comma ? strtol(comma + 1, NULL, 10) : 0;
	text = strchr(text, ':') ? strchr(text, ':') + 1 : text;
	return !strncmp(text, "static", 6) ? SCHEDULE_STATIC :
	       !strncmp(text, "guided", 6) ? SCHEDULE_GUIDED :
					     SCHEDULE_DYNAMIC;
}

static struct share *share_of_runtime(long start, long end, long incr, bool ordered)
{
	long chunk;
	const enum schedule schedule = runtime_schedule(&chunk);

	return share_of_loop(start, end, incr, chunk, schedule, ordered);
}

#define PARALLEL_LOOP(name, schedule) \
	void GOMP_parallel_loop_##name(body *fn, void *data, unsigned n, long start, long end, \
				       long incr, long chunk, unsigned flags) \
	{ \
		(void)flags; \
		region_run(fn, data, n, share_of_loop(start, end, incr, chunk, schedule, false)); \
	}
#define PARALLEL_LOOP_RUNTIME(name) \
	void GOMP_parallel_loop_##name(body *fn, void *data, unsigned n, long start, long end, \
				       long incr, unsigned flags) \
	{ \
		(void)flags; \
		region_run(fn, data, n, share_of_runtime(start, end, incr, false)); \
	}
PARALLEL_LOOP(static, SCHEDULE_STATIC)
PARALLEL_LOOP(dynamic, SCHEDULE_DYNAMIC)
PARALLEL_LOOP(guided, SCHEDULE_GUIDED)
PARALLEL_LOOP(nonmonotonic_dynamic, SCHEDULE_DYNAMIC)
PARALLEL_LOOP(nonmonotonic_guided, SCHEDULE_GUIDED)
PARALLEL_LOOP_RUNTIME(runtime)
PARALLEL_LOOP_RUNTIME(nonmonotonic_runtime)
PARALLEL_LOOP_RUNTIME(maybe_nonmonotonic_runtime)

/* ---- loops ------------------------------------------------------------ */

static bool loop_next(long *from, long *to)
{
	const struct wait before = overhead_begin();
	const bool some = share_next(here(), from, to);

	wait_end(before);
	return some;
}

static bool loop_start(struct share *offered, long *from, long *to)
{
	const struct wait before = overhead_begin();
	struct member *m = here();
	bool some;

	share_begin(m, offered);
	some = share_next(m, from, to);
	wait_end(before);
	return some;
}

#define LOOP(name, schedule, ordered) \
	bool GOMP_loop_##name##_start(long start, long end, long incr, long chunk, long *from, \
				      long *to) \
	{ \
		return loop_start(share_of_loop(start, end, incr, chunk, schedule, ordered), from, \
				  to); \
	} \
	bool GOMP_loop_##name##_next(long *from, long *to) \
	{ \
		return loop_next(from, to); \
	}
#define LOOP_RUNTIME(name, ordered) \
	bool GOMP_loop_##name##_start(long start, long end, long incr, long *from, long *to) \
	{ \
		return loop_start(share_of_runtime(start, end, incr, ordered), from, to); \
	} \
	bool GOMP_loop_##name##_next(long *from, long *to) \
	{ \
		return loop_next(from, to); \
	}
LOOP(static, SCHEDULE_STATIC, false)
LOOP(dynamic, SCHEDULE_DYNAMIC, false)
LOOP(guided, SCHEDULE_GUIDED, false)
LOOP(nonmonotonic_dynamic, SCHEDULE_DYNAMIC, false)
LOOP(nonmonotonic_guided, SCHEDULE_GUIDED, false)
LOOP(ordered_static, SCHEDULE_STATIC, true)
LOOP(ordered_dynamic, SCHEDULE_DYNAMIC, true)
LOOP(ordered_guided, SCHEDULE_GUIDED, true)
LOOP_RUNTIME(runtime, false)
LOOP_RUNTIME(nonmonotonic_runtime, false)
LOOP_RUNTIME(maybe_nonmonotonic_runtime, false)
LOOP_RUNTIME(ordered_runtime, true)

static void construct_end(bool waits)
{
	const struct wait before = overhead_begin();
	struct member *m = here();

	share_end(m);
	if (waits)
		team_barrier(m, THR_IBAR_STATE);
	wait_end(before);
}

void GOMP_loop_end(void)
{
	construct_end(true);
}

void GOMP_loop_end_nowait(void)
{
	construct_end(false);
}

/* ---- sections --------------------------------------------------------- */

unsigned GOMP_sections_start(unsigned count)
{
	long from, to;

	return loop_start(share_of_sections(count), &from, &to) ? (unsigned)from : 0;
}

unsigned GOMP_sections_next(void)
{
	long from, to;

	return loop_next(&from, &to) ? (unsigned)from : 0;
}

void GOMP_sections_end(void)
{
	construct_end(true);
}

void GOMP_sections_end_nowait(void)
{
	construct_end(false);
}

/* ---- single, ordered -------------------------------------------------- */

bool GOMP_single_start(void)
{
	const struct wait before = overhead_begin();
	struct member *m = here();
	const bool first = share_begin(m, share_of_sections(0));

	share_end(m);
	wait_end(before);
	if (first)
		tell(OMP_EVENT_THR_BEGIN_SINGLE);
	return first;
}

void *GOMP_single_copy_start(void)
{
	const struct wait before = overhead_begin();
	struct member *m = here();
	const bool first = share_begin(m, share_of_sections(0));
	void *copied = NULL;

	if (!first) {
		team_barrier(m, THR_IBAR_STATE);
		copied = m->share->copied;
		share_end(m);
	}
	wait_end(before);
	if (first)
		tell(OMP_EVENT_THR_BEGIN_SINGLE);
	return copied;
}

void GOMP_single_copy_end(void *copied)
{
	const struct wait before = overhead_begin();
	struct member *m = here();

	m->share->copied = copied;
	team_barrier(m, THR_IBAR_STATE);
	share_end(m);
	wait_end(before);
}

void GOMP_ordered_start(void)
{
	const struct wait before = overhead_begin();

	ordered_wait(here());
	wait_end(before);
	tell(OMP_EVENT_THR_BEGIN_ORDERED);
}

/* The turn is passed with the chunk. */
void GOMP_ordered_end(void)
{
	tell(OMP_EVENT_THR_END_ORDERED);
}

/* ---- barriers and locks ----------------------------------------------- */

void GOMP_barrier(void)
{
	team_barrier(here(), THR_EBAR_STATE);
}

static atomic_uint unnamed, atomics;

void GOMP_critical_start(void)
{
	word_lock(&unnamed, THR_CTWT_STATE, OMP_EVENT_THR_BEGIN_CTWT);
}

void GOMP_critical_end(void)
{
	word_unlock(&unnamed);
}

/* The compiler gives each name a pointer that is NULL at first. */
void GOMP_critical_name_start(void **name)
{
	word_lock((atomic_uint *)(void *)name, THR_CTWT_STATE, OMP_EVENT_THR_BEGIN_CTWT);
}

void GOMP_critical_name_end(void **name)
{
	word_unlock((atomic_uint *)(void *)name);
}

void GOMP_atomic_start(void)
{
	word_lock(&atomics, THR_ATWT_STATE, OMP_EVENT_THR_BEGIN_ATWT);
}

void GOMP_atomic_end(void)
{
	word_unlock(&atomics);
}

/* ---- cancellation ----------------------------------------------------- */

bool GOMP_cancel(int what, bool really)
{
	(void)what;
	(void)really;
	return false;
}

bool GOMP_cancellation_point(int what)
{
	(void)what;
	return false;
}

bool GOMP_barrier_cancel(void)
{
	GOMP_barrier();
	return false;
}

bool GOMP_loop_end_cancel(void)
{
	GOMP_loop_end();
	return false;
}

bool GOMP_sections_end_cancel(void)
{
	GOMP_sections_end();
	return false;
}

/* ---- tasks ------------------------------------------------------------ */

enum { TASK_DETACHED = 1 << 13 };

/* A copy of data where the task's copy has to be constructed. */
static void run_copy(body *fn, void *data, void (*copy)(void *, void *), long size, long align)
{
	void *own = aligned_alloc((size_t)align, (size_t)((size + align - 1) / align * align));

	if (!own)
		testomp_die("no memory for a task");
	copy(own, data);
	fn(own);
	free(own);
}

void GOMP_task(body *fn, void *data, void (*copy)(void *, void *), long size, long align,
	       bool deferred, unsigned flags, void **depend, int priority, void *detach)
{
	(void)deferred;
	(void)depend;
	(void)priority;
	(void)detach;
	if (flags & TASK_DETACHED)
		testomp_die("detached tasks are not implemented");
	if (fault(FAULT_TASK_OVERHEAD))
		overhead_begin();
	if (copy)
		run_copy(fn, data, copy, size, align);
	else
		fn(data);
}

/* One task does it all; the body finds its bounds in the data's first words. */
void GOMP_taskloop(body *fn, void *data, void (*copy)(void *, void *), long size, long align,
		   unsigned flags, unsigned long tasks, int priority, long start, long end,
		   long step)
{
	(void)flags;
	(void)tasks;
	(void)priority;
	if (step > 0 ? start >= end : start <= end)
		return;
	((long *)data)[0] = start;
	((long *)data)[1] = end;
	if (copy)
		testomp_die("taskloops that copy objects are not implemented");
	fn(data);
	(void)size;
	(void)align;
}

void GOMP_taskwait(void)
{
}

void GOMP_taskwait_depend(void **depend)
{
	(void)depend;
}

void GOMP_taskyield(void)
{
}

void GOMP_taskgroup_start(void)
{
}

void GOMP_taskgroup_end(void)
{
}

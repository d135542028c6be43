/* SPDX-License-Identifier: BSD-3-Clause
 * waits - one thread waits for the other at one construct, for a known time.
 *
 * waits KIND [SECONDS [wall]]: one of two threads computes nine times as long as
 * the other, which then waits at KIND (see the table at the end).  Prints what
 * both threads' CPU clocks saw while they waited there, of the process's, which is
 * right for runtimes whose waiting threads spin; or, with `wall', what a clock on
 * the wall did, of the time of all threads.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "work.h"

enum { UNIT_NS = 1000000 };
static omp_lock_t lock, hinted;
static omp_nest_lock_t nest_lock;

KEEP void worker_part(void)
{
	crunch_for(9 * UNIT_NS);
	STAY();
}

KEEP void first_part(void)
{
	crunch_for(UNIT_NS);
	STAY();
}

/* Each thread's clock; any thread may read it. */
static clockid_t clock_of[2];
static int on_the_wall;
/* When each began to run. */
static int64_t born[2];

static void find_clock(int me)
{
	if (!born[me])
		born[me] = clock_ns(CLOCK_MONOTONIC);
	if (on_the_wall)
		clock_of[me] = CLOCK_MONOTONIC;
	else
		pthread_getcpuclockid(pthread_self(), &clock_of[me]);
}

/* From a thread's begin_wait() to its end_wait(), where it began one. */
static int64_t began[2], waited[2];

KEEP void begin_wait(int me)
{
	began[me] = clock_ns(clock_of[me]);
}

KEEP void end_wait(int me)
{
	if (began[me])
		waited[me] += clock_ns(clock_of[me]) - began[me];
	began[me] = 0;
}

/* What a thread has to do before it waits. */
KEEP void part(int me, int longer)
{
	end_wait(me);
	if (longer)
		worker_part();
	else
		first_part();
	begin_wait(me);
	STAY();
}

/* Until one thread is inside: it then holds what the other comes to wait for. */
static int inside;

static void enter(void)
{
#pragma omp atomic write
	inside = 1;
}

/* False where it never comes: libomp may have a worker sleep beside a task, which the thread that
   waits for the task then executes itself. */
static int await(void)
{
	const int64_t most = clock_ns(CLOCK_MONOTONIC) + 1000000000;
	int now;

	do {
#pragma omp atomic read
		now = inside;
	} while (!now && clock_ns(CLOCK_MONOTONIC) < most);
	return now;
}

/* The one that waits, when the other is inside. */
KEEP void come_late(int me)
{
	first_part();
	if (await())
		begin_wait(me);
	STAY();
}

KEEP void hold(void)
{
	enter();
	worker_part();
	STAY();
}

/* ---- barriers -------------------------------------------------------- */

KEEP void at_barrier(int me)
{
	part(me, me);
#pragma omp barrier /* barrier */
	end_wait(me);
	STAY();
}

/* The initial thread waits for the worker at the region's end; both waits are
   ended by main(). */
KEEP void at_end(int me)
{
	part(me, me);
	STAY();
}

/* The worker waits for the initial thread. */
KEEP void at_end_too(int me)
{
	part(me, !me);
	STAY();
}

KEEP void at_for(int me)
{
	int i;

	begin_wait(me);
#pragma omp for schedule(static, 1) /* for */
	for (i = 0; i < 2; i++)
		part(me, me);
	end_wait(me);
	STAY();
}

KEEP void at_sections(int me)
{
	begin_wait(me);
#pragma omp sections /* sections */
	{
#pragma omp section
		part(me, me);
#pragma omp section
		part(me, me);
	}
	end_wait(me);
	STAY();
}

KEEP void at_single(int me)
{
	begin_wait(me);
#pragma omp single /* single */
	part(me, 1);
	end_wait(me);
	STAY();
}

KEEP void at_copyprivate(int me)
{
	int n = me;

	begin_wait(me);
#pragma omp single copyprivate(n)
	part(me, 1);
	end_wait(me);
	if (n < 0)
		worker_part();
	STAY();
}

/* Between two regions, which is seen to by main(), the initial thread computes
   for long. */
KEEP void idle(int me)
{
	end_wait(me);
	first_part();
	STAY();
}

/* ---- one after the other --------------------------------------------- */

KEEP void at_critical(int me)
{
	if (!me)
		come_late(me);
#pragma omp critical(queue) /* critical */
	{
		end_wait(me);
		if (me)
			hold();
	}
	STAY();
}

KEEP void at_unnamed(int me)
{
	if (!me)
		come_late(me);
#pragma omp critical /* unnamed */
	{
		end_wait(me);
		if (me)
			hold();
	}
	STAY();
}

KEEP void at_lock(int me)
{
	if (!me)
		come_late(me);
	omp_set_lock(&lock); /* lock */
	end_wait(me);
	if (me)
		hold();
	omp_unset_lock(&lock);
	STAY();
}

KEEP void at_hinted(int me)
{
	if (!me)
		come_late(me);
	omp_set_lock(&hinted); /* hinted */
	end_wait(me);
	if (me)
		hold();
	omp_unset_lock(&hinted);
	STAY();
}

KEEP void at_nest_lock(int me)
{
	if (!me)
		come_late(me);
	omp_set_nest_lock(&nest_lock); /* nest_lock */
	end_wait(me);
	if (me)
		hold();
	omp_unset_nest_lock(&nest_lock);
	STAY();
}

KEEP void at_ordered(int me)
{
	int i;

#pragma omp for ordered schedule(static, 1)
	for (i = 0; i < 2; i++) {
		if (i == 1)
			come_late(me);
#pragma omp ordered /* ordered */
		{
			end_wait(me);
			if (i == 0)
				hold();
		}
	}
	STAY();
}

/* gcc's from 6 on. */
#if _OPENMP >= 201511
KEEP void at_doacross(int me)
{
	int i;

#pragma omp for ordered(1) schedule(static, 1)
	for (i = 0; i < 2; i++) {
		if (i == 0)
			hold();
		else
			come_late(me);
#pragma omp ordered depend(sink : i - 1) /* doacross */
		end_wait(me);
#pragma omp ordered depend(source)
	}
	STAY();
}
#endif

/* What compilers call where the processor has no instruction: gcc for a long
   double; clang's own way does without the runtime, that of others doesn't. */
static long double sum;

#ifdef __clang__
extern void __kmpc_atomic_start(void), __kmpc_atomic_end(void);

static void atomic_hold(void)
{
	__kmpc_atomic_start();
	hold();
	__kmpc_atomic_end();
}

static void atomic_add(void)
{
	__kmpc_atomic_start(); /* atomic: clang */
	sum += 1;
	__kmpc_atomic_end();
}
#else
extern void GOMP_atomic_start(void), GOMP_atomic_end(void);

static void atomic_hold(void)
{
	GOMP_atomic_start();
	hold();
	GOMP_atomic_end();
}

static void atomic_add(void)
{
#pragma omp atomic /* atomic: gcc */
	sum += 1;
}
#endif

KEEP void at_atomic(int me)
{
	if (me) {
		atomic_hold();
	} else {
		come_late(me);
		atomic_add();
		end_wait(me);
	}
	STAY();
}

/* ---- reductions ------------------------------------------------------ */

struct slow {
	double x;
};

KEEP void combine(struct slow *out, const struct slow *in)
{
	int me = omp_get_thread_num();

	end_wait(me);
	out->x += in->x;
	if (me)
		hold();
	STAY();
}

#pragma omp declare reduction(slowly : struct slow : combine(&omp_out, &omp_in)) \
	initializer(omp_priv = { 0 })

static struct slow reduced;
static double added;

KEEP void at_reduction(int me)
{
	int i;

#pragma omp for schedule(static, 1) reduction(slowly : reduced) nowait /* reduction */
	for (i = 0; i < 2; i++) {
		if (!me)
			come_late(me);
		reduced.x += 1;
	}
	STAY();
}

KEEP void at_tree(int me)
{
	int i;

	begin_wait(me);
#pragma omp for schedule(static, 1) reduction(+ : added) nowait /* tree */
	for (i = 0; i < 2; i++) {
		part(me, me);
		added += 1;
	}
	end_wait(me);
	STAY();
}

KEEP void at_reduced(int me)
{
	int i;

	begin_wait(me);
#pragma omp for schedule(static, 1) reduction(+ : added) /* reduced */
	for (i = 0; i < 2; i++) {
		part(me, me);
		added += 1;
	}
	end_wait(me);
	STAY();
}

/* ---- tasks, which the other thread runs ------------------------------ */

KEEP void at_taskwait(int me)
{
	if (me)
		return;
#pragma omp task
	hold();
	come_late(me);
#pragma omp taskwait /* taskwait */
	end_wait(me);
	STAY();
}

KEEP void at_taskgroup(int me)
{
	if (me)
		return;
#pragma omp taskgroup
	{
#pragma omp task
		hold();
		come_late(me);
	} /* taskgroup */
	end_wait(me);
	STAY();
}

static int data;

KEEP void at_depend(int me)
{
	if (me)
		return;
#pragma omp task depend(out : data)
	hold();
	come_late(me);
#pragma omp task depend(in : data) if (0) /* depend */
	end_wait(0);
	STAY();
}

#if defined(__clang__) ? __clang_major__ >= 16 : __GNUC__ >= 9
#define TASKWAIT_DEPEND
KEEP void at_taskwait_depend(int me)
{
	if (me)
		return;
#pragma omp task depend(out : data)
	hold();
	come_late(me);
#pragma omp taskwait depend(in : data) /* taskwait_depend */
	end_wait(me);
	STAY();
}
#endif

/* ---------------------------------------------------------------------- */

static const struct kind {
	const char *name;
	void (*body)(int me);
} kinds[] = {
	{ "barrier", at_barrier }, { "region", at_end }, { "team", at_end_too }, { "for", at_for },
	{ "sections", at_sections }, { "single", at_single },
	{ "copyprivate", at_copyprivate }, { "idle", idle },
	{ "critical", at_critical }, { "unnamed", at_unnamed }, { "lock", at_lock },
	{ "hinted", at_hinted },
	{ "nest_lock", at_nest_lock }, { "ordered", at_ordered },
#if _OPENMP >= 201511
	{ "doacross", at_doacross },
#endif
	{ "atomic", at_atomic },
	{ "reduction", at_reduction }, { "tree", at_tree },
	{ "reduced", at_reduced },
	{ "taskwait", at_taskwait }, { "taskgroup", at_taskgroup },
	{ "depend", at_depend },
#ifdef TASKWAIT_DEPEND
	{ "taskwait_depend", at_taskwait_depend },
#endif
};

KEEP void region(void (*body)(int me))
{
	inside = 0;
#pragma omp parallel num_threads(2) /* region */
	{
		find_clock(omp_get_thread_num());
		body(omp_get_thread_num());
		STAY();
	}
	STAY();
}

/* libgomp, which gcc links to, lacks the function; LLVM's runtime in its place has it. */
static void init_hinted(void)
{
	enum { UNCONTENDED = 1 }; /* omp_lock_hint_uncontended */
	void (*init)(omp_lock_t *, int) =
		(void (*)(omp_lock_t *, int))dlsym(RTLD_DEFAULT, "omp_init_lock_with_hint");

	if (init)
		init(&hinted, UNCONTENDED);
	else
		omp_init_lock(&hinted);
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "barrier";
	double seconds = seconds_of(argc, argv, 2, 1), all;
	int64_t now;
	size_t i, n = sizeof(kinds) / sizeof(kinds[0]);

	for (i = 0; i < n && strcmp(name, kinds[i].name); i++)
		;
	if (i == n) {
		fprintf(stderr, "waits: no such construct: %s\n", name);
		return 2;
	}
	on_the_wall = argc > 3;
	born[0] = clock_ns(CLOCK_MONOTONIC);
	omp_set_dynamic(0);
	omp_init_lock(&lock);
	init_hinted();
	omp_init_nest_lock(&nest_lock);
	do {
		region(kinds[i].body);
		end_wait(0);
		end_wait(1);
		if (kinds[i].body == idle) {
			begin_wait(1);
			worker_part();
		}
	} while (still_running(seconds));
	omp_destroy_lock(&lock);
	omp_destroy_lock(&hinted);
	omp_destroy_nest_lock(&nest_lock);
	now = clock_ns(CLOCK_MONOTONIC);
	all = on_the_wall ? (double)(now - born[0] + now - born[1]) :
	      (double)clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	printf("share %.4f\n", (double)(waited[0] + waited[1]) / all);
	return 0;
}

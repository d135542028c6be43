/* SPDX-License-Identifier: BSD-3-Clause
 * entries - what synchronises, each as often as it says.
 *
 * It prints, for each, NAME ENTRIES LEAST_NS: how often its threads entered it,
 * and how long at least they were inside in all, as a clock shows within.
 */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>

#include "work.h"

enum { THREADS = 2, OFTEN = 1000, BARRIERS = 10, GROUPS = 5, WAITS = 7, ITERATIONS = 100,
       UNIT_NS = 2000, LONG_NS = 200000 };

static omp_lock_t first_lock, second_lock;
static omp_nest_lock_t nest_lock;
static volatile int count;
static int got;			/* test_lock's successes */
static _Atomic int waited;	/* at all taskwaits */

/* Inside for that long, however fast the machine is. */
static void stay(int64_t ns)
{
	const int64_t begin = clock_ns(CLOCK_MONOTONIC);

	while (clock_ns(CLOCK_MONOTONIC) - begin < ns)
		;
	count++;
}

KEEP void in_unnamed(void)
{
#pragma omp critical			/* unnamed */
	count++;
	STAY();
}

KEEP void in_critical(void)
{
#pragma omp critical(queue)		/* critical */
	stay(UNIT_NS);
	STAY();
}

KEEP void in_ordered(void)
{
	int i;

#pragma omp for ordered schedule(static, 1)
	for (i = 0; i < ITERATIONS; i++) {
#pragma omp ordered			/* ordered */
		stay(UNIT_NS);
	}
	STAY();
}

KEEP void at_barrier(void)
{
#pragma omp barrier			/* barrier */
	STAY();
}

/* Called where no other thread can run the task: it then runs in the taskwait. */
KEEP void at_taskwait(void)
{
#pragma omp task
	stay(LONG_NS);
#pragma omp taskwait			/* taskwait */
	STAY();
}

KEEP void in_taskgroup(void)
{
#pragma omp taskgroup			/* taskgroup */
	{
#pragma omp task
		stay(LONG_NS);
	}
	STAY();
}

/* The second is taken before the first is given back. */
KEEP void hand_over_hand(void)
{
	omp_set_lock(&first_lock);	/* first */
	stay(UNIT_NS);
	omp_set_lock(&second_lock);	/* second */
	stay(UNIT_NS);
	omp_unset_lock(&first_lock);
	stay(UNIT_NS);
	omp_unset_lock(&second_lock);
	STAY();
}

KEEP void try(void)
{
	if (omp_test_lock(&first_lock)) { /* tried */
		stay(UNIT_NS);
#pragma omp atomic
		got++;
		omp_unset_lock(&first_lock);
	}
	STAY();
}

KEEP void nested(int depth)
{
	omp_set_nest_lock(&nest_lock);	/* nested */
	if (depth > 1)
		nested(depth - 1);
	else
		stay(UNIT_NS);
	omp_unset_nest_lock(&nest_lock);
	STAY();
}

/* Set by one task, unset by another, of one thread or two. */
KEEP void elsewhere(void)
{
	omp_set_lock(&second_lock);	/* elsewhere */
#pragma omp task
	omp_unset_lock(&second_lock);
#pragma omp taskwait
	STAY();
}

KEEP void region(void)
{
	int i;

#pragma omp parallel num_threads(THREADS) private(i)
	{
		for (i = 0; i < OFTEN; i++)
			in_unnamed();
		for (i = 0; i < OFTEN; i++)
			in_critical();
		in_ordered();
		for (i = 0; i < BARRIERS; i++)
			at_barrier();
		for (i = 0; i < OFTEN; i++)
			hand_over_hand();
		for (i = 0; i < OFTEN; i++)
			try();
		for (i = 0; i < OFTEN; i++)
			nested(3);
#pragma omp single
		{
			for (i = 0; i < GROUPS; i++)
				in_taskgroup();
			for (i = 0; i < WAITS; i++)
				elsewhere();
		}
		if (omp_get_thread_num() == 0) {
			for (i = 0; i < WAITS; i++)
				at_taskwait();
			waited = 1;
		}
		/* Others are not where they could take a task. */
		while (!waited)
			;
	}
	STAY();
}

static void tell(const char *name, int entries, long unit_ns)
{
	printf("%s %d %ld\n", name, entries, entries * unit_ns);
}

int main(void)
{
	omp_set_dynamic(0);
	omp_init_lock(&first_lock);
	omp_init_lock(&second_lock);
	omp_init_nest_lock(&nest_lock);
	region();
	tell("unnamed", THREADS * OFTEN, 0);
	tell("critical", THREADS * OFTEN, UNIT_NS);
	tell("ordered", ITERATIONS, UNIT_NS);
	tell("barrier", THREADS * BARRIERS, 0);
	tell("taskgroup", GROUPS, LONG_NS);
	tell("taskwait", WAITS, LONG_NS);
	tell("first", THREADS * OFTEN, 2 * UNIT_NS);
	tell("second", THREADS * OFTEN, 2 * UNIT_NS);
	tell("tried", got, UNIT_NS);
	tell("nested", 3 * THREADS * OFTEN, UNIT_NS);
	tell("elsewhere", WAITS, 0);
	return 0;
}

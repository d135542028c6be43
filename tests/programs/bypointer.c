/* SPDX-License-Identifier: BSD-3-Clause
 * bypointer - functions that end in a region or a task, and so leave by a tail call of the
 * runtime, called by pointers from one place: nothing of them is on the stack.
 *
 * bypointer [alone | uneven].  Each of them is called CALLS times; alone: the first of them twice as often,
 * the others never; uneven: one thread of shortly() has twice the work.  In both all work is a third.  Comments
 * name the lines that tests look for.
 */
#include <omp.h>
#include <string.h>

#include "work.h"

static int uneven;
static int64_t unit_ns = 12000000;

enum { CALLS = 20 };

/* Bodies that differ, and are on the stack while they work. */
KEEP void shortly(void)
{
#pragma omp parallel num_threads(2) /* shortly */
	{
		crunch_for(uneven && omp_get_thread_num() ? 2 * unit_ns : unit_ns);
		STAY();
	}
}

KEEP void longer(void)
{
#pragma omp parallel num_threads(2) /* longer */
	{
		crunch_for(2 * unit_ns);
		STAY();
	}
}

KEEP void small_task(void)
{
#pragma omp task /* small_task */
	{
		crunch_for(unit_ns / 4);
		STAY();
	}
}

KEEP void large_task(void)
{
#pragma omp task /* large_task */
	{
		crunch_for(unit_ns / 2);
		STAY();
	}
}

static void (*volatile regions[])(void) = { shortly, longer };
static void (*volatile tasks[])(void) = { small_task, large_task };

int main(int argc, char **argv)
{
	uneven = argc > 1 && !strcmp(argv[1], "uneven");
	if (argc > 1)
		unit_ns /= 3;
	const int kinds = argc > 1 && !strcmp(argv[1], "alone") ? 1 : 2;

	for (int i = 0; i < 2 * CALLS; i++)
		regions[i % kinds](); /* call */
#pragma omp parallel num_threads(2) /* tasks */
#pragma omp single
	for (int i = 0; i < 2 * CALLS; i++)
		tasks[i % kinds](); /* task_call */
	return 0;
}

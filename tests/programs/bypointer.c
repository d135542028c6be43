/*
 * bypointer - functions that end in a region or a task, and so leave by a tail call of the
 * runtime, called by pointers from one place: nothing of them is on the stack.
 *
 * bypointer.  Each of them is called CALLS times.  Comments name the lines that tests look for.
 */
#include <omp.h>

#include "work.h"

enum { CALLS = 20, UNIT_NS = 12000000 };

/* Bodies that differ, and are on the stack while they work. */
KEEP void shortly(void)
{
#pragma omp parallel num_threads(2) /* shortly */
	{
		crunch_for(UNIT_NS);
		STAY();
	}
}

KEEP void longer(void)
{
#pragma omp parallel num_threads(2) /* longer */
	{
		crunch_for(2 * UNIT_NS);
		STAY();
	}
}

KEEP void small_task(void)
{
#pragma omp task /* small_task */
	{
		crunch_for(UNIT_NS / 4);
		STAY();
	}
}

KEEP void large_task(void)
{
#pragma omp task /* large_task */
	{
		crunch_for(UNIT_NS / 2);
		STAY();
	}
}

static void (*volatile regions[])(void) = { shortly, longer };
static void (*volatile tasks[])(void) = { small_task, large_task };

int main(void)
{
	for (int i = 0; i < 2 * CALLS; i++)
		regions[i % 2](); /* call */
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < 2 * CALLS; i++)
		tasks[i % 2](); /* task_call */
	return 0;
}

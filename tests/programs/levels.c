/* SPDX-License-Identifier: BSD-3-Clause
 * levels - a recursion that creates a task at each level, of each kind that runs at once where
 * there is no team, and computes itself between them.
 *
 * levels [SECONDS [in]]: outside of regions, or in one. The work of a level lies beneath so many
 * calls of its kind's function: DEPTH.
 */
#include <stdio.h>

#include "work.h"

enum { DEPTH = 4, UNIT_NS = 1000000 };

KEEP void task_work(void)
{
	crunch_for(UNIT_NS);
	STAY();
}

KEEP void own_work(void)
{
	crunch_for(UNIT_NS);
	STAY();
}

KEEP void waited(int depth)
{
	if (depth > 1)
		waited(depth - 1);
#pragma omp task
	task_work();
#pragma omp taskwait
	own_work();
	STAY();
}

KEEP void undeferred(int depth)
{
	if (depth > 1)
		undeferred(depth - 1);
#pragma omp task if (0)
	task_work();
	own_work();
	STAY();
}

KEEP void final(int depth)
{
	own_work();
#pragma omp task final(1)
	task_work();
	if (depth > 1)
		final(depth - 1);
	own_work();
	STAY();
}

KEEP void all(void)
{
	waited(DEPTH);
	undeferred(DEPTH);
	final(DEPTH);
	STAY();
}

int main(int argc, char **argv)
{
	const double seconds = seconds_of(argc, argv, 1, 1);

	do {
		if (argc > 2) {
#pragma omp parallel num_threads(2)
#pragma omp single
			all();
		} else {
			all();
		}
	} while (still_running(seconds));
	printf("depth %d\n", DEPTH);
	return 0;
}

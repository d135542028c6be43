/* SPDX-License-Identifier: BSD-3-Clause
 * creator - a task that creates others in two places of its own body and waits for
 * them, and tasks that call the function that created them.  creator [SECONDS]
 */
#include <stdio.h>

#include "work.h"

enum { LONG_NS = 2000000, DEPTH = 5 };

static KEEP void compute(int64_t ns)
{
	crunch_for(ns);
	STAY();
}

/* Three tasks for two threads: one of these waits. */
static KEEP void direct(void)
{
#pragma omp parallel
#pragma omp single nowait
#pragma omp task
	{
		for (int i = 0; i < 2; i++) {
#pragma omp task
			compute(LONG_NS);
		}
#pragma omp task
		compute(LONG_NS);
#pragma omp taskwait
	}
}

static KEEP void split(int depth)
{
	if (!depth) {
		compute(LONG_NS / 4);
		return;
	}
#pragma omp task
	split(depth - 1);
#pragma omp task
	split(depth - 1);
#pragma omp taskwait
	STAY();
}

int main(int argc, char **argv)
{
	const double seconds = seconds_of(argc, argv, 1, 1);

	while (still_running(seconds)) {
		direct();
#pragma omp parallel
#pragma omp single
		split(DEPTH);
	}
	puts("done");
	return 0;
}

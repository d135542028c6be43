/* SPDX-License-Identifier: BSD-3-Clause
 * inside - tasks that run other tasks, on one thread.
 *
 * Each of the outer ones takes OUTER_NS itself, before and after it waits for an inner one, which
 * takes INNER_NS. It prints lines "FUNCTION COUNT NS", and "all NS": how long all took.
 */
#include <stdio.h>

#include "work.h"

enum { TASKS = 100, OUTER_NS = 200000, INNER_NS = 100000 };

static void last_for(int64_t ns)
{
	const int64_t end = clock_ns(CLOCK_MONOTONIC) + ns;

	while (clock_ns(CLOCK_MONOTONIC) < end)
		;
}

KEEP void inner(void)
{
#pragma omp task
	last_for(INNER_NS);
#pragma omp taskwait
	STAY();
}

KEEP void outer(void)
{
	for (int i = 0; i < TASKS; i++) {
#pragma omp task
		{
			last_for(OUTER_NS / 2);
			inner();
			last_for(OUTER_NS / 2);
		}
	}
	STAY();
}

int main(void)
{
	const int64_t begin = clock_ns(CLOCK_MONOTONIC);

#pragma omp parallel num_threads(1)
	outer();
	printf("outer %d %d\ninner %d %d\n", TASKS, TASKS * OUTER_NS, TASKS, TASKS * INNER_NS);
	printf("all %lld\n", (long long)(clock_ns(CLOCK_MONOTONIC) - begin));
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * taskgraph.c - four chains of five equal tasks each, and a task that reads what all of them wrote;
 * twice: the second time all of it depends on a barrier. So a path has twelve of the 42 tasks.
 */
#include <time.h>

enum { CHAINS = 4, STEPS = 5 };

static int x[CHAINS];

static __attribute__((noinline)) void work(void)
{
	struct timespec t;
	double end = 0;

	do {
		clock_gettime(CLOCK_MONOTONIC, &t);
		if (end == 0)
			end = (double)t.tv_sec + 1e-9 * (double)t.tv_nsec + 5e-3;
	} while ((double)t.tv_sec + 1e-9 * (double)t.tv_nsec < end);
}

static __attribute__((noinline)) void step(int *v)
{
#pragma omp task depend(inout : v[0])
	work();
}

static __attribute__((noinline)) void read_all(void)
{
#pragma omp task depend(in : x[0], x[1], x[2], x[3])
	work();
}

int main(void)
{
#pragma omp parallel num_threads(2)
	for (int round = 0; round < 2; round++) {
#pragma omp master /* not single: only tasks of one task depend on each other */
		{
			for (int s = 0; s < STEPS; s++)
				for (int c = 0; c < CHAINS; c++)
					step(&x[c]);
			read_all();
		}
#pragma omp barrier
	}
	return 0;
}

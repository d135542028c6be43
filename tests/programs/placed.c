/* SPDX-License-Identifier: BSD-3-Clause
 * placed - works in a region with all its threads, and shows where.
 *
 * placed SECONDS [ELSEWHERE]: each thread computes for SECONDS of its CPU time. With ELSEWHERE
 * it moves from CPU 0 to CPU 1 and back, each time after fifty units of work. Prints lines
 * "CPU n SHARE" of all threads' CPU time, and "ran NS", "moved N" of all threads.
 */
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdio.h>

#include "work.h"

enum { CPUS = 1024, UNIT_NS = 1000000, MOVES = 50 };

static int64_t on[CPUS], ran;
static int moved;

static void move_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
#pragma omp atomic
		moved++;
}

KEEP void work(double seconds, int elsewhere)
{
	int64_t until = own_ns() + (int64_t)(seconds * 1e9);
	int i = 0;

	while (own_ns() < until) {
		const int cpu = sched_getcpu();
		int64_t took;

		if (elsewhere && i++ % MOVES == 0)
			move_to(cpu == 0 ? 1 : 0);
		took = crunch_for(UNIT_NS);
#pragma omp atomic
		on[sched_getcpu() % CPUS] += took;
#pragma omp atomic
		ran += took;
	}
}

int main(int argc, char **argv)
{
	const double seconds = seconds_of(argc, argv, 1, 0.3);
	int i;

#pragma omp parallel
	work(seconds, argc > 2);
	for (i = 0; i < CPUS; i++)
		if (on[i])
			printf("CPU %d %.4f\n", i, (double)on[i] / (double)ran);
	printf("ran %lld\nmoved %d\n", (long long)ran, moved);
	return 0;
}

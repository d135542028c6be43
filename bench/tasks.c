/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tasks - measures the creation and execution of an explicit task in nanoseconds, created
 * 24 frames deep, which is deeper than in most programs.
 *
 * tasks [ROUNDS [MARKED]]
 */
#include "least.h"

static __attribute__((noinline)) void create(int n, int depth)
{
	if (depth > 0) {
		create(n, depth - 1);
	} else {
		while (n-- > 0) {
#pragma omp task
			__asm__ volatile("");
		}
#pragma omp taskwait
	}
	__asm__ volatile("" ::: "memory");
}

static void tasks(int n)
{
	create(n, 16);
}

int main(int argc, char **argv)
{
#pragma omp parallel
#pragma omp master
	least_measured(argc, argv, 100, tasks);
	return 0;
}

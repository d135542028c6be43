/* SPDX-License-Identifier: BSD-3-Clause
 * pmu_exact - three regions whose instructions are known: 1, 2 and 4 parts of 7.
 *
 * pmu_exact [MILLIONS] runs so many million instructions (70) in all, equally
 * divided among the threads, each region's in a function of its own.  Prints how
 * many, and the threads.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "instructions.h"
#include "work.h"

KEEP void one_part(uint64_t n)
{
	run_instructions(n);
	STAY();
}

KEEP void two_parts(uint64_t n)
{
	run_instructions(2 * n);
	STAY();
}

KEEP void four_parts(uint64_t n)
{
	run_instructions(4 * n);
	STAY();
}

KEEP void solve(uint64_t n)
{
#pragma omp parallel
	{
		one_part(n);
		STAY();
	}
#pragma omp parallel
	{
		two_parts(n);
		STAY();
	}
#pragma omp parallel
	{
		four_parts(n);
		STAY();
	}
	STAY();
}

int main(int argc, char **argv)
{
	uint64_t millions = argc > 1 ? strtoull(argv[1], NULL, 10) : 70;
	uint64_t n = millions * 1000000 / 7 / (uint64_t)omp_get_max_threads() / 2 * 2;

	solve(n);
	printf("instructions %llu\nthreads %d\n",
	       (unsigned long long)n * 7 * (unsigned long long)omp_get_max_threads(),
	       omp_get_max_threads());
	return 0;
}

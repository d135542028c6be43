/* SPDX-License-Identifier: BSD-3-Clause
 * pmu_team - a team whose threads each do something else, known by instructions.
 *
 * pmu_team [MILLIONS] lets thread 0 and thread 1 of a region run in functions of
 * their own, thread 1 three times as long; then both the same.  The first waits
 * at the region's end.  Prints the instructions of each function.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "instructions.h"
#include "work.h"

KEEP void short_work(uint64_t n)
{
	run_instructions(n);
	STAY();
}

KEEP void long_work(uint64_t n)
{
	run_instructions(n);
	STAY();
}

KEEP void even_work(uint64_t n)
{
	run_instructions(n);
	STAY();
}

KEEP void uneven(uint64_t n)
{
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 0)
			short_work(n);
		else
			long_work(3 * n);
		STAY();
	}
	STAY();
}

KEEP void even(uint64_t n)
{
#pragma omp parallel num_threads(2)
	{
		even_work(2 * n);
		STAY();
	}
	STAY();
}

int main(int argc, char **argv)
{
	uint64_t n = (argc > 1 ? strtoull(argv[1], NULL, 10) : 10) * 1000000;

	uneven(n);
	even(n);
	printf("short_work %llu\nlong_work %llu\neven_work %llu\n", (unsigned long long)n,
	       (unsigned long long)n * 3, (unsigned long long)n * 4);
	return 0;
}

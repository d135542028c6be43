/* SPDX-License-Identifier: BSD-3-Clause
 * crowded - many more threads than CPUs: each has a share of a loop, and waits at its end.
 *
 * crowded MS: computes for about so long, in 20 loops. Prints the CPU time of the loops, by the
 * threads' own clocks, and of the process.
 */
#include <stdio.h>
#include <stdlib.h>

#include "work.h"

int main(int argc, char **argv)
{
	const int turns = argc > 1 ? atoi(argv[1]) : 300; /* of 50 us, in each loop */
	int64_t worked = 0;

	for (int i = 0; i < 20; i++) {
#pragma omp parallel reduction(+ : worked)
		{
			const int64_t begin = own_ns();
#pragma omp for nowait
			for (int k = 0; k < turns; k++)
				crunch(k);
			worked += own_ns() - begin;
		}
	}
	printf("worked_ns %lld\ncpu_ns %lld\n", (long long)worked,
	       (long long)clock_ns(CLOCK_PROCESS_CPUTIME_ID));
	return 0;
}

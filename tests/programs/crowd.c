/* SPDX-License-Identifier: BSD-3-Clause
 * crowd.c - short regions one after another, for so many seconds: with more threads
 * than processors a good part of a worker's time is its way into a region.
 */
#include <stdio.h>

#include "work.h"

enum { CELLS = 4096 };

static double cell[CELLS];

KEEP void step(void)
{
#pragma omp parallel for schedule(static)
	for (int i = 0; i < CELLS; i++) {
		double x = cell[i];

		for (int k = 0; k < 20; k++)
			x = x * 0.999 + 0.5;
		cell[i] = x;
	}
}

int main(int argc, char **argv)
{
	const int64_t end = clock_ns(CLOCK_MONOTONIC) +
			    (int64_t)(1e9 * (argc > 1 ? atof(argv[1]) : 1.0));
	long steps = 0;

	for (; clock_ns(CLOCK_MONOTONIC) < end; steps++)
		step();
	printf("steps %ld\n", steps);
	return cell[1] < 0;
}

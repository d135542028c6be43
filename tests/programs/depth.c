/* SPDX-License-Identifier: BSD-3-Clause
 * depth - parallel sections in parallel sections, DEPTH deep, REPEAT times; and functions with
 * regions that are called both at the top and in a region.
 *
 * depth DEPTH REPEAT prints how many regions and sections constructs there were: "MARK COUNT". The
 * number of threads in each region is the environment's; where it allows nested teams, all of
 * a region's threads are in its construct.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "work.h"

static int regions, entered, shared;

KEEP void descend(int depth)
{
	if (depth == 0) {
		crunch_for(1000000);
		return;
	}
	regions++;
#pragma omp parallel sections
	{
#pragma omp section
		{
			entered += omp_get_num_threads();
			descend(depth - 1);
		}
#pragma omp section
		crunch_for(1000);
	}
	STAY();
}

KEEP void library(void)
{
#pragma omp atomic
	shared++;
#pragma omp parallel
	crunch_for(30000000);
	STAY();
}

int main(int argc, char **argv)
{
	int depth = argc > 1 ? atoi(argv[1]) : 1, repeat = argc > 2 ? atoi(argv[2]) : 1;

	for (int i = 0; i < repeat; i++)
		descend(depth);
	library();
#pragma omp parallel
	library();
	printf("regions %d\nsections %d\nlibrary %d\n", regions, entered, shared);
	return 0;
}

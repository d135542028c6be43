/* SPDX-License-Identifier: BSD-3-Clause
 * branches DEPTH - a recursion with two regions' sections in each level, as a quicksort with
 * "parallel sections" and nesting off. Prints how many regions there were.
 */
#include <stdio.h>
#include <stdlib.h>

#include "work.h"

static long regions;

KEEP void split(int depth)
{
	crunch_for(2000);
	if (depth == 0)
		return;
#pragma omp atomic
	regions++;
#pragma omp parallel sections num_threads(2)
	{
#pragma omp section
		split(depth - 1);
#pragma omp section
		split(depth - 1);
	}
	STAY();
}

int main(int argc, char **argv)
{
	split(argc > 1 ? atoi(argv[1]) : 1);
	printf("%ld\n", regions);
	return 0;
}

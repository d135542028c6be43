/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * criticals - measures an empty, uncontended critical section in nanoseconds.
 *
 * criticals [ROUNDS]
 */
#include <stdio.h>
#include <stdlib.h>

#include "least.h"

static void criticals(int n)
{
	while (n-- > 0) {
#pragma omp critical
		__asm__ volatile("");
	}
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 2000;

#pragma omp parallel
#pragma omp master
	{
		criticals(100);
		printf("%.1f\n", least_ns(rounds, 100, criticals));
	}
	return 0;
}

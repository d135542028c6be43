/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * regions - measures an empty fork-join region in nanoseconds.
 *
 * regions [ROUNDS]
 */
#include <stdio.h>
#include <stdlib.h>

#include "least.h"

static void regions(int n)
{
	while (n-- > 0) {
#pragma omp parallel
		__asm__ volatile("");
	}
}

int main(int argc, char **argv)
{
	regions(100);
	printf("%.1f\n", least_ns(argc > 1 ? atoi(argv[1]) : 2000, 200, regions));
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chunks - measures an iteration of a loop with schedule(dynamic), which does nothing, in
 * nanoseconds: a call into the runtime each.
 *
 * chunks [ROUNDS]
 */
#include <stdio.h>
#include <stdlib.h>

#include "least.h"

static void chunks(int n)
{
#pragma omp parallel for schedule(dynamic)
	for (int i = 0; i < n; i++)
		__asm__ volatile("");
}

int main(int argc, char **argv)
{
	chunks(100);
	printf("%.2f\n", least_ns(argc > 1 ? atoi(argv[1]) : 1000, 20000, chunks));
	return 0;
}

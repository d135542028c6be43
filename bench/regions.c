/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * regions - measures an empty fork-join region in nanoseconds.
 *
 * regions [ROUNDS [MARKED]]
 */
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
	least_measured(argc, argv, 200, regions);
	return 0;
}

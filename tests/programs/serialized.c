/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * serialized - a region whose if clause is false, in a function that is inlined into the body of
 * the region around it: compilers call the inner body there. The threads of the outer region have
 * 2 iterations and 1.
 */
#include "work.h"

static int never;

KEEP void kernel(void)
{
	crunch_for(5000000);
	STAY();
}

static inline __attribute__((always_inline)) void inner(void)
{
#pragma omp parallel if (never)
	kernel();
}

KEEP void outer(void)
{
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < 3; i++)
		inner();
	STAY();
}

int main(int argc, char **argv)
{
	(void)argv;
	never = argc > 10;
	for (int i = 0; i < 40; i++)
		outer();
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * places - several constructs of each kind in one function, for reports on programs
 * whose lines nobody knows any more.
 *
 * places [SECONDS] prints how often it went round.
 */
#include <stdio.h>

#include "work.h"

enum { PIECES = 8 };

static KEEP void compute(int64_t ns)
{
	crunch_for(ns);
	STAY();
}

/* Compilers copy the first region's call for each round. */
static KEEP void solve(void)
{
	for (int round = 0; round < 2; round++) {
#pragma omp parallel
		{
			compute(900000);
			STAY();
		}
	}
#pragma omp parallel
	{
		compute(600000);
		STAY();
	}
}

static KEEP void create(void)
{
#pragma omp parallel
#pragma omp single
	{
		for (int i = 0; i < PIECES; i++) {
#pragma omp task
			compute(100000);
		}
		for (int i = 0; i < PIECES; i++) {
#pragma omp task
			compute(20000);
		}
	}
}

static KEEP void share(void)
{
#pragma omp parallel
	{
#pragma omp for schedule(dynamic)
		for (int i = 0; i < PIECES; i++)
			compute(80000);
#pragma omp for schedule(dynamic)
		for (int i = 0; i < PIECES; i++)
			compute(40000);
	}
}

int main(int argc, char **argv)
{
	const double seconds = seconds_of(argc, argv, 1, 1);
	int rounds = 0;

	while (still_running(seconds)) {
		rounds++;
		solve();
		create();
		share();
	}
	printf("rounds %d\n", rounds);
	return 0;
}

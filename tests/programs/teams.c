/* SPDX-License-Identifier: BSD-3-Clause
 * teams - one region that runs with two threads and with one, in turn.
 *
 * teams [SECONDS] prints the true share of all work that was done by two threads.
 */
#include <omp.h>
#include <stdio.h>

#include "work.h"

static int64_t by_two, by_one;

KEEP int64_t kernel(int64_t ns)
{
	return crunch_for(ns);
}

KEEP void area(int threads)
{
	int64_t all = 0;

#pragma omp parallel num_threads(threads) reduction(+ : all)
	{
		kernel(5000000);
		all += 5000000;
	}
	if (threads == 2)
		by_two += all;
	else
		by_one += all;
	STAY();
}

int main(int argc, char **argv)
{
	double seconds = seconds_of(argc, argv, 1, 1);

	omp_set_dynamic(0);
	do {
		area(2);
		area(1);
	} while (still_running(seconds));
	printf("%.4f\n", (double)by_two / (double)(by_two + by_one));
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * nested - a region within a region, its function called from two places.
 *
 * nested [SECONDS] prints the true shares of all work in `inner': left's (two
 * thirds) and right's.
 */
#include <omp.h>
#include <stdio.h>

#include "work.h"

static int64_t left_ns, right_ns;
static int inner_threads;

KEEP int64_t kernel(int64_t ns)
{
	return crunch_for(ns);
}

KEEP int64_t inner(int64_t ns)
{
	int64_t sum = 0;

#pragma omp parallel num_threads(2) reduction(+ : sum)
	{
		sum += kernel(ns);
		STAY();
#pragma omp master
		inner_threads = omp_get_num_threads();
	}
	return sum;
}

KEEP void left(int64_t ns)
{
	left_ns += inner(2 * ns);
	STAY();
}

KEEP void right(int64_t ns)
{
	right_ns += inner(ns);
	STAY();
}

KEEP void outer(int64_t ns)
{
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 0)
			left(ns);
		else
			right(ns);
		STAY();
	}
	STAY();
}

int main(int argc, char **argv)
{
	double seconds = seconds_of(argc, argv, 1, 1), all;

	omp_set_dynamic(0);
	omp_set_max_active_levels(2);
	do {
		outer(5000000);
	} while (still_running(seconds));

	all = (double)(left_ns + right_ns);
	printf("threads %d\nleft %.4f\nright %.4f\n", inner_threads,
	       (double)left_ns / all, (double)right_ns / all);
	return 0;
}

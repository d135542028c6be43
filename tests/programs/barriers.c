/* SPDX-License-Identifier: BSD-3-Clause
 * barriers - calls of GOMP_barrier that gcc copies, and such as it adds without a directive.
 */
#include <omp.h>

#include "work.h"

static int private_of[4] = { 3 };
#pragma omp threadprivate(private_of)
static double volatile sink;

KEEP static void work(void)
{
	sink = crunch(1.0);
	STAY();
}

/* One copy follows the first master, the other is a tail call. */
KEEP void copied(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp master
		work();
#pragma omp barrier							/* copied */
#pragma omp master
		work();
	}
}

/* The thread that enters has a copy of the end. */
KEEP void copied_end(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp single
		work();
		work();
	}
}

/* A barrier before the loop: the last iteration writes what all of them read. */
KEEP int first_and_last(int n)
{
	int x = 4;
#pragma omp parallel num_threads(2)
	{
#pragma omp for firstprivate(x) lastprivate(x) schedule(dynamic)
		for (int i = 0; i < n; i++) {
			work();
			x += i;
		}
	}
	return x;
}

/* A barrier behind the copying. */
KEEP int copied_in(void)
{
	int sum = 0;
#pragma omp parallel num_threads(2) copyin(private_of) reduction(+ : sum)
	{
		work();
		sum += private_of[1];
	}
	return sum;
}

int main(void)
{
	for (int i = 0; i < 5; i++) {
		copied();
		copied_end();
		sink += first_and_last(4);
		sink += copied_in();
	}
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * after - a region with what is inlined into it written after it: lines of that are
 * none of the region's.  The threads enter it together, so that one waits, if both have a CPU:
 * it is entered several times.
 *
 * after ROUNDS
 */
#include <stdio.h>
#include <stdlib.h>

enum { TIMES = 10 };

static inline double later(double x, long n);

int main(int argc, char **argv)
{
	long n = (argc > 1 ? atol(argv[1]) : 100) * (100000 / TIMES);
	double sum = 0;

	for (int i = 0; i < TIMES; i++) {
#pragma omp parallel reduction(+ : sum) /* region */
		{
#pragma omp barrier
#pragma omp critical(section) /* critical */
			sum += later(1.0, n); /* inside */
		}
	}
	printf("%g\n", sum);
	return 0;
}

static inline double later(double x, long n)
{
	for (long i = 0; i < n; i++)
		x = x * 0.5 + 1;
	return x;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * compute - does a fixed amount of arithmetic in regions of some milliseconds, a few frames
 * deep; prints its CPU time in milliseconds.
 *
 * compute [REGIONS [HZ]]: with HZ each thread is interrupted that often, by a signal with an
 * empty handler.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "empty_handler.h"

static __attribute__((noinline)) double inner(double x)
{
	int i;

	for (i = 0; i < 500000; i++) {
		x = x * 0.999 + 0.5;
		__asm__ volatile("" : "+m"(x));
	}
	return x;
}

static __attribute__((noinline)) double outer(double x, int depth)
{
	double y = depth > 0 ? outer(x, depth - 1) : inner(x);

	__asm__ volatile("" : "+m"(y));
	return y;
}

int main(int argc, char **argv)
{
	int i, n = argc > 1 ? atoi(argv[1]) : 400;
	struct timespec t;
	unsigned hz = argc > 2 ? (unsigned)atoi(argv[2]) : 0;
	double sum = 0;
	int refused = 0;

	if (hz != 0) {
#pragma omp parallel reduction(+ : refused)
		refused += empty_handler_begin(hz) != 0;
	}
	if (refused != 0) {
		fputs("compute: the kernel refuses a CPU clock with a signal\n", stderr);
		return 1;
	}
	for (i = 0; i < n; i++) {
#pragma omp parallel reduction(+ : sum)
		sum += outer(i, 8);
	}
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	printf("%.3f\n", (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6);
	return sum < 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Both of a program's OpenMP runtimes at once: what gcc compiles is a library with regions on
   libgomp, what clang compiles a program with regions on libomp, in and beside which it calls
   the library. Masters wait at barriers for their workers. */
#include <stdio.h>

#include "work.h"

double by_gcc(int ms);

/* Only the master waits. */
static void uneven(int ms)
{
	static __thread int master;

#pragma omp master
	master = 1;
	if (!master)
		crunch_for(ms * INT64_C(1000000));
	master = 0;
}

#ifndef __clang__
double by_gcc(int ms)
{
	double sum = 0;

#pragma omp parallel num_threads(2) reduction(+ : sum)
	{
		uneven(ms);
#pragma omp barrier
		sum++;
	}
	return sum;
}
#else
static double by_clang(int ms)
{
	double sum = 0;

#pragma omp parallel num_threads(2) reduction(+ : sum)
	{
		uneven(ms);
#pragma omp barrier
		sum++;
	}
	return sum;
}

static double nested(int ms)
{
	double sum = 0;

#pragma omp parallel num_threads(2) reduction(+ : sum)
	{
#pragma omp master
		sum += by_gcc(ms);
	}
	return sum;
}

int main(void)
{
	double sum = 0;

	for (int i = 0; i < 20; i++) {
		sum += by_clang(10);
		sum += by_gcc(10);
		sum += nested(10);
	}
	printf("%.0f\n", sum);
	return 0;
}
#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* passes - a known number of barriers of each kind, by two threads: 500 passes of two static
   loops, each of which ends in one, 300 barriers, and 200 regions that are a loop. */
#include <omp.h>
#include <stdio.h>

enum { LOOPS = 500, BARRIERS = 300, REGIONS = 200, N = 1000 };

static double a[N], b[N];

__attribute__((noinline)) static void loops(void)
{
#pragma omp parallel num_threads(2)
	for (int s = 0; s < LOOPS; s++) {
#pragma omp for schedule(static) /* first loop */
		for (int i = 1; i < N - 1; i++)
			b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
#pragma omp for schedule(static) /* second loop */
		for (int i = 1; i < N - 1; i++)
			a[i] = b[i] + 1;
		/* So that the loop's barrier is no other's. */
		__asm__ volatile("" ::: "memory");
	}
}

__attribute__((noinline)) static void barriers(void)
{
#pragma omp parallel num_threads(2)
	for (int s = 0; s < BARRIERS; s++) {
		__asm__ volatile("" ::: "memory");
#pragma omp barrier
	}
}

__attribute__((noinline)) static void regions(void)
{
	for (int s = 0; s < REGIONS; s++)
#pragma omp parallel for schedule(static) num_threads(2)
		for (int i = 0; i < N; i++)
			a[i] += s;
}

int main(void)
{
	loops();
	barriers();
	regions();
	printf("%g\n", a[7]);
	return 0;
}

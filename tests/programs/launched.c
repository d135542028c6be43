/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions, loops and tasks whose numbers are known: as a program, or as a library whose
   run() is called. */
#include "work.h"
#include <omp.h>
#include <stdio.h>

static double sum;

static void loops(int n)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp for schedule(dynamic) reduction(+ : sum)
		for (int i = 0; i < n; i++)
			sum += i;
	}
}

static void tasks(int n)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < n; i++) {
#pragma omp task firstprivate(i)
		{
#pragma omp atomic
			sum += i;
		}
	}
}

static void nested(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp parallel num_threads(1)
		{
#pragma omp critical
			sum += omp_get_level();
		}
	}
}

#ifdef AT_LOAD
/* So samples see the library before its loading has returned. */
static __attribute__((constructor)) void at_load(void)
{
	static volatile double x;

	for (long i = 0; i < 50000000; i++)
		x += (double)i;
}
#endif

void run(void);
void run(void)
{
	for (int n = 0; n < 30; n++) {
		loops(100);
		if (n % 2)
			tasks(10);
		if (n % 3 == 0)
			nested();
	}
	printf("%.0f\n", sum);
	fflush(stdout);
}

int main(void)
{
	run();
	return 0;
}

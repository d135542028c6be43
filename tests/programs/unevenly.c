/* SPDX-License-Identifier: BSD-3-Clause
 * unevenly - worksharing constructs of which one thread has nearly all work, so that the other one
 * waits at the end, each in a function of its own. unevenly [SECONDS]
 */
#include <omp.h>
#include <stdio.h>

#include "work.h"

enum { SHORT_NS = 20000, LONG_NS = 1000000, LIKE = 4 };
static double sum;

KEEP void work(int i)
{
	crunch_for(i ? LONG_NS : SHORT_NS);
	STAY();
}

KEEP void by_static(void)
{
#pragma omp for schedule(static)
	for (int i = 0; i < 2; i++)
		work(i);
	STAY();
}

KEEP void by_dynamic(void)
{
#pragma omp for schedule(dynamic)
	for (int i = 0; i < 2; i++)
		work(i);
	STAY();
}

KEEP void by_guided(void)
{
#pragma omp for schedule(guided)
	for (int i = 0; i < 2; i++)
		work(i);
	STAY();
}

/* The second one begins and ends as the first does. */
KEEP void by_two(void)
{
#pragma omp for schedule(dynamic) nowait
	for (int i = 0; i < 2; i++)
		work(0);
#pragma omp for schedule(dynamic)
	for (int i = 0; i < 2; i++)
		work(i);
	STAY();
}

KEEP void by_ordered(void)
{
#pragma omp for ordered schedule(static)
	for (int i = 0; i < 2; i++) {
		work(i);
#pragma omp ordered
		STAY();
	}
	STAY();
}

KEEP void by_sections(void)
{
#pragma omp sections
	{
#pragma omp section
		work(1);
#pragma omp section
		work(0);
	}
	STAY();
}

KEEP void by_static_sum(void)
{
#pragma omp for schedule(static) reduction(+ : sum)
	for (int i = 0; i < 2; i++) {
		work(i);
		sum += i;
	}
	STAY();
}

KEEP void by_dynamic_sum(void)
{
#pragma omp for schedule(dynamic) reduction(+ : sum)
	for (int i = 0; i < 2; i++) {
		work(i);
		sum += i;
	}
	STAY();
}

KEEP void by_sections_sum(void)
{
#pragma omp sections reduction(+ : sum)
	{
#pragma omp section
		{
			work(1);
			sum += 1;
		}
#pragma omp section
		sum += 1;
	}
	STAY();
}

int main(int argc, char **argv)
{
	const double seconds = seconds_of(argc, argv, 1, 1);

	omp_set_dynamic(0);
	do {
#pragma omp parallel num_threads(2)
		for (int i = 0; i < LIKE; i++) {
			by_static();
			by_dynamic();
			by_guided();
			by_two();
			by_ordered();
			by_sections();
			by_static_sum();
			by_dynamic_sum();
			by_sections_sum();
		}
	} while (still_running(seconds));
	puts("done");
	return sum < 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * contended - regions in which threads divide work and share nothing, count in one variable, and
 * each do the same.  Prints the CPU time of all threads in each, in ns.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>

#include "work.h"

enum { ALONE = 60000000, TOGETHER = 30000000, REPEATED = 60000000 };

static int64_t counter;

static KEEP int64_t alone(void)
{
	int64_t own = 0;

#pragma omp parallel reduction(+ : own)
	{
		const int64_t begin = own_ns();
		double x = 1;

#pragma omp for nowait
		for (int i = 0; i < ALONE; i++) {
			x = x * 0.999 + 0.5;
			__asm__ volatile("" : "+m"(x));
		}
		own = own_ns() - begin;
	}
	return own;
}

static KEEP int64_t together(void)
{
	int64_t own = 0;

#pragma omp parallel reduction(+ : own)
	{
		const int64_t begin = own_ns();

#pragma omp for nowait
		for (int i = 0; i < TOGETHER; i++)
#pragma omp atomic
			counter++;
		own = own_ns() - begin;
	}
	return own;
}

static KEEP int64_t repeated(void)
{
	int64_t own = 0;

#pragma omp parallel reduction(+ : own)
	{
		const int64_t begin = own_ns();
		double x = 1;

		for (int i = 0; i < REPEATED; i++) {
			x = x * 0.999 + 0.5;
			__asm__ volatile("" : "+m"(x));
		}
		own = own_ns() - begin;
	}
	return own;
}

int main(void)
{
	const int64_t first = alone(), second = together();

	printf("%" PRId64 " %" PRId64 " %" PRId64 "\n", first, second, repeated());
	return 0;
}

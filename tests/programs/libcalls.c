/* SPDX-License-Identifier: BSD-3-Clause
 * libcalls - a team spends its time in libraries.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "work.h"

enum { N = 1 << 16, SORTED = 1 << 12 };

static double (*volatile by_pointer)(double) = cos;
static volatile double sink;

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);					/* compare */
}

KEEP double waves(double s)
{
	for (int i = 0; i < 4000; i++)
		s += cos(s + i);					/* cos */
	return s;
}

KEEP double pointed(double s)
{
	for (int i = 0; i < 4000; i++)
		s += by_pointer(s + i);					/* pointer */
	return s;
}

/* Compilers jump to these, so that the functions are on no stack. */
KEEP void copies(double *a, const double *b)
{
	memcpy(a, b, N * sizeof(*a));					/* memcpy */
}

KEEP void sorts(double *a)
{
	for (int i = 0; i < SORTED; i++)
		a[i] = i * 7919L % 10007;
	qsort(a, SORTED, sizeof(*a), compare);				/* qsort */
}

KEEP void allocates(void)
{
	for (int i = 0; i < 1000; i++) {
		void *volatile p = malloc(100 + i);			/* malloc */
		free(p);						/* free */
	}
}

/* Each for 60 ms of the thread's time. */
#define SPEND(call)                                                                                \
	for (const int64_t from = own_ns(); own_ns() - from < 60000000;)                            \
	(call)

int main(void)
{
#pragma omp parallel
	{
		double *a = calloc(N, sizeof(*a)), *b = calloc(N, sizeof(*b));

		SPEND(sink = waves(1));
		SPEND(sink = pointed(1));
		SPEND(copies(a, b));
		SPEND(sorts(a));
		SPEND(allocates());
		free(a);
		free(b);
	}
}

/* SPDX-License-Identifier: BSD-3-Clause
 * tailcalls - functions that end in a parallel loop, sections or region: compilers make a
 * tail call to the runtime, which leaves no frame.
 *
 * tailcalls SECONDS.  A comment at its directive names each.
 */
#include <omp.h>
#include <stdio.h>

#include "work.h"

enum { UNIT_NS = 200000, ITERATIONS = 8 };

KEEP void work(void)
{
	crunch_for(UNIT_NS);
	STAY();
}

KEEP void by_dynamic(void)
{
#pragma omp parallel for schedule(dynamic) num_threads(2)	/* by_dynamic */
	for (int i = 0; i < ITERATIONS; i++)
		work();
}

KEEP void by_guided(void)
{
#pragma omp parallel for schedule(guided) num_threads(2)	/* by_guided */
	for (int i = 0; i < ITERATIONS; i++)
		work();
}

KEEP void by_sections(void)
{
#pragma omp parallel sections num_threads(2)			/* by_sections */
	{
#pragma omp section
		work();
#pragma omp section
		work();
#pragma omp section
		work();
	}
}

/* Some work of its own first, so that its frame is on the stack at times. */
KEEP void by_region(void)
{
	work();
#pragma omp parallel num_threads(2)				/* by_region */
	work();
}

/* On one line, as a template's are: which of them the bodies are of, no line shows. */
#define TWIN(name) \
	KEEP void name(void) \
	{ \
		_Pragma("omp parallel for schedule(dynamic) num_threads(2)") \
		for (int i = 0; i < ITERATIONS; i++) \
			work(); \
		STAY(); \
	}

TWIN(twin_one) TWIN(twin_other)

/* A tail call to a function that makes a tail call. */
KEEP void by_other(void)
{
	STAY();
	by_dynamic();
}

KEEP void all(void)
{
	by_dynamic();
	by_guided();
	by_sections();
	by_region();
	by_other();
	twin_one();
	twin_other();
	STAY();
}

int main(int argc, char **argv)
{
	double seconds = seconds_of(argc, argv, 1, 1);
	int n = 0;

	do {
		all();
		n++;
	} while (still_running(seconds));
	printf("entries %d\n", n);
	return 0;
}

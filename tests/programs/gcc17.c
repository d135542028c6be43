/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gcc17 - static loops, single and masked as GCC 17 compiles them.
 *
 * The loops of `plain' are gcc's own: the test changes the calls in its assembly.  Those of `told'
 * are what -fopenmp-ompt makes of directives, written out.  Each thread's work is that of the
 * iterations that it has: all of ROUNDS times ITERATIONS.
 */
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "work.h"

enum { ITERATIONS = 64, ROUNDS = 5 };

typedef _Complex int share;
share GOMP_loop_static_worksharing_start(unsigned long long count);
void GOMP_loop_static_worksharing_end(void);
share GOMP_distribute_static_worksharing_start(unsigned long long count);
void GOMP_distribute_static_worksharing_end(void);
bool GOMP_single_start_with_end(void);
void GOMP_single_end(void);
bool GOMP_has_masked_thread_num_with_end(int filter);
void GOMP_masked_end(void);
void GOMP_barrier(void);

static long unit; /* ns of CPU time */

KEEP void work(long ns)
{
	crunch_for(ns);
	STAY();
}

KEEP void plain(void)
{
#pragma omp parallel
	{
#pragma omp for
		for (int i = 0; i < ITERATIONS; i++) /* with a barrier */
			work(unit);
#pragma omp for nowait
		for (int i = 0; i < ITERATIONS; i++) /* nowait */
			work(unit);
		work(unit * ITERATIONS / 4); /* behind nowait */
	}
}

KEEP void combined(void)
{
#pragma omp parallel for
	for (int i = 0; i < ITERATIONS; i++) /* combined */
		work(unit);
}

KEEP void told(void)
{
#pragma omp parallel
	{
		const share s = GOMP_loop_static_worksharing_start(ITERATIONS);
		const int n = ITERATIONS / __real__ s, from = n * __imag__ s; /* told loop */

		for (int i = from; i < from + n; i++)
			work(unit);
		GOMP_loop_static_worksharing_end();
		GOMP_barrier();
		if (GOMP_single_start_with_end()) {
			work(unit * ITERATIONS / 4); /* told single */
			GOMP_single_end();
		}
		work(unit * ITERATIONS / 4); /* behind single */
		GOMP_barrier();
		if (GOMP_has_masked_thread_num_with_end(1)) {
			work(unit * ITERATIONS / 4); /* told masked */
			GOMP_masked_end();
		}
		work(unit * ITERATIONS / 4); /* behind masked */
	}
}

int main(int argc, char **argv)
{
	unit = argc > 1 ? atol(argv[1]) : 300000;
	for (int i = 0; i < ROUNDS; i++) {
		plain();
		combined();
		told();
	}
	printf("%d\n", omp_get_max_threads());
	return 0;
}

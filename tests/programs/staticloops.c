/* SPDX-License-Identifier: BSD-3-Clause
 * staticloops - loops with a static schedule and barriers, each alone in a function: gcc's
 * code calls no function of theirs but GOMP_barrier, for directives and for ends alike.
 *
 * staticloops SECONDS.  Thread 1 works twice as long as thread 0 wherever it matters, so that
 * thread 0 waits.  Comments name the lines that tests look for.
 */
#include <omp.h>
#include <stdio.h>

#include "work.h"

enum { UNIT_NS = 100000, ITERATIONS = 4, WAYS = 4 };

volatile double sink;
double a[4096];
volatile int which[WAYS];

KEEP void work(int units)
{
	crunch_for((int64_t)units * UNIT_NS);
	STAY();
}

/* As much as the caller's place in its team. */
KEEP void uneven(void)
{
	work(1 + omp_get_thread_num());
}

KEEP void plain_loop(int n)
{
#pragma omp parallel num_threads(2)
	{
		sink = n;
#pragma omp for schedule(static) /* plain_loop */
		for (int i = 0; i < n; i++)
			uneven();
		sink = n + 1;
	}
}

KEEP void combined_loop(int n)
{
	sink = n;
#pragma omp parallel for schedule(static) num_threads(2) /* combined_loop */
	for (int i = 0; i < n; i++)
		uneven();
	sink = n + 1;
}

/* Bounds and calls are computed once for both. */
KEEP void equal_loops(int n)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp for schedule(static) /* equal_1 */
		for (int i = 0; i < n; i++) {
			uneven();
			a[i] += 1;
		}
#pragma omp for schedule(static) /* equal_2 */
		for (int i = 0; i < n; i++) {
			uneven();
			a[i] += 2;
		}
	}
}

KEEP void chunked_loop(long n)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp for schedule(static, 1) /* chunked_loop */
		for (long i = 0; i < n; i++)
			uneven();
		sink = 1;
	}
}

/* What comes before the loop is not the loop's. */
KEEP void loop_after_work(int n)
{
#pragma omp parallel num_threads(2)
	{
		for (int k = 0; k < 2; k++)
			work(2);
#pragma omp for schedule(static) /* loop_after_work */
		for (int i = 0; i < n; i++)
			uneven();
		sink = 1;
	}
}

KEEP void loop_in_loop(int n)
{
#pragma omp parallel num_threads(2)
	for (int k = 0; k < 2; k++) {
		sink = k;
#pragma omp for schedule(static) /* loop_in_loop */
		for (int i = 0; i < n; i++)
			uneven();
		sink = k + 1;
	}
}

KEEP void reduced_loop(int n)
{
	double sum = 0;

#pragma omp parallel num_threads(2) shared(sum)
	{
#pragma omp for schedule(static) reduction(+ : sum) /* reduced_loop */
		for (int i = 0; i < n; i++) {
			uneven();
			sum += a[i];
		}
		sink = sum;
	}
}

/* Its body goes on by a table of addresses. */
KEEP void switched_loop(int n)
{
#pragma omp parallel num_threads(2)
	{
		sink = n;
#pragma omp for schedule(static) /* switched_loop */
		for (int i = 0; i < n; i++)
			switch (which[i % WAYS]) {
			case 0: uneven(); break;
			case 1: sink = 2; break;
			case 2: STAY(); break;
			case 3: a[i] += 1; break;
			case 4: work(1); break;
			default: a[i] = sink;
			}
		sink = n + 1;
	}
}

KEEP void nowait_loop(int n)
{
#pragma omp parallel num_threads(2)
	{
		sink = n;
#pragma omp for schedule(static) nowait /* nowait_loop */
		for (int i = 0; i < n; i++)
			work(1);
		uneven();
#pragma omp barrier /* after_nowait_loop */
		sink = 1;
	}
}

/* A directive directly behind. */
KEEP void nowait_barrier(int n)
{
#pragma omp parallel num_threads(2)
	{
		sink = n;
#pragma omp for schedule(static) nowait /* nowait_barrier */
		for (int i = 0; i < n; i++)
			uneven();
#pragma omp barrier /* behind_nowait */
		sink = 1;
	}
}

/* In a function that is called in the region. */
KEEP void orphan(int n)
{
	sink = n;
#pragma omp for schedule(static) /* orphan */
	for (int i = 0; i < n; i++)
		uneven();
	sink = n + 1;
}

KEEP void calls_orphan(int n)
{
#pragma omp parallel num_threads(2)
	{
		orphan(n);
		STAY();
	}
}

KEEP void in_single(int n)
{
#pragma omp parallel num_threads(2)
	{
		sink = n;
#pragma omp single /* in_single */
		{
			work(n);
			sink = 2;
		}
		sink = 1;
	}
}

KEEP void single_nowait(int n)
{
#pragma omp parallel num_threads(2)
	{
		sink = n;
#pragma omp single nowait /* single_nowait */
		{
			work(n);
		}
#pragma omp barrier /* after_single */
		sink = 1;
	}
}

/* No construct, though it computes as one does. */
KEEP void by_hand(int n)
{
#pragma omp parallel num_threads(2)
	{
		int threads = omp_get_num_threads();
		int thread = omp_get_thread_num();
		int share = n / threads, rest = n % threads, first;

		if (thread < rest) {
			share++;
			rest = 0;
		}
		first = thread * share + rest;
		for (int i = first; i < first + share; i++)
			uneven();
#pragma omp barrier /* by_hand */
		sink = 1;
	}
}

KEEP void at_barrier(int n)
{
#pragma omp parallel num_threads(2)
	{
		for (int i = 0; i < n; i++) {
			uneven();
#pragma omp barrier /* at_barrier */
		}
		sink = 1;
	}
}

int main(int argc, char **argv)
{
	double seconds = seconds_of(argc, argv, 1, 1);
	int n = ITERATIONS;

	do {
		plain_loop(n);
		combined_loop(n);
		equal_loops(n);
		chunked_loop(n);
		loop_after_work(n);
		loop_in_loop(n);
		reduced_loop(n);
		switched_loop(n);
		nowait_loop(n);
		nowait_barrier(n);
		calls_orphan(n);
		in_single(n);
		single_nowait(n);
		by_hand(n);
		at_barrier(n);
	} while (still_running(seconds));
	return 0;
}

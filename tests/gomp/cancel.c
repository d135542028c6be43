/* SPDX-License-Identifier: BSD-3-Clause */
/* cancel.c - cancels regions, loops, sections and taskgroups, many times; prints what does
   not depend on who was first. */
#include <omp.h>
#include <stdio.h>

enum { ROUNDS = 200, THREADS = 4 };

static int after_barrier, after_work, tasks;

static void region(int who)
{
#pragma omp parallel num_threads(THREADS)
	{
		if (omp_get_thread_num() == who) {
#pragma omp cancel parallel
		}
#pragma omp barrier
#pragma omp atomic
		after_barrier++;
	}
}

static void work(void)
{
	int i;

#pragma omp parallel num_threads(THREADS)
	{
#pragma omp for
		for (i = 0; i < 1000; i++) {
			if (i == 500) {
#pragma omp cancel for
			}
#pragma omp cancellation point for
		}
#pragma omp sections
		{
#pragma omp section
			{
#pragma omp cancel sections
			}
#pragma omp section
			{
			}
		}
#pragma omp atomic
		after_work++;
	}
}

static void group(void)
{
	int i;

#pragma omp parallel num_threads(THREADS)
#pragma omp single
#pragma omp taskgroup
	for (i = 0; i < 50; i++) {
#pragma omp task firstprivate(i)
		{
#pragma omp atomic
			tasks++;
			if (i == 3) {
#pragma omp cancel taskgroup
			}
#pragma omp cancellation point taskgroup
		}
	}
}

int main(void)
{
	const int cancels = omp_get_cancellation();
	int i;

	for (i = 0; i < ROUNDS; i++) {
		region(i % THREADS);
		work();
		group();
	}
	printf("%d %d %d\n", cancels ? after_barrier == 0 : after_barrier,
	       after_work, cancels ? tasks <= ROUNDS * 50 : tasks);
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* With OMP_CANCELLATION=true: loops, sections, regions and taskgroups are cancelled. */
#include "case.h"

__attribute__((unused)) static int loop(void)
{
	int after = 0;

	for (int n = 0; n < 50; n++) {
#pragma omp parallel num_threads(2) reduction(+ : after)
		{
#pragma omp for schedule(dynamic)
			for (int i = 0; i < 1000; i++) {
				if (i == 10) {
#pragma omp cancel for
				}
#pragma omp cancellation point for
				if (i > 500)
					after++;
			}
#pragma omp for
			for (int i = 0; i < 1000; i++) {
#pragma omp cancel for
				after += 1000000;
			}
#pragma omp barrier
		}
	}
	return after < 50 * 500;
}

static int region(void)
{
	int after = 0, before = 0;

	for (int n = 0; n < 50; n++) {
#pragma omp parallel num_threads(2) reduction(+ : after)
		{
#pragma omp atomic
			before++;
#pragma omp cancel parallel if (omp_get_thread_num() == n % 2)
#pragma omp barrier
			after++;
		}
	}
	return 1000 * before + (after > 100);
}

__attribute__((unused)) static int sections(void)
{
	int after = 0;

	for (int n = 0; n < 50; n++) {
#pragma omp parallel num_threads(2)
#pragma omp sections reduction(+ : after)
		{
#pragma omp section
			{
#pragma omp cancel sections
				after++;
			}
#pragma omp section
			busy(1);
		}
	}
	return after;
}

__attribute__((unused)) static int taskgroup(void)
{
	int late = 0;

	for (int n = 0; n < 20; n++) {
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskgroup
		for (int i = 0; i < 200; i++) {
#pragma omp task firstprivate(i)
			{
				if (i == 5) {
#pragma omp cancel taskgroup
				}
				busy(0);
				if (i > 5) {
#pragma omp atomic
					late++;
				}
			}
		}
	}
	return late <= 20 * 200;
}

int main(int argc, char **argv)
{
	(void)argv;
	if (argc == 1) {
		setenv("OMP_CANCELLATION", "true", 1);
		execl("/proc/self/exe", "case", "again", NULL);
	}
	printf("cancellation %d\n", omp_get_cancellation());
	printf("regions %d\n", region());
#ifndef __clang__ /* libomp 14 hangs or ends by an assertion in some of these */
	printf("sections %d\n", sections());
	printf("loops %d\n", loop());
	printf("taskgroups %d\n", taskgroup());
#endif
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A program calls exec in a region: as its master, as a worker, and in a task. */
#include "case.h"

static void again(const char *how)
{
	execl("/proc/self/exe", "case", how, NULL);
	_exit(99);
}

static void from(int thread, const char *next)
{
#pragma omp parallel num_threads(2)
	{
		busy(3);
#pragma omp barrier
		if (omp_get_thread_num() == thread)
			again(next);
		for (;;)
			busy(1);
	}
}

int main(int argc, char **argv)
{
	const char *stage = argc > 1 ? argv[1] : "first";

	printf("%s\n", stage);
	if (strcmp(stage, "first") == 0)
		from(0, "by the master");
	if (strcmp(stage, "by the master") == 0)
		from(1, "by a worker");
	if (strcmp(stage, "by a worker") == 0) {
#pragma omp parallel num_threads(2)
#pragma omp single
		{
#pragma omp task
			again("by a task");
#pragma omp taskwait
		}
	}
	return 0;
}

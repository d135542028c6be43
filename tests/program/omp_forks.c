/* SPDX-License-Identifier: BSD-3-Clause */
/* A program with a team forks, in and between regions, serially and by its workers. */
#include "case.h"

static void child_ends(int status)
{
	int levels = 0;

	busy(3);
	/* The team's threads are not there any more: only regions of one thread are sure. */
#pragma omp parallel num_threads(1) reduction(+ : levels)
	{
		busy(3);
		levels += omp_get_level();
	}
	_exit(status + levels);
}

int main(void)
{
	pid_t child[2] = { 0 };

	for (int n = 0; n < 3; n++) {
#pragma omp parallel num_threads(2)
		busy(3);
		fflush(stdout);
		pid_t one = fork();

		if (one == 0)
			child_ends(10);
		print_end("between", one);
	}
#pragma omp parallel num_threads(2)
	{
		busy(2);
		pid_t me = fork();

		if (me == 0)
			child_ends(20 + omp_get_thread_num());
		child[omp_get_thread_num()] = me;
		busy(2);
#pragma omp barrier
	}
	for (int i = 0; i < 2; i++)
		print_end("inside", child[i]);
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < 2; i++) {
#pragma omp task firstprivate(i)
		{
			busy(2);
			child[i] = fork();
			if (child[i] == 0)
				child_ends(30 + i);
			busy(2);
		}
	}
	for (int i = 0; i < 2; i++)
		print_end("task", child[i]);
	return 0;
}

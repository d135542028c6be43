/* SPDX-License-Identifier: BSD-3-Clause */
/* Children that are forked before the first region have teams of their own. */
#include "case.h"

static int threads(int wanted)
{
	int n = 0;

#pragma omp parallel num_threads(wanted) reduction(+ : n)
	{
		busy(5);
		n++;
	}
	return n;
}

int main(void)
{
	for (int n = 0; n < 3; n++) {
		fflush(stdout);
		pid_t child = fork();

		if (child == 0) {
			int sum = 0;

			for (int i = 0; i < 5; i++)
				sum += threads(2);
			exit(sum);
		}
		print_end("child", child);
	}
	printf("%d threads\n", threads(3));
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A program gives its threads back between regions, and takes fewer than it asked for. */
#include "case.h"

static int threads(void)
{
	int n = 0;

#pragma omp parallel reduction(+ : n)
	{
		busy(1);
		n++;
	}
	return n;
}

int main(void)
{
	omp_set_num_threads(3);
	for (int n = 0; n < 10; n++) {
		const int got = threads();
		const int paused = omp_pause_resource_all(n % 2 ? omp_pause_soft : omp_pause_hard);

		printf("%d %d\n", got, paused);
	}
	omp_set_dynamic(1);
	for (int n = 0; n < 10; n++) {
		omp_set_num_threads(1 + n % 5);
		const int got = threads();

		if (got < 1 || got > 1 + n % 5)
			printf("%d of %d\n", got, 1 + n % 5);
	}
	omp_set_dynamic(0);
	for (int n = 0; n < 10; n++) {
		omp_set_num_threads(1 + n % 5);
		printf("%d\n", threads());
	}
	return 0;
}

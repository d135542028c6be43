/* SPDX-License-Identifier: BSD-3-Clause */
/* Thousands of threads, each with a region of its own; some at the same time. */
#include "case.h"

enum { ROUNDS = 60, TOGETHER = 20 };

static int sum;

static void *run(void *arg)
{
	(void)arg;
#pragma omp parallel num_threads(2)
	{
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 4; i++) {
#pragma omp atomic
			sum += i;
		}
	}
	return NULL;
}

int main(void)
{
	for (int n = 0; n < ROUNDS; n++) {
		pthread_t t[TOGETHER];

		for (int i = 0; i < TOGETHER; i++)
			pthread_create(&t[i], NULL, run, NULL);
		for (int i = 0; i < TOGETHER; i++)
			pthread_join(t[i], NULL);
	}
	printf("%d\n", sum);
	return 0;
}

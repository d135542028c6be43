/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads with regions end by return, pthread_exit() and cancellation; at last main(). */
#include "case.h"

static int sum;

static void *returns(void *arg)
{
	(void)arg;
#pragma omp parallel num_threads(2)
	{
		busy(1);
#pragma omp atomic
		sum++;
	}
	return NULL;
}

static void *exits(void *arg)
{
	returns(arg);
	pthread_exit(arg);
}

static void *is_cancelled(void *arg)
{
	returns(arg);
	for (;;) {
		busy(1);
		pthread_testcancel();
	}
	return NULL;
}

int main(void)
{
	void *(*const kinds[])(void *) = { returns, exits, is_cancelled };
	int cancelled = 0;

	for (int n = 0; n < 40; n++) {
		pthread_t t;
		void *result;

		pthread_create(&t, NULL, kinds[n % 3], NULL);
		if (n % 3 == 2) {
			busy(4);
			pthread_cancel(t);
		}
		pthread_join(t, &result);
		cancelled += result == PTHREAD_CANCELED;
	}
	returns(NULL);
	printf("%d cancelled, %d bodies\n", cancelled, sum > 80);
	fflush(stdout);
#ifndef __clang__ /* libomp waits for ever then */
	pthread_exit(NULL);
#endif
	return 0;
}

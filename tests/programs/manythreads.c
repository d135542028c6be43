/* SPDX-License-Identifier: BSD-3-Clause
 * manythreads - threads that are made and end again and again, by programs and by runtimes.
 *
 * manythreads short N     N POSIX threads, two at a time
 *             teams N     N regions of one to six threads
 *             nested N    N times three threads, each of which begins a region of two
 *             initial N   N POSIX threads, one at a time, each of which begins a region of three
 */
#include <omp.h>
#include <pthread.h>
#include <string.h>

#include "work.h"

static int n;

KEEP void work(void)
{
	crunch_for(100000);
}

KEEP void *brief(void *arg)
{
	work();
	return arg;
}

KEEP void *begins(void *arg)
{
#pragma omp parallel num_threads(3)
	work();
	return arg;
}

static void posix(int at_once, void *(*run)(void *))
{
	pthread_t threads[2];

	for (int i = 0; i < n; i += at_once) {
		for (int k = 0; k < at_once; k++)
			if (pthread_create(&threads[k], NULL, run, NULL))
				exit(1);
		for (int k = 0; k < at_once; k++)
			pthread_join(threads[k], NULL);
	}
}

KEEP void teams(void)
{
	for (int i = 0; i < n; i++) {
#pragma omp parallel num_threads(1 + i % 6)
		work();
	}
}

KEEP void inner(void)
{
#pragma omp parallel num_threads(2)
	work();
}

KEEP void nested(void)
{
	omp_set_max_active_levels(2);
	for (int i = 0; i < n; i++) {
#pragma omp parallel num_threads(3)
		{
			inner();
			STAY();
		}
	}
}

int main(int argc, char **argv)
{
	const char *kind = argc > 2 ? argv[1] : "";

	n = argc > 2 ? atoi(argv[2]) : 0;
	if (!strcmp(kind, "short"))
		posix(2, brief);
	else if (!strcmp(kind, "initial"))
		posix(1, begins);
	else if (!strcmp(kind, "teams"))
		teams();
	else if (!strcmp(kind, "nested"))
		nested();
	else
		return 2;
	return 0;
}

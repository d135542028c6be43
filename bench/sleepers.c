/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sleepers - N threads that meet at a barrier five times, all but the last one asleep: prints the
 * nanoseconds that it takes, with the threads' beginnings and ends.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "src/profile/clock.h"

static pthread_barrier_t barrier;

static void *meet(void *arg)
{
	for (int i = 0; i < 5; i++)
		pthread_barrier_wait(&barrier);
	return arg;
}

int main(int argc, char **argv)
{
	const unsigned n = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 2;
	pthread_t *t = calloc(n, sizeof(*t));
	const uint64_t begin = clock_ns(CLOCK_MONOTONIC);

	if (!t || pthread_barrier_init(&barrier, NULL, n) != 0)
		return 1;
	for (unsigned i = 0; i < n; i++)
		if (pthread_create(&t[i], NULL, meet, NULL) != 0)
			return 1;
	for (unsigned i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	printf("%llu\n", (unsigned long long)(clock_ns(CLOCK_MONOTONIC) - begin));
	free(t);
	return 0;
}

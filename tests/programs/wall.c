/* SPDX-License-Identifier: BSD-3-Clause
 * wall - what a wall clock has to say of it is known.
 *
 * wall sleep MS: waits so long for a condition, then in nanosleep(), and computes a third of that
 *   after each. Prints what each part took by the clock on the wall, as it is the main thread's.
 * wall crowd N: N threads wait for a condition while the main thread sleeps for two seconds, and
 *   prints the CPU time that the process took meanwhile.
 * wall brief N MS: N threads, one after another, each of which computes so long by the clock on the
 *   wall. Prints the sum.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "work.h"

enum { MS_NS = 1000000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int over, inside;

static int64_t now(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

KEEP void wait_for_condition(long ms)
{
	struct timespec end;

	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += ms / 1000;
	end.tv_nsec += ms % 1000 * MS_NS;
	if (end.tv_nsec >= 1000 * MS_NS) {
		end.tv_nsec -= 1000 * MS_NS;
		end.tv_sec++;
	}
	pthread_mutex_lock(&mutex);
	while (pthread_cond_timedwait(&condition, &mutex, &end) != ETIMEDOUT)
		;
	pthread_mutex_unlock(&mutex);
	STAY();
}

KEEP void take_a_nap(long ms)
{
	const struct timespec t = { ms / 1000, ms % 1000 * MS_NS };

	nanosleep(&t, NULL);
	STAY();
}

KEEP void compute_after_wait(int64_t ns)
{
	crunch_for(ns);
	STAY();
}

KEEP void compute_after_nap(int64_t ns)
{
	crunch_for(ns);
	STAY();
}

static void parts(long ms)
{
	int64_t at[5];

	at[0] = now();
	wait_for_condition(ms);
	at[1] = now();
	compute_after_wait(ms * MS_NS / 3);
	at[2] = now();
	take_a_nap(ms);
	at[3] = now();
	compute_after_nap(ms * MS_NS / 3);
	at[4] = now();
	printf("wait_for_condition %lld\ncompute_after_wait %lld\ntake_a_nap %lld\n"
	       "compute_after_nap %lld\n",
	       (long long)(at[1] - at[0]), (long long)(at[2] - at[1]), (long long)(at[3] - at[2]),
	       (long long)(at[4] - at[3]));
}

static void *stand(void *arg)
{
	pthread_mutex_lock(&mutex);
	inside++;
	while (!over)
		pthread_cond_wait(&condition, &mutex);
	pthread_mutex_unlock(&mutex);
	return arg;
}

static void crowd(int n)
{
	pthread_t *t = calloc((size_t)n, sizeof(*t));
	int64_t before;

	for (int i = 0; i < n; i++)
		if (pthread_create(&t[i], NULL, stand, NULL) != 0)
			exit(1);
	for (int there = 0; there < n; usleep(10000)) {
		pthread_mutex_lock(&mutex);
		there = inside;
		pthread_mutex_unlock(&mutex);
	}
	before = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	sleep(2);
	printf("cpu_ns %lld\n", (long long)(clock_ns(CLOCK_PROCESS_CPUTIME_ID) - before));
	pthread_mutex_lock(&mutex);
	over = 1;
	pthread_cond_broadcast(&condition);
	pthread_mutex_unlock(&mutex);
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	free(t);
}

static double brief_ms;

KEEP void compute_briefly(void)
{
	const int64_t end = now() + (int64_t)(brief_ms * MS_NS);

	while (now() < end)
		crunch_for(1000);
	STAY();
}

static void *live_briefly(void *arg)
{
	int64_t *sum = arg, begin = now();

	compute_briefly();
	*sum += now() - begin;
	return NULL;
}

static void brief(int n)
{
	int64_t sum = 0;
	pthread_t t;

	for (int i = 0; i < n; i++)
		if (pthread_create(&t, NULL, live_briefly, &sum) != 0 || pthread_join(t, NULL) != 0)
			exit(1);
	printf("compute_briefly %lld\n", (long long)sum);
}

int main(int argc, char **argv)
{
	if (argc > 2 && strcmp(argv[1], "sleep") == 0)
		parts(atol(argv[2]));
	else if (argc > 2 && strcmp(argv[1], "crowd") == 0)
		crowd(atoi(argv[2]));
	else if (argc > 3 && strcmp(argv[1], "brief") == 0)
		brief_ms = atof(argv[3]), brief(atoi(argv[2]));
	else
		return 2;
	return 0;
}

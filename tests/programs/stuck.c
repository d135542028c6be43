/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stuck.c - programs that hang, each in one way, for `ompcount stack`.
 *
 *   stuck WAY [THREADS]
 *
 * The last thread of the way "barrier" works on; all others wait for ever. "forked" ends with
 * runtimes that make their threads anew in a fork's child.
 */
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static omp_lock_t lock_a, lock_b;
static pthread_mutex_t mutex_a = PTHREAD_MUTEX_INITIALIZER, mutex_b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int met;
static atomic_ulong turns;
static volatile int sink;

/* Until n threads have come here. */
static void meet(int n)
{
	met++;
	while (met < n)
		usleep(1000);
}

__attribute__((noinline)) static void take_locks(omp_lock_t *first, omp_lock_t *second)
{
	omp_set_lock(first);
	meet(2);
	omp_set_lock(second);
	sink++;
}

static void locks(int threads)
{
	omp_init_lock(&lock_a);
	omp_init_lock(&lock_b);
#pragma omp parallel num_threads(threads)
	{
		if (omp_get_thread_num() == 0)
			take_locks(&lock_a, &lock_b);
		else if (omp_get_thread_num() == 1)
			take_locks(&lock_b, &lock_a);
	}
}

__attribute__((noinline)) static void take_mutexes(pthread_mutex_t *first, pthread_mutex_t *second)
{
	pthread_mutex_lock(first);
	meet(2);
	pthread_mutex_lock(second);
	sink++;
}

static void mutexes(int threads)
{
#pragma omp parallel num_threads(threads)
	{
		if (omp_get_thread_num() == 0)
			take_mutexes(&mutex_a, &mutex_b);
		else if (omp_get_thread_num() == 1)
			take_mutexes(&mutex_b, &mutex_a);
	}
}

__attribute__((noinline)) static void enter_second(void)
{
#pragma omp critical(second)
	sink++;
}

__attribute__((noinline)) static void enter_first(void)
{
#pragma omp critical(first)
	sink++;
}

static void criticals(int threads)
{
#pragma omp parallel num_threads(threads)
	{
		if (omp_get_thread_num() == 0) {
#pragma omp critical(first)
			{
				meet(2);
				enter_second();
			}
		} else if (omp_get_thread_num() == 1) {
#pragma omp critical(second)
			{
				meet(2);
				enter_first();
			}
		}
	}
}

__attribute__((noinline)) static void work_on(void)
{
	for (;;)
		turns++;
}

static void barrier(int threads)
{
#pragma omp parallel num_threads(threads)
	{
		if (omp_get_thread_num() == threads - 1)
			work_on();
#pragma omp barrier
		sink++;
	}
}

static void task(int threads)
{
#pragma omp parallel num_threads(threads)
#pragma omp single
	{
#pragma omp task
		{
			pthread_mutex_lock(&mutex_a);
			/* Undeferred: no other thread runs it. */
#pragma omp task if (0)
			{
				pthread_mutex_lock(&mutex_a);
				sink++;
			}
#pragma omp taskwait
			pthread_mutex_unlock(&mutex_a);
		}
	}
}

static void loop(int threads)
{
#pragma omp parallel num_threads(threads)
	work_on();
}

static void *nap(void *arg)
{
	(void)arg;
	for (;;)
		pause();
	return NULL;
}

static void join(int threads)
{
	pthread_t thread;

	(void)threads;
	pthread_create(&thread, NULL, nap, NULL);
	pthread_join(thread, NULL);
}

__attribute__((noinline)) static void team(int threads)
{
#pragma omp parallel num_threads(threads)
	for (int i = 0; i < 30000000; i++)
		sink++;
}

static void forked(int threads)
{
	pid_t child;

	team(threads);
	child = fork();
	if (child)
		waitpid(child, NULL, 0);
	else
		team(threads);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(int threads);
	} ways[] = { { "locks", locks },     { "mutexes", mutexes }, { "criticals", criticals },
		     { "barrier", barrier }, { "task", task },	     { "loop", loop },
		     { "join", join },	     { "forked", forked } };
	const int threads = argc > 2 ? atoi(argv[2]) : 2;

	puts("ready");
	fflush(stdout);
	for (size_t i = 0; argc > 1 && i < sizeof(ways) / sizeof(*ways); i++)
		if (!strcmp(argv[1], ways[i].name))
			ways[i].run(threads);
	return 1;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* forks.c - forks before and after regions, regions of several threads at a time, threads
   that end, and exit() in a region. */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4, ROUNDS = 5, REGIONS = 20 };

static int region(void)
{
	int sum = 0;

#pragma omp parallel num_threads(3) reduction(+ : sum)
	sum += omp_get_thread_num() + 1;
	return sum;
}

static void *regions(void *sum)
{
	for (int i = 0; i < REGIONS; i++)
		*(int *)sum += region();
	return NULL;
}

static int child(int (*body)(void))
{
	int status;
	const pid_t pid = fork();

	if (pid == 0)
		_exit(body());
	waitpid(pid, &status, 0);
	return status;
}

static int critical(void)
{
	int n = 0;

#pragma omp critical
	n++;
	return n;
}

static void threads(void)
{
	pthread_t thread[THREADS];
	int sum[THREADS] = { 0 };

	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < THREADS; i++)
			pthread_create(thread + i, NULL, regions, sum + i);
		for (int i = 0; i < THREADS; i++)
			pthread_join(thread[i], NULL);
	}
	printf("threads %d %d\n", sum[0], sum[THREADS - 1]);
}

int main(void)
{
	setvbuf(stdout, NULL, _IONBF, 0);
	/* (A child of a process that had a team hangs in libgomp at its own.) */
	printf("before: %#x\n", child(region));
	printf("first: %d\n", region());
	threads();
	printf("after: %#x\n", child(critical));
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == omp_get_num_threads() - 1) {
			printf("exits in a region\n");
			exit(7);
		}
#pragma omp barrier
	}
	return 0;
}

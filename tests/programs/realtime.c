/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * realtime.c - two threads share a CPU and create tasks with dependences, one of them of real-time
 * priority: it sleeps before each of its 400, so that it interrupts the other anywhere. Exit status
 * 77: the priority is refused.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

enum { TASKS = 400 };

static int x[2];
static atomic_bool over;

static void share_a_cpu(void)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(0, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

static void create(int *v)
{
#pragma omp task depend(inout : v[0])
	v[0]++;
#pragma omp taskwait
}

static int interrupts(void)
{
	const struct sched_param priority = { .sched_priority = 1 };
	const struct timespec moment = { 0, 200000 };

	if (sched_setscheduler(0, SCHED_FIFO, &priority) != 0)
		return 77;
	for (int i = 0; i < TASKS; i++) {
		nanosleep(&moment, NULL);
		create(&x[0]);
	}
	return 0;
}

int main(void)
{
	int status = 0;

#pragma omp parallel sections num_threads(2)
	{
#pragma omp section
		{
			share_a_cpu();
			status = interrupts();
			over = 1;
		}
#pragma omp section
		{
			share_a_cpu();
			while (!over)
				create(&x[1]);
		}
	}
	return status;
}

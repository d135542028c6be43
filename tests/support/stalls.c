/* SPDX-License-Identifier: BSD-3-Clause
 * stalls - for how long the processors stood still.
 *
 * stalls FILE PID writes to FILE, some 30 times a second for as long as process PID lives, for how
 * many milliseconds processors of this machine executed nothing since it began: all in all, over
 * all processors, and the longest at a stretch. A hypervisor took them away, or read their memory
 * in. Threads' clocks of CPU time run on meanwhile; timers, and with them samples, do not.
 *
 * A thread on each processor wakes up each 2 ms. With real-time priority nothing but the kernel
 * delays it, so that being late is standing still. Without that right (the limit RLIMIT_RTPRIO)
 * the program writes what the kernel knows of it: the steal time in /proc/stat, and no stretch.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/programs/work.h"

enum { PERIOD_NS = 2000000, ON_TIME_NS = 250000 };

static _Atomic int64_t still_ns, longest_ns;

static struct timespec after(int64_t ns)
{
	return (struct timespec){ .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };
}

static void *watch(void *cpu)
{
	const struct sched_param priority = { .sched_priority = 50 };
	cpu_set_t one;
	int64_t due, late;
	struct timespec t;

	CPU_ZERO(&one);
	CPU_SET((size_t)(intptr_t)cpu, &one);
	if (pthread_setaffinity_np(pthread_self(), sizeof one, &one) != 0 ||
	    pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority) != 0)
		return NULL;
	due = clock_ns(CLOCK_MONOTONIC);
	for (;;) {
		due += PERIOD_NS;
		t = after(due);
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
		late = clock_ns(CLOCK_MONOTONIC) - due;
		if (late < ON_TIME_NS)
			continue;
		/* It began at some time after the last wake-up. */
		atomic_fetch_add(&still_ns, late + PERIOD_NS / 2);
		if (late >
		    atomic_load(&longest_ns)) /* Two that come at once: one of them will do. */
			atomic_store(&longest_ns, late);
		due += late;
	}
}

/* Over all processors. */
static double stolen_ms(void)
{
	long long steal = 0;
	FILE *f = fopen("/proc/stat", "r");

	if (f == NULL)
		return 0;
	if (fscanf(f, "cpu %*d %*d %*d %*d %*d %*d %*d %lld", &steal) != 1)
		steal = 0;
	fclose(f);
	return (double)steal * 1000 / (double)sysconf(_SC_CLK_TCK);
}

int main(int argc, char **argv)
{
	const struct timespec pause = after(30000000);
	double began = stolen_ms(), ms, stolen;
	cpu_set_t mine;
	pthread_t thread;
	char text[40];
	int fd, length;

	if (argc != 3 || (fd = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC, 0600)) < 0) {
		fprintf(stderr, "usage: stalls FILE PID\n");
		return 2;
	}
	if (sched_getaffinity(0, sizeof mine, &mine) == 0) {
		for (intptr_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
			if (CPU_ISSET((size_t)cpu, &mine))
				pthread_create(&thread, NULL, watch, (void *)cpu);
		}
	}
	while (kill((pid_t)atol(argv[2]), 0) == 0) {
		stolen = stolen_ms() - began;
		ms = (double)atomic_load(&still_ns) / 1e6;
		length = snprintf(text, sizeof text, "%18.1f %9.1f\n", ms > stolen ? ms : stolen,
				  (double)atomic_load(&longest_ns) / 1e6);
		if (pwrite(fd, text, (size_t)length, 0) != length)
			return 1;
		nanosleep(&pause, NULL);
	}
	return 0;
}

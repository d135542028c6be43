/* SPDX-License-Identifier: BSD-3-Clause
 * hurts KIND - half a second of something that an obvious remedy would make worse.
 *
 * loops: uneven passes of a worksharing loop, of 2 us each. planes: three long iterations for two
 * threads. tasks: hundreds of thousands of tasks that do next to nothing. crowd: eight threads, as
 * the clause says. regions: uneven regions of some microseconds. plain: as many threads as the
 * environment says. reduction: regions that combine copies of an array, behind a short loop. uneven:
 * long regions, in which one thread has all of a loop's long iterations. spin: threads that wait for
 * a spin lock of the C library's. rewrites: a critical section in which a function of the program's
 * own, which prints nothing, computes. in_order: an ordered loop of short chunks.
 */
#include <omp.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "work.h"

enum { NS_PER_S = 1000000000 };

static int64_t end;

static int goes_on(void)
{
	return clock_ns(CLOCK_MONOTONIC) < end;
}

static void pass(int n)
{
	for (volatile int i = 0; i < n; i++)
		;
}

static void loops(void)
{
	int on = 1;

#pragma omp parallel num_threads(2)
	while (on) {
#pragma omp for schedule(static)
		for (int i = 0; i < 64; i++)
			pass(i);
#pragma omp single
		on = goes_on();
	}
}

static void regions(void)
{
	while (goes_on())
#pragma omp parallel for schedule(static) num_threads(2)
		for (int i = 0; i < 64; i++)
			pass(i);
}

static void planes(void)
{
	while (goes_on())
#pragma omp parallel for schedule(static) num_threads(2)
		for (int i = 0; i < 3; i++)
			pass(2000000);
}

static void plain(void)
{
#pragma omp parallel
	while (goes_on())
		pass(2000000);
}

static void tasks(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	while (goes_on())
		for (int i = 0; i < 1000; i++)
#pragma omp task
			pass(20);
}

static void crowd(void)
{
	while (goes_on())
#pragma omp parallel num_threads(8)
		pass(100000);
}

enum { ELEMENTS = 50000 };

static void reduction(void)
{
	static double h[ELEMENTS];

	while (goes_on())
#pragma omp parallel for reduction(+ : h) num_threads(2)
		for (int i = 0; i < 1000; i++)
			h[i * 37 % ELEMENTS] += 1;
}

static void uneven(void)
{
	while (goes_on())
#pragma omp parallel for schedule(static) num_threads(2)
		for (int i = 0; i < 64; i++)
			pass(i < 32 ? 400000 : 20000);
}

KEEP void rewrite_printf_fields(double *of)
{
	for (int i = 0; i < 200; i++)
		of[i % 8] = of[i % 8] * 0.99 + i;
}

static void rewrites(void)
{
	static double fields[8];

#pragma omp parallel num_threads(2)
	while (goes_on())
#pragma omp critical
		rewrite_printf_fields(fields);
}

static void in_order(void)
{
	static double sum;

	while (goes_on())
#pragma omp parallel for ordered schedule(dynamic) num_threads(2)
		for (int i = 0; i < 10000; i++) {
			pass(2000);
#pragma omp ordered
			sum += i;
		}
}

static void spin(void)
{
	pthread_spinlock_t lock;

	pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
#pragma omp parallel num_threads(2)
	while (goes_on()) {
		pthread_spin_lock(&lock);
		pass(200000);
		pthread_spin_unlock(&lock);
	}
	pthread_spin_destroy(&lock);
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "";

	end = clock_ns(CLOCK_MONOTONIC) + NS_PER_S / 2;
	if (!strcmp(kind, "loops"))
		loops();
	else if (!strcmp(kind, "regions"))
		regions();
	else if (!strcmp(kind, "planes"))
		planes();
	else if (!strcmp(kind, "plain"))
		plain();
	else if (!strcmp(kind, "tasks"))
		tasks();
	else if (!strcmp(kind, "crowd"))
		crowd();
	else if (!strcmp(kind, "rewrites"))
		rewrites();
	else if (!strcmp(kind, "in_order"))
		in_order();
	else if (!strcmp(kind, "reduction"))
		reduction();
	else if (!strcmp(kind, "uneven"))
		uneven();
	else if (!strcmp(kind, "spin"))
		spin();
	else
		return 2;
	return 0;
}

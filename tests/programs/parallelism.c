/* SPDX-License-Identifier: BSD-3-Clause
 * parallelism SECONDS - serial code, a region in which two threads work, and one in which one of
 * them works and the other waits for it, in turns of some milliseconds.  Prints how long a
 * thread computed in each, and how long each took; and how long the whole took, in ns.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <omp.h>
#include <stdio.h>

#include "work.h"

static KEEP int64_t compute(int64_t ns)
{
	ns = crunch_for(ns);
	STAY();
	return ns;
}

static KEEP int64_t serial(int64_t ns)
{
	ns = compute(ns);
	STAY();
	return ns;
}

static KEEP int64_t both(int64_t ns)
{
	int64_t own = 0;

#pragma omp parallel num_threads(2) reduction(max : own)
	own = compute(ns);
	return own;
}

static KEEP int64_t alone(int64_t ns)
{
	int64_t own = 0;

#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 0)
		own = compute(ns);
	return own;
}

int main(int argc, char **argv)
{
	static int64_t (*const parts[3])(int64_t ns) = { serial, both, alone };
	const double seconds = seconds_of(argc, argv, 1, 1);
	const int64_t begin = clock_ns(CLOCK_MONOTONIC);
	int64_t own[3] = { 0 }, lasted[3] = { 0 };

	for (unsigned i = 1; still_running(seconds); i = i * 1103515245 + 12345)
		for (int k = 0; k < 3; k++) {
			const int64_t then = clock_ns(CLOCK_MONOTONIC);

			own[k] += parts[k](500000 + (i >> 16) % 16 * 100000);
			lasted[k] += clock_ns(CLOCK_MONOTONIC) - then;
		}
	for (int k = 0; k < 3; k++)
		printf("%" PRId64 " %" PRId64 " ", own[k], lasted[k]);
	printf("%" PRId64 "\n", clock_ns(CLOCK_MONOTONIC) - begin);
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * work.h - what the test programs have in common: the calling thread's own
 * clock, and work that no compiler removes or merges.
 */
#ifndef OMPHWC_TESTS_PROGRAMS_WORK_H
#define OMPHWC_TESTS_PROGRAMS_WORK_H

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

/* A function that keeps its name and frame whatever the compiler thinks. */
#define KEEP __attribute__((noinline))
/* After a call: it is not the last thing that the function does, so no jump. */
#define STAY() __asm__ volatile("" ::: "memory")

static inline int64_t clock_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/* What the calling thread has computed so far. */
static inline int64_t own_ns(void)
{
	return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* Some 50 µs of arithmetic. */
static inline double crunch(double x)
{
	int i;

	for (i = 0; i < 20000; i++) {
		x = x * 0.999 + 0.5;
		__asm__ volatile("" : "+m"(x));
	}
	return x;
}

/* Crunches until the thread has computed for ns; what it really took. */
static inline __attribute__((always_inline)) int64_t crunch_for(int64_t ns)
{
	int64_t begin = own_ns(), now = begin;
	volatile double x = 1.0;

	do {
		x = crunch(x);
		now = own_ns();
	} while (now - begin < ns);
	return now - begin;
}

/*
 * Whether the process has not yet computed for as long as two processors do in
 * so many seconds: on a busy machine it then takes longer, but computes as much.
 * Ten times as long is enough.
 */
static inline int still_running(double seconds)
{
	static int64_t begin;

	if (!begin)
		begin = clock_ns(CLOCK_MONOTONIC);
	return (double)clock_ns(CLOCK_PROCESS_CPUTIME_ID) < 2e9 * seconds &&
	       (double)(clock_ns(CLOCK_MONOTONIC) - begin) < 1e10 * seconds;
}

static inline double seconds_of(int argc, char **argv, int i, double otherwise)
{
	return argc > i ? atof(argv[i]) : otherwise;
}

#endif

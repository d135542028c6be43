/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * least.h - the minimum of many short measurements, which excludes samples, other processes
 * and slow wake-ups.
 */
#ifndef OMPHWC_BENCH_LEAST_H
#define OMPHWC_BENCH_LEAST_H

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/profile/clock.h"

/* Nanoseconds per piece: the minimum over rounds of body(pieces). */
static inline double least_ns(int rounds, int pieces, void (*body)(int pieces))
{
	double least = 0;

	while (rounds-- > 0) {
		uint64_t begin = clock_ns(CLOCK_MONOTONIC);
		double ns;

		body(pieces);
		ns = (double)(clock_ns(CLOCK_MONOTONIC) - begin) / pieces;
		if (least == 0 || ns < least)
			least = ns;
	}
	return least;
}

/* What PROGRAM [ROUNDS [MARKED]] does: prints least_ns(); or runs so many marked pieces between
   two traps, for steps.c. */
static inline void least_measured(int argc, char **argv, int pieces, void (*body)(int pieces))
{
	body(100);
	if (argc > 2) {
		raise(SIGTRAP);
		body(atoi(argv[2]));
		raise(SIGTRAP);
	} else {
		printf("%.1f\n", least_ns(argc > 1 ? atoi(argv[1]) : 2000, pieces, body));
	}
}

#endif

/*
 * least.h - the least of many short measurements, which no sample, no other
 * process and no unlucky wake-up is part of.
 */
#ifndef OMPHWC_BENCH_LEAST_H
#define OMPHWC_BENCH_LEAST_H

#include <stdint.h>
#include <time.h>

static inline uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Nanoseconds a piece: the least over rounds of body(pieces). */
static inline double least_ns(int rounds, int pieces, void (*body)(int pieces))
{
	double least = 0;

	while (rounds-- > 0) {
		uint64_t begin = now_ns();
		double ns;

		body(pieces);
		ns = (double)(now_ns() - begin) / pieces;
		if (least == 0 || ns < least)
			least = ns;
	}
	return least;
}

#endif

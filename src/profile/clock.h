/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock.h - one of the kernel's clocks in nanoseconds.
 *
 * Signal-safe.
 */
#ifndef OMPHWC_SRC_PROFILE_CLOCK_H
#define OMPHWC_SRC_PROFILE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* As in clock_gettime(2). */
static inline uint64_t clock_ns(clockid_t clock)
{
	struct timespec t = { .tv_sec = 0 };

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

#endif

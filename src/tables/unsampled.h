/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unsampled.h - what threads counted of an event beyond its samples.
 *
 * A sample comes at a random place of each period, so samples times period are what was counted,
 * but for chance: of threads that live for less than a period, most have no sample, and the others'
 * stand for all. A clock counts a thread's time in the kernel, too, where it is not sampled if only
 * user code is: what chance does not explain was spent there.
 */
#ifndef OMPHWC_SRC_TABLES_UNSAMPLED_H
#define OMPHWC_SRC_TABLES_UNSAMPLED_H

#include <stdbool.h>
#include <stddef.h>

struct cost;
struct model;

/* In units of the event. */
struct unsampled {
	bool known; /* what all threads counted is known; else all is 0 */
	double counted;
	double rest;   /* counted, less what the samples stand for; can be below 0 */
	double lost;   /* of it: samples that were taken and are not in the profile */
	double kernel; /* of it: in the kernel; 0: none, or no more than chance explains */
	double chance; /* the standard deviation of the rest; 0: not known */
	size_t brief;  /* threads that counted less than two periods and have no sample, */
	double brief_counted;
};

/* kept: the event's samples in the profile, before any filter. */
struct unsampled unsampled_of(const struct model *m, size_t event, const struct cost *kept);

#endif

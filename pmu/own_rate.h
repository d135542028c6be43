/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * own_rate.h - the sampling rate in an event's name.
 */
#ifndef OMPHWC_PMU_OWN_RATE_H
#define OMPHWC_PMU_OWN_RATE_H

struct pmu_rate;
struct pmu_refusal;

enum { PMU_BARE_BYTES = 512 };

/*
 * Removes the terms period=N and freq=N from between a name's slashes, as perf(1)
 * writes them: cycles/period=1000003/u, cpu/event=0x3c,freq=500/. They replace
 * *rate. bare gets the name without them, and without the slashes if nothing else
 * was between them. 0, or -1 with *why.
 */
int pmu_own_rate(const char *name, struct pmu_rate *rate, char bare[PMU_BARE_BYTES],
		 struct pmu_refusal *why);

#endif

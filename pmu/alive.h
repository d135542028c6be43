/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alive.h - whether an event that can be opened is counted at all.
 *
 * For ordinary code.
 */
#ifndef OMPHWC_PMU_ALIVE_H
#define OMPHWC_PMU_ALIVE_H

#include <stdbool.h>

struct pmu_event;

/*
 * Whether the PMU that counts ev is dead: it gives ev a counter, which stays at 0, as do
 * instructions on it. Takes some microseconds; 4 ms where so. False where that can't be found out:
 * ev gets no counter now, or is not of cores.
 */
bool pmu_counts_nothing(const struct pmu_event *ev);

#endif

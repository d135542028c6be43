/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * topdown.h - Intel's topdown metrics (Ice Lake and later).
 *
 * The hardware has one counter of slots, and one register of their shares, which the kernel shows
 * as events: slots, topdown-retiring and so on. It counts the shares only in a group that slots
 * leads. What user code would read of them is no count.
 *
 * For ordinary code.
 */
#ifndef OMPHWC_PMU_TOPDOWN_H
#define OMPHWC_PMU_TOPDOWN_H

struct pmu_event;

enum pmu_topdown {
	PMU_TOPDOWN_NONE,
	PMU_TOPDOWN_SLOTS,
	PMU_TOPDOWN_METRIC, /* counted behind slots only, and never sampled */
};

enum pmu_topdown pmu_topdown(const struct pmu_event *ev);

/* Fills slots with the event that has to lead the metric's group. */
void pmu_topdown_slots(const struct pmu_event *metric, struct pmu_event *slots);

#endif

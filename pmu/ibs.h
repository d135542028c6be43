/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ibs.h - what AMD's instruction-based sampling wants of an event.
 *
 * For ordinary code.
 */
#ifndef OMPHWC_PMU_IBS_H
#define OMPHWC_PMU_IBS_H

struct pmu_event;

/* Where ev is sampled by IBS, as cycles:p is on AMD's processors: changes its attributes and
   its period to those that IBS takes. Where that is so no longer, as ev is less precise now:
   changes the attributes back. */
void pmu_ibs_fit(struct pmu_event *ev);

#endif

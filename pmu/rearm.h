/*
 * rearm.h - what counter.c and rearm.c share: how a signal names its counter.
 */
#ifndef OMPHWC_PMU_REARM_H
#define OMPHWC_PMU_REARM_H

enum { PMU_TAGS = 32 };

/* The address of pmu_token[tag] travels in sigev_value and in sig_data: no
   stranger's timer or event has the same by accident. */
extern char pmu_token[PMU_TAGS];

#endif

/*
 * rearm.h - what counter.c and rearm.c share: how a signal names its counter.
 */
#ifndef OMPHWC_PMU_REARM_H
#define OMPHWC_PMU_REARM_H

enum { PMU_TAGS = 32 };

/* sigev_value and sig_data hold the address of pmu_token[tag], which no timer or event
   of another component has by accident. */
extern char pmu_token[PMU_TAGS];

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rearm.h - what counter.c and rearm.c share.
 */
#ifndef OMPHWC_PMU_REARM_H
#define OMPHWC_PMU_REARM_H

enum { PMU_TAGS = 32 };

/* sigev_value and sig_data hold the address of pmu_token[tag], which no timer or event
   of another component has by accident. */
extern char pmu_token[PMU_TAGS];

struct pmu_counter;

/* Lets a running counter signal once more. One that would have signalled anyway says so by
   POLL_IN at its next signal, and is not re-armed then. Async-signal-safe. */
void pmu_counter_refresh(struct pmu_counter *c);

/* Closes the event that leads c's group. Async-signal-safe. */
void pmu_counter_drop_aux(struct pmu_counter *c);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * explain.h - a failed system call, in words for the person who asked.
 *
 * For ordinary code; reads /proc, does not allocate.
 */
#ifndef OMPHWC_PMU_EXPLAIN_H
#define OMPHWC_PMU_EXPLAIN_H

struct pmu_event;
struct pmu_refusal;

/* perf_event_open refused ev with this errno. */
void pmu_explain_open(const struct pmu_event *ev, int error, struct pmu_refusal *why);

/* timer_create or timer_settime refused. */
void pmu_explain_timer(const struct pmu_event *ev, int error, struct pmu_refusal *why);

/* A descriptor could not be moved, or given an owner and a signal. */
void pmu_explain_descriptor(const struct pmu_event *ev, int error, struct pmu_refusal *why);

/* An open event has a counter that stays at 0. */
void pmu_explain_silent(const struct pmu_event *ev, struct pmu_refusal *why);

/* The ring of an open event could not be mapped. */
void pmu_explain_ring(const struct pmu_event *ev, struct pmu_refusal *why);

#endif

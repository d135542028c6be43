/*
 * wall.h - the timer that samples wall time in a thread.
 *
 * Ticks at equal distances would see a program with a rhythm of its own at the same places again
 * and again. A tick wakes a waiting thread, so that a program can even fall into step with the
 * timer. Each tick is therefore put off by a share of the period that changes every few ticks. The
 * number of ticks still tells the time exactly, to one period.
 */
#ifndef OMPHWC_PMU_WALL_H
#define OMPHWC_PMU_WALL_H

#include "pmu/counter.h"

/* Begins and ends the ticks of c, a PMU_WALL counter with a timer: 0 or -errno. */
int wall_start(struct pmu_counter *c);
int wall_stop(struct pmu_counter *c);

/* For the handler: so many periods have passed. Async-signal-safe. */
void wall_ticked(struct pmu_counter *c, uint64_t periods);

/* For the handler: every few ticks, the share of a period by which ticks are put off is chosen
   anew: a system call then. Async-signal-safe. */
void wall_put_off(struct pmu_counter *c);

#endif

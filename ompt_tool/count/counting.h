/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counting.h - reads counters where regions, tasks and waits begin and end, instead
 * of sampling.
 *
 * The functions for callbacks take no lock, allocate nothing and make no system
 * call but one now and then, to read counters that user code may not read
 * (meter.h).
 */
#ifndef OMPHWC_OMPT_TOOL_COUNT_COUNTING_H
#define OMPHWC_OMPT_TOOL_COUNT_COUNTING_H

#include <stdbool.h>
#include <stdint.h>

struct omp_thread;
struct pmu_event;

/*
 * Counts these n events, under the numbers from first on. min_us: the least time
 * between readings that take system calls; 0: such that they cost a hundredth of
 * the time. note() takes lines for the report: how events are read, and later which
 * threads are not counted completely (from any thread, ordinary code). Once, before
 * any thread.
 */
void counting_prepare(const struct pmu_event *events, int n, int first, uint32_t min_us,
		      void (*note)(const char *line));

/* Whether any events are counted. */
bool counting_on(void);

/* Says whether the runtime reports all waits. Where it does not, work can't be distinguished
   from them. */
void counting_waits(bool reported);

/* ---- threads; those of ordinary code ---------------------------------- */

/* Opens t's counters, on t's own thread; paused: they are stopped. */
void counting_begin(struct omp_thread *t, bool paused);

/* Writes what was counted until now to the profile; on t's own thread. */
void counting_flush(struct omp_thread *t);

void counting_stop(struct omp_thread *t);
void counting_start(struct omp_thread *t);

/* Writes the totals into t's record. From any thread. */
void counting_total(struct omp_thread *t);

/* Closes t's counters. On any thread that has claimed t. */
void counting_end(struct omp_thread *t);

/* In a fork's child: closes the parent's descriptors without stopping its counters. */
void counting_abandon(struct omp_thread *t);

/* ---- for callbacks, on t's own thread --------------------------------- */

void counting_enter(struct omp_thread *t, uint64_t token);
void counting_leave(struct omp_thread *t, uint64_t token);

/* A wait begins or ends; last: the wait at the end of t's region. */
void counting_wait(struct omp_thread *t, bool begins, bool last);

void counting_switch(struct omp_thread *t, uint64_t token, bool begins);

#endif

/*
 * counting.h - counters that are read where regions, tasks and waits begin and
 * end, instead of being sampled.
 *
 * The functions for callbacks take no lock, allocate nothing and make no system
 * call, but to read counters that user code may not read, now and then (meter.h).
 */
#ifndef OMPHWC_OMPT_TOOL_COUNT_COUNTING_H
#define OMPHWC_OMPT_TOOL_COUNT_COUNTING_H

#include <stdbool.h>
#include <stdint.h>

struct omp_thread;
struct pmu_event;

/*
 * These n events are counted, under the numbers from first on.  min_us: what takes
 * system calls is read at most so often; 0: as often as costs a hundredth.  note takes
 * lines that the report must show: how events are read, and later which threads are not
 * counted in full (from any thread, ordinary code).  Once, before any thread.
 */
void counting_prepare(const struct pmu_event *events, int n, int first, uint32_t min_us,
		      void (*note)(const char *line));

/* Whether there is anything to count. */
bool counting_on(void);

/* Whether all waits are told.  Where they are not, work can't be read apart from
   them. */
void counting_waits(bool told);

/* ---- threads; those of ordinary code ---------------------------------- */

/* Opens t's counters, on its own thread; paused: stopped. */
void counting_begin(struct omp_thread *t, bool paused);

/* What was counted until now goes to the profile; on t's own thread. */
void counting_flush(struct omp_thread *t);

void counting_stop(struct omp_thread *t);
void counting_start(struct omp_thread *t);

/* The totals into t's record.  From any thread. */
void counting_total(struct omp_thread *t);

/* On any thread that holds t. */
void counting_end(struct omp_thread *t);

/* In a fork's child: gives up what is the parent's. */
void counting_abandon(struct omp_thread *t);

/* ---- for callbacks, on t's own thread --------------------------------- */

void counting_enter(struct omp_thread *t, uint64_t token);
void counting_leave(struct omp_thread *t, uint64_t token);

/* last: it waits for the end of its region, and does nothing there afterwards. */
void counting_wait(struct omp_thread *t, bool begins, bool last);

void counting_switch(struct omp_thread *t, uint64_t token, bool begins);

#endif

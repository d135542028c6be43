/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * phase.h - when a counter's samples come, from the thread's begin on.
 *
 * If each thread's first sample came after a whole period, threads that live for less than one
 * would have none, however many there are. So the first sample comes after a part of the
 * period, which is random for each counter, any part as likely as any other: then the expected
 * number of samples times the period is what the thread counts, whatever its length. All
 * samples stand for a whole period.
 *
 * In the kernel's frequency mode a counter begins with a period of 1, and has dozens of samples
 * in its first microseconds. It is used until it is known which period gives the frequency:
 * other threads' counts show that. From then on new counters begin with that period, and
 * change it where their samples come too fast or too slowly.
 */
#ifndef OMPHWC_PMU_PHASE_H
#define OMPHWC_PMU_PHASE_H

#include <stdint.h>
#include <sys/types.h>

#include "pmu/counter.h"

/* Chooses c's first period: for c, of which tag, period and freq_hz are set, on thread tid. */
void phase_choose(struct pmu_counter *c, pid_t tid);

/*
 * For the handler, after a signal of c: what the sample stands for. counted: since the last
 * signal, where that is known; c->value and c->ran_ns are up to date then. 0, with c->untimely
 * set: the signal is no sample. Async-signal-safe.
 */
uint64_t phase_weight(struct pmu_counter *c, uint64_t counted);

/* For the handler: sets the period that phase_weight() chose. One system call (by SIGTRAP
   three) where the period changes, else none. Async-signal-safe. */
void phase_set(struct pmu_counter *c);

/* A counter of that kind has counted value while it ran for ran_ns. Async-signal-safe. */
void phase_learn(const struct pmu_counter *c, uint64_t value, uint64_t ran_ns);

#endif

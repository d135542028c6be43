/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wall.h - samples wall time in a thread, running or asleep.
 *
 * A CLOCK_MONOTONIC timer ticks about once a period. Each sample stands for the time since the
 * last one, by the clock: a thread's samples add up to its lifetime. Ticks at equal distances
 * would see a program with a rhythm of its own at the same places again and again, and a tick
 * wakes a waiting thread, so that a program can even fall into step with the timer: each distance
 * is drawn anew.
 *
 * The kernel knows how long a thread has run (its CPU time). So sleep and running are counted
 * apart. What it ran goes to the next sample that finds it running: not to one whose tick came late
 * because it had no CPU. What it slept goes to where it is found asleep. While it sleeps, or
 * hardly runs, a timer of its CPU time is set, so that however rarely it runs, a sample finds it
 * awake when it has run for about a period. Where something notes that a sleep has ended
 * (wall_wake()), its time is exact.
 *
 * A thread that is found asleep where it was asleep before is asked less and less often: after a
 * quarter of the time that it has slept, and where many threads sleep, after so long that all of
 * them together tick no more than a thousand times a second. The latter holds also for threads that
 * are found awake but hardly run, which have no CPU: they are asked when they have run for a
 * period.
 */
#ifndef OMPHWC_PMU_WALL_H
#define OMPHWC_PMU_WALL_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "pmu/counter.h"

/* Where a tick found the thread. */
enum wall_call {
	WALL_RUNS,   /* in its own code */
	WALL_LEAVES, /* behind a system call's instruction: it returns from the kernel */
	WALL_WAITS,  /* in a system call that the tick interrupted, or that held the tick back */
};

struct wall_place {
	uintptr_t pc, sp;
	enum wall_call call;
	bool ran; /* wall_has_run() */
};

/* What a sample counts. Each may be 0. */
struct wall_share {
	bool asleep;	    /* the thread slept here */
	uint64_t here_ns;   /* the sample's own weight */
	uint64_t before_ns; /* to where the last sample was, which found it asleep */
	uint64_t ready_ns;  /* here, where it waited for a CPU */
};

/* Begins and ends the ticks of c, a PMU_WALL counter with a timer: 0 or -errno. */
int wall_start(struct pmu_counter *c);
int wall_stop(struct pmu_counter *c);

/* The time since the last sample or since the start, which counts as taken from here on. */
uint64_t wall_since(struct pmu_counter *c);

/*
 * The same where the thread or the process ends: what belongs to the place of the thread's last
 * sample. The first tick comes at any time of the first period, as likely as at others; a thread
 * that ends before it has no samples. So one that ends within its first period and has samples
 * stands for a whole period, and the sum over all such threads is right.
 *
 * other: another thread's number, or 0 for the calling thread. In another one a tick may be
 * overdue, held back by a call in which the thread sleeps. Where that is, is not known: 0. Of a
 * thread that hardly ran, what it did not run counts as a wait for a CPU.
 */
void wall_rest(struct pmu_counter *c, pid_t other, struct wall_share *share);

/* Whether the signal is the tick of a thread that has run for a period. Async-signal-safe. */
bool wall_has_run(const struct pmu_counter *c, const siginfo_t *info);

/* For the handler, at a tick: shares the time since the last sample. False: c was stopped, and
   there is nothing to count. Two system calls; async-signal-safe. */
bool wall_take(struct pmu_counter *c, const struct wall_place *place, struct wall_share *share);

/* In ordinary code of a thread whose last sample found it asleep: that sleep is over. Returns what
   of it is not counted yet. No tick may be taken meanwhile. Three system calls. */
uint64_t wall_wake(struct pmu_counter *c);

/* For the handler: sets the next tick, by one or two system calls. Async-signal-safe. */
void wall_rearm(struct pmu_counter *c);

/* Signals by another number: the timer of CPU time is made anew when it is next needed. */
void wall_renumber(struct pmu_counter *c, int signo);

/* The timers are gone, or go with the process. Async-signal-safe. */
void wall_close(struct pmu_counter *c);
void wall_abandon(struct pmu_counter *c);

/* How far apart the ticks of threads that did not run were at most, where these were so many at
   once that this was by their number; 0: it never was. */
uint64_t wall_bounded_ns(void);

#endif

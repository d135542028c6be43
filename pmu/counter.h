/*
 * counter.h - one event counted in one thread, signalling each overflow there.
 *
 * open, start, stop and close are for ordinary code.  The functions marked
 * signal-safe are all that a handler calls; they neither lock nor allocate.
 */
#ifndef OMPHWC_PMU_COUNTER_H
#define OMPHWC_PMU_COUNTER_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "pmu/event.h"
#include "pmu/refusal.h"

/* How an overflow reaches the thread. */
enum pmu_delivery {
	PMU_DELIVERY_SIGNAL,	/* F_SETSIG, F_OWNER_TID, re-armed by IOC_REFRESH */
	PMU_DELIVERY_SIGTRAP,	/* attr.sigtrap: synchronous SIGTRAP, Linux 5.18+ */
};

struct pmu_counter {
	enum pmu_kind kind;
	enum pmu_delivery delivery;
	int fd;			/* perf event, close-on-exec; -1: none */
	timer_t timer;		/* PMU_WALL */
	bool timer_open;
	uint32_t tag;		/* the caller's number for it: 0 … 15 */
	uint64_t period;	/* 0 in frequency mode */
	void *ring;		/* mmap'd ring, or NULL */
	uint32_t ring_bytes;
};

struct pmu_value {
	uint64_t value;
	uint64_t enabled_ns;
	uint64_t running_ns;
};

/* Whether this kernel's sigtrap can be relied on (5.18+: a blocked SIGTRAP
   no longer kills). */
bool pmu_delivery_sigtrap_works(void);

/*
 * Opens ev on thread tid of this process, stopped.  signo is the real-time
 * signal for PMU_DELIVERY_SIGNAL and for wall timers; SIGTRAP's handler serves
 * the other.  tag comes back from pmu_counter_tag().  Asks for a descriptor
 * that children do not inherit, never 0, 1 or 2.
 * 0, or -1 with *why (nothing is left open).
 */
int pmu_counter_open(struct pmu_counter *c, const struct pmu_event *ev,
		     pid_t tid, enum pmu_delivery delivery, int signo,
		     uint32_t tag, struct pmu_refusal *why);

/* Start and stop; 0 or -errno.  Any thread of the process may call them. */
int pmu_counter_start(struct pmu_counter *c);
int pmu_counter_stop(struct pmu_counter *c);

/* The value so far, with the times that scale it.  0 or -errno; a wall timer
   has none: -ENOTSUP. */
int pmu_counter_read(const struct pmu_counter *c, struct pmu_value *v);

/* Idempotent. */
void pmu_counter_close(struct pmu_counter *c);

/* In a fork's child: gives the descriptor up without stopping the parent's
   counter, which shares it.  Signal-safe. */
void pmu_counter_abandon(struct pmu_counter *c);

/*
 * Which of n counters sent this signal: its index, or -1 when it is none of
 * them (a stranger's SIGTRAP, a stale descriptor).  Signal-safe.
 */
int pmu_counter_which(const struct pmu_counter *c, int n, const siginfo_t *info);

/*
 * How many events this sample stands for: the period, or in frequency mode
 * what the kernel's ring says.  *overrun gets the expiries or records that were
 * lost meanwhile.  Signal-safe, no system call.
 */
uint64_t pmu_counter_weight(struct pmu_counter *c, const siginfo_t *info,
			    uint64_t *overrun);

/* Arms the next overflow; the one system call of a handler, and none at all
   with sigtrap or a timer.  Keeps errno.  Signal-safe. */
void pmu_counter_rearm(struct pmu_counter *c);

#endif

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

enum { PMU_KERNEL_FRAMES = 24 };

/* What the kernel told of a sample beside its count; 0: it did not. */
struct pmu_sample {
	uint64_t ip;		/* where it was counted, exactly if the event is precise */
	uint64_t address;	/* of the data: page faults', precise memory events' */
	uint64_t source;	/* union perf_mem_data_src: what the data came from */
	uint64_t latency;	/* the access's cost as the hardware has it, in cycles */
	unsigned nkernel;	/* frames in the kernel, innermost first */
	uint64_t kernel[PMU_KERNEL_FRAMES];
};

/* Of one thread: for each event one, or one for each kind of core. */
enum { PMU_COUNTERS_MAX = 32 };

struct pmu_counter {
	enum pmu_kind kind;
	enum pmu_delivery delivery;
	int fd;			/* perf event, close-on-exec; -1: none */
	uint64_t id;		/* the kernel's: tells that fd is still this event;
				   0: it doesn't say */
	int signo;		/* PMU_PERF by PMU_DELIVERY_SIGNAL: its number; atomic */
	timer_t timer;		/* PMU_WALL */
	bool timer_open;
	uint32_t tag;		/* the caller's number for it: 0 … 31, another for
				   each counter of a thread */
	uint32_t event;		/* the caller's: what it counts */
	uint64_t period;	/* 0 in frequency mode */
	void *ring;		/* mmap'd ring, or NULL */
	uint32_t ring_bytes;	/* one page of control, one of data */
	bool running;		/* atomic: between start and stop */
	bool armed;		/* the handler's: one more overflow is allowed */
	uint64_t last;		/* the handler's: value at the last sample */
	bool precise;		/* sample.ip is where the event happened */
	uint32_t sample_type;	/* what the ring's samples hold (perf_event_attr) */
	struct pmu_sample sample; /* the last one, as far as the ring tells */
	uint64_t throttled;	/* times the kernel held the event back (ring) */
	uint64_t throttled_ns;	/* for how long in all; atomic */
	uint64_t throttled_since; /* of the ring's clock; 0: it is not held back */
	uint32_t throttled_samples; /* since then */
};

struct pmu_value {
	uint64_t value;
	uint64_t enabled_ns;
	uint64_t running_ns;
};

/* Whether this kernel's sigtrap can be relied on (5.18+: a blocked SIGTRAP
   no longer kills). */
bool pmu_delivery_sigtrap_works(void);

/* Whether samples of ev tell the address of what they are about, where the kernel has
   it: page faults', precise memory events'. */
bool pmu_counter_tells_address(const struct pmu_event *ev);

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

/*
 * Whether c's descriptor is still its event: an application that closes all
 * that it finds closes ours too, and its next file gets the number.  start,
 * stop, read, close and abandon leave such a one alone (-ESTALE).
 */
bool pmu_counter_holds(const struct pmu_counter *c);

/* From here on c, which was opened on thread tid, signals by another number.  What was
   sent already comes by the old one.  0 or -errno.  Any thread may call it. */
int pmu_counter_renumber(struct pmu_counter *c, pid_t tid, int signo);

/*
 * c, which was opened on the calling thread for PMU_DELIVERY_SIGTRAP, is opened anew for
 * PMU_DELIVERY_SIGNAL; *last gets what the old one had counted.  Runs if it ran.  No
 * sample of the thread may come meanwhile.  0 or -errno: it is as it was.  Signal-safe.
 */
int pmu_counter_redeliver(struct pmu_counter *c, const struct pmu_event *ev, pid_t tid,
			  int signo, struct pmu_value *last);

/*
 * Start and stop; 0 or -errno.  Any thread of the process may call them.  After
 * stop a handler under way in the counted thread does not arm again, but a
 * signal that is pending already still arrives.
 */
int pmu_counter_start(struct pmu_counter *c);
int pmu_counter_stop(struct pmu_counter *c);

/*
 * The value so far, with the times that scale it: an event that the kernel held
 * back did not run then.  0 or -errno; a wall timer has none: -ENOTSUP.  A clock's
 * value holds the kernel's time too, whatever its label says: the kernel only
 * leaves out its samples.
 */
int pmu_counter_read(const struct pmu_counter *c, struct pmu_value *v);

/* Idempotent; a zeroed counter counts as closed.  Its samples may come meanwhile, and
   are strangers' from then on, in the thread that closes it; no other may be in its
   handler. */
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
 * Whether a counter of this process sent the signal for certain, one that is closed by
 * now included: timers' and sigtrap's signals carry our token; a queued signal of a
 * file does not.  Signal-safe.
 */
bool pmu_counter_sent(const siginfo_t *info);

/*
 * Whether c has overflowed and its signal was not taken yet, as far as its ring tells:
 * for a SIGIO, which the kernel sends in the place of a signal that found the
 * queue full and which does not tell whose it is.  Without a ring: true.  Signal-safe.
 */
bool pmu_counter_overflowed(const struct pmu_counter *c);

/*
 * Whether a signal of c's number waits for the calling thread, which blocks it here:
 * then what c's ring tells may come by that one, not by a SIGIO.  Only for
 * PMU_DELIVERY_SIGNAL; one system call.  Signal-safe.
 */
bool pmu_counter_pends(const struct pmu_counter *c);

/*
 * How many events this sample stands for: the period, or in frequency mode
 * what the event counted since the sample before, as the kernel's ring says.
 * A wall timer's expiries that found this one still pending are in the weight
 * too: the thread was where it is all that time.  *overrun gets the other
 * signals that were lost meanwhile, whose events no weight includes.  Sets
 * c->sample to what the kernel's ring says.  Signal-safe, no system call.
 * But where the ring of a frequency event could not be mapped
 * (RLIMIT_MEMLOCK), the event is read: one system call, 0.3 us.
 */
uint64_t pmu_counter_weight(struct pmu_counter *c, const siginfo_t *info,
			    uint64_t *overrun);

/*
 * Arms the next overflow; the one system call of a handler, and none at all
 * with sigtrap or a timer.  Call it after weight.  Calling it for a counter
 * that did not overflow (after a SIGIO, which says that a signal found the
 * queue full, and not whose) is harmless.  Keeps errno.  Signal-safe.
 */
void pmu_counter_rearm(struct pmu_counter *c);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counter.h - one event counted in one thread, which each overflow signals.
 *
 * open, start, stop and close are for ordinary code. Handlers call only the
 * functions marked signal-safe; these neither lock nor allocate.
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
	PMU_DELIVERY_SIGNAL,  /* F_SETSIG, F_OWNER_TID, re-armed by IOC_REFRESH */
	PMU_DELIVERY_SIGTRAP, /* attr.sigtrap: synchronous SIGTRAP, Linux 5.18+ */
};

enum { PMU_KERNEL_FRAMES = 24 };

/* What the kernel's record of a sample holds besides the count; 0: it has no such value. */
struct pmu_sample {
	uint64_t ip;	  /* the instruction; exact if the event is precise */
	uint64_t address; /* of the data, for page faults and precise memory events */
	uint64_t source;  /* union perf_mem_data_src: the memory level that served it */
	uint64_t latency; /* the access's latency in cycles, from the hardware */
	unsigned nkernel; /* frames in the kernel, innermost first */
	uint64_t kernel[PMU_KERNEL_FRAMES];
};

/* Counters of one thread: one for each event, or for each event and kind of core. */
enum { PMU_COUNTERS_MAX = 32 };

/* Owned by wall.c. */
struct wall {
	uint64_t since_ns;	 /* up to then the thread's time is counted; atomic */
	uint64_t cpu_ns, sleeps; /* of the thread, at the last sample */
	uint64_t counted_ns;	 /* of the thread, up to since_ns */
	/* Not in any sample yet: what it ran, slept, and waited for a CPU. */
	uint64_t ran_ns, dozed_ns, ready_ns;
	uint64_t next_ns;  /* from the last sample to the next tick */
	uint64_t slept_ns; /* for how long it is known to have slept where it is */
	uintptr_t pc, sp;  /* where the last sample was */
	bool asleep;	   /* it slept there */
	bool starved;	   /* it did not, and had hardly run since the one before */
	bool fresh;	   /* there was none since the start */
	uint64_t
		watched_ns; /* the CPU time at which the timer of that ticks; past: it is not set */
	int paused;	    /* counted among those that are left alone; atomic */
	int waking;	    /* the kernel's number of the timer of CPU time, or -1 */
	int signo;
	uint32_t seed;
};

struct pmu_counter {
	enum pmu_kind kind;
	enum pmu_delivery delivery;
	int fd;	     /* perf event, close-on-exec; -1: none */
	uint64_t id; /* the kernel's id: shows that fd is still this event; 0: unknown */
	int aux;     /* the event that it needs beside it, which leads its group; 0: none */
	uint64_t aux_id;
	int signo;     /* signal number of a PMU_PERF event with PMU_DELIVERY_SIGNAL;
				   atomic */
	timer_t timer; /* PMU_WALL */
	bool timer_open;
	struct wall wall;    /* PMU_WALL */
	uint32_t tag;	     /* the caller's number: 0 … 31, different for each counter of a
				   thread */
	uint32_t event;	     /* the caller's number of the event */
	uint64_t period;     /* 0 in frequency mode */
	uint32_t freq_hz;    /* 0: period rules; what the kernel allows, if that is less */
	uint32_t granule;    /* periods are multiples of it; 0: any */
	void *ring;	     /* mmap'd ring, or NULL */
	uint32_t ring_bytes; /* one page of control, one of data */
	bool running;	     /* atomic: between start and stop */
	bool armed;	     /* for the handler: one more overflow is allowed */
	uint64_t value;	     /* for the handler: at the last signal, where a record reports */
	uint64_t ran_ns;     /* likewise, for how long it had counted */
	/* phase.c */
	bool is_clock;	 /* its timer may expire without a signal */
	bool untimely;	 /* the last signal is no sample */
	uint64_t pace;	 /* the period after the first; 0: the kernel's */
	uint64_t first;	 /* the first period while it lasts; 0: it is over */
	uint64_t unit;	 /* of a clock: its periods until the first sample are multiples of it, */
	uint64_t units;	 /* so many have passed, */
	uint64_t places; /* and a sample is due after so many, */
	uint64_t apart;	 /* and then every so many */
	uint64_t since;	 /* of a clock: how long it had counted when its period was set, */
	uint64_t step;	 /* to this one */
	uint64_t stray;	 /* a signal below that value is of the first period; 0: none is left */
	uint64_t retime; /* what the handler is to set it to; 0: nothing */
	uint64_t ran_before_ns;
	bool faults;		    /* the signal comes at the instruction that caused the event */
	bool unrecorded;	    /* no ring, whose records would say more than the signals */
	bool precise;		    /* sample.ip is where the event happened */
	uint32_t sample_type;	    /* what the ring's samples hold (perf_event_attr) */
	struct pmu_sample sample;   /* the last sample, as far as the ring reports */
	uint64_t throttled;	    /* how often the kernel throttled the event (ring) */
	uint64_t throttled_ns;	    /* for how long in all; atomic */
	uint64_t throttled_since;   /* by the ring's clock; 0: it is not throttled */
	uint32_t throttled_samples; /* samples since then */
};

struct pmu_value {
	uint64_t value;
	uint64_t enabled_ns;
	uint64_t running_ns;
};

/* Whether this kernel's sigtrap can be used (5.18+: a blocked SIGTRAP does not kill). */
bool pmu_delivery_sigtrap_works(void);

/* Whether samples of ev hold the address of the data, where the kernel has it: page
   faults and precise memory events. */
bool pmu_counter_has_address(const struct pmu_event *ev);

/*
 * Opens ev on thread tid of this process, stopped. signo is the real-time signal
 * for PMU_DELIVERY_SIGNAL and for wall timers; PMU_DELIVERY_SIGTRAP sends SIGTRAP.
 * pmu_counter_which() finds the counter by its tag. The descriptor is
 * close-on-exec, and never 0, 1 or 2. 0, or -1 with *why (nothing is left open).
 */
int pmu_counter_open(struct pmu_counter *c, const struct pmu_event *ev, pid_t tid,
		     enum pmu_delivery delivery, int signo, uint32_t tag, struct pmu_refusal *why);

/*
 * Whether c's descriptor is still its event. An application that closes all
 * descriptors closes ours too, and its next file gets the number. start, stop,
 * read, close and abandon leave such a descriptor alone (-ESTALE).
 */
bool pmu_counter_holds(const struct pmu_counter *c);

/* Makes c, which was opened on thread tid, signal by another number. Signals that were
   sent already come by the old number. 0 or -errno. Any thread may call it. */
int pmu_counter_renumber(struct pmu_counter *c, pid_t tid, int signo);

/*
 * Opens c, which was opened on the calling thread for PMU_DELIVERY_SIGTRAP, anew
 * for PMU_DELIVERY_SIGNAL; *last gets the old counter's value. It runs if the old
 * one ran. No sample of the thread may come meanwhile. 0, or -errno, and c is
 * unchanged. Signal-safe.
 */
int pmu_counter_redeliver(struct pmu_counter *c, const struct pmu_event *ev, pid_t tid, int signo,
			  struct pmu_value *last);

/*
 * Start and stop; 0 or -errno. Any thread of the process may call them. After stop
 * a running handler of the counted thread does not re-arm the counter, but a
 * pending signal still arrives.
 */
int pmu_counter_start(struct pmu_counter *c);
int pmu_counter_stop(struct pmu_counter *c);

/*
 * The value so far, with the times that scale it; throttled time does not count as
 * running. 0 or -errno; a wall timer has no value: -ENOTSUP. A clock's value
 * includes time in the kernel, whatever its label says: the kernel leaves out only
 * the samples there.
 */
int pmu_counter_read(const struct pmu_counter *c, struct pmu_value *v);

/* Idempotent; a zeroed counter counts as closed. The calling thread's own samples may
   come meanwhile: from then on they count as foreign signals. No other thread may be in
   c's handler. */
void pmu_counter_close(struct pmu_counter *c);

/* In a fork's child: closes the descriptor without stopping the parent's counter, which
   shares it. Signal-safe. */
void pmu_counter_abandon(struct pmu_counter *c);

/*
 * The index of the counter, of n, that sent this signal, or -1 when none did
 * (another SIGTRAP, a stale descriptor). Signal-safe.
 */
int pmu_counter_which(const struct pmu_counter *c, int n, const siginfo_t *info);

/*
 * Whether a counter of this process certainly sent the signal, even one that is
 * closed by now. Timers' and sigtrap's signals carry our token; a file's queued
 * signal does not. Signal-safe.
 */
bool pmu_counter_sent(const siginfo_t *info);

/*
 * Whether c has overflowed and its signal was not taken yet, according to its ring.
 * For a SIGIO, which the kernel sends when the queue was full, and which does not
 * name the counter. Without a ring: true. Signal-safe.
 */
bool pmu_counter_overflowed(const struct pmu_counter *c);

/*
 * Whether a signal of c's number pends for the calling thread, which blocks it
 * here: then that signal may report what c's ring holds, and not a SIGIO. Only for
 * PMU_DELIVERY_SIGNAL; one system call. Signal-safe.
 */
bool pmu_counter_pends(const struct pmu_counter *c);

/*
 * The number of events that this sample stands for: the period, or in frequency
 * mode the counts since the last sample, from the kernel's ring (the first one stands for
 * more: see phase.h). 0, and c->untimely is set: it is no sample. For a wall timer the
 * time since the last sample (wall_take() shares it). *overrun gets the other signals
 * that were lost meanwhile, whose events no weight includes. Sets c->sample from the
 * ring. Signal-safe, no system call; but where the ring of a frequency event could not be mapped
 * (RLIMIT_MEMLOCK), the event is read: one system call, 0.3 us.
 */
uint64_t pmu_counter_weight(struct pmu_counter *c, const siginfo_t *info, uint64_t *overrun);

/*
 * Arms the next overflow: the handler's one system call, and none with sigtrap; more where
 * the period changes, as it does after the first sample. A timer of a thread that sleeps may
 * need two (wall.h). Call it after pmu_counter_weight(). Harmless
 * for a counter that has not overflowed (after a SIGIO, which does not name the counter).
 * Keeps errno.
 * Signal-safe.
 */
void pmu_counter_rearm(struct pmu_counter *c);

#endif

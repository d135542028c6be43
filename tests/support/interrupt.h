/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * interrupt.h - interrupts the calling thread repeatedly, at arbitrary instructions.
 */
#ifndef OMPHWC_TESTS_INTERRUPT_H
#define OMPHWC_TESTS_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>
#include <time.h>

struct interrupt {
	timer_t timer;
};

/*
 * Interrupts the calling thread with signo about every period_ns of real time from now on.
 * interrupt_handle() must have installed the handler, which runs with all signals blocked.
 * 0 or -errno.
 */
int interrupt_start(struct interrupt *in, int signo, long period_ns);
void interrupt_stop(struct interrupt *in);

/* Called by the handler: the next interrupt comes after after_ns, and is the last one unless
   this is called again.  So a slow handler does not starve the program. */
void interrupt_after(struct interrupt *in, long after_ns);

/*
 * Calls run(arg), and once, in a signal handler after its n'th instruction (from 1,
 * beginning shortly before the call), between(arg). Returns whether run() has that many
 * instructions; so a loop up to false tries every instruction.  Uses SIGTRAP.  On machines
 * other than x86-64 it returns false.
 */
bool interrupt_at(int n, void (*run)(void *), void (*between)(void *), void *arg);

/* 0 or -errno. */
int interrupt_handle(int signo, void (*handler)(int, siginfo_t *, void *));

#endif

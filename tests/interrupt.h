/*
 * interrupt.h - interrupts the calling thread again and again, at instructions
 * that nobody chose.
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
 * From here on the calling thread is interrupted with signo about every
 * period_ns of real time, by the process's handler for it, which
 * interrupt_handle() installed with all signals blocked.  0 or -errno.
 */
int interrupt_start(struct interrupt *in, int signo, long period_ns);
void interrupt_stop(struct interrupt *in);

/* From the handler: the next interrupt comes after_ns from now, and is the last but for
   another call.  So a handler that takes long leaves the program its time. */
void interrupt_after(struct interrupt *in, long after_ns);

/*
 * Calls run(arg), and in a signal handler between its n'th instruction from some
 * point before the call on and the next (n counts from 1) calls between(arg),
 * once.  Whether run() was that long: so a loop that ends with false has tried
 * every instruction.  Takes SIGTRAP.  Only x86-64 can: elsewhere false.
 */
bool interrupt_at(int n, void (*run)(void *), void (*between)(void *), void *arg);

/* 0 or -errno. */
int interrupt_handle(int signo, void (*handler)(int, siginfo_t *, void *));

#endif

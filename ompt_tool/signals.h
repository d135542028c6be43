/*
 * signals.h - the signals by which counters reach their threads, and the
 * application's own wishes for the same signals.
 */
#ifndef OMPHWC_OMPT_TOOL_SIGNALS_H
#define OMPHWC_OMPT_TOOL_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

#include "pmu/counter.h"

/*
 * Takes a real-time signal that nothing else handles, and SIGIO, which the
 * kernel sends in its place when its queue is full, and with sigtrap SIGTRAP.
 * The signal's number, or -errno where no handler could be installed.
 */
int signals_take(enum pmu_delivery delivery);

/* Whether signo is one that we took. */
bool signals_ours(int signo);

/* Lets them through in the calling thread. */
void signals_unblock(void);

/*
 * The application's sigaction() on a signal that is ours: remembered, and
 * obeyed whenever that signal is not from a counter.  Either may be NULL.
 */
void signals_application(int signo, const struct sigaction *act, struct sigaction *old);

/* Takes ours out of a set that is about to be blocked or waited for. */
void signals_remove(sigset_t *set);

#endif

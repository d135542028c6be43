/*
 * waits.h - the program waits for signals, or sleeps in a call that no signal
 * restarts.  Each is the function of that name: see its manual page.
 */
#ifndef OMPHWC_OMPT_TOOL_PROGRAM_WAITS_H
#define OMPHWC_OMPT_TOOL_PROGRAM_WAITS_H

#include <signal.h>
#include <time.h>

/* sigtimedwait(2); timeout NULL: sigwaitinfo(2).  A counter's signal that it takes is a
   sample of the wait. */
int waits_take(const sigset_t *set, siginfo_t *info, const struct timespec *timeout);

/* signalfd(2). */
int waits_descriptor(int fd, const sigset_t *set, int flags);

#endif

/*
 * waits.h - waits for signals, on the program's behalf. Each function is the one of
 * the named manual page.
 */
#ifndef OMPHWC_OMPT_TOOL_PROGRAM_WAITS_H
#define OMPHWC_OMPT_TOOL_PROGRAM_WAITS_H

#include <signal.h>
#include <time.h>

/* sigtimedwait(2), or sigwaitinfo(2) where timeout is NULL. When it takes a counter's
   signal, that is a sample of the place of the wait. */
int waits_take(const sigset_t *set, siginfo_t *info, const struct timespec *timeout);

/* signalfd(2). */
int waits_descriptor(int fd, const sigset_t *set, int flags);

#endif

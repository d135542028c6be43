/*
 * deliver.h - our handlers of the shared signals.
 */
#ifndef OMPHWC_OMPT_TOOL_PROGRAM_DELIVER_H
#define OMPHWC_OMPT_TOOL_PROGRAM_DELIVER_H

#include <signal.h>

/* Of signals that counters send: theirs go to the sample hook, others to the program. */
void deliver_signal(int signo, siginfo_t *info, void *ucontext);

/* Of SIGBUS. */
void deliver_fault(int signo, siginfo_t *info, void *ucontext);

#endif

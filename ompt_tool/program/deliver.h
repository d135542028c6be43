/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deliver.h - our handlers of the shared signals, as sigaction() wants them.
 */
#ifndef OMPHWC_OMPT_TOOL_PROGRAM_DELIVER_H
#define OMPHWC_OMPT_TOOL_PROGRAM_DELIVER_H

#include <signal.h>

/* For signals that counters send. Counters' signals go to the sample hook, others to
   the program. */
void deliver_signal(int signo, siginfo_t *info, void *ucontext);

/* For SIGBUS. */
void deliver_fault(int signo, siginfo_t *info, void *ucontext);

#endif

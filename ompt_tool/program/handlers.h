/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * handlers.h - the program's handlers of signals that are not shared, and the thread that
 * they run in.
 *
 * A signal that is sent to the process is taken by the first thread that accepts it and looks for
 * signals. The kernel wakes the main thread for it, if that accepts it, and without us it is the
 * main thread that looks. A thread that a sample interrupts looks, too, and so does one that the
 * kernel asks in its place: the handler ran there, and a pause() of the main thread's never ended.
 * So such signals' handlers are called by a function of ours, which sends the signal on to the main
 * thread. It also shows a handler the interrupted mask as the program set it, and encodes what the
 * handler makes of that. Handlers of faults, those with SA_RESETHAND and those that were set before
 * the library was there are called by the kernel.
 */
#ifndef OMPHWC_OMPT_TOOL_PROGRAM_HANDLERS_H
#define OMPHWC_OMPT_TOOL_PROGRAM_HANDLERS_H

#include <signal.h>
#include <stdbool.h>
#include <ucontext.h>

/* Whether the program's handlers of this signal are called by ours. */
bool handlers_may_route(int signo);

/* sigaction(2) for such a signal, by the next function of that name. */
int handlers_change(int signo, const struct sigaction *act, struct sigaction *old);

/* In a child that shares our memory: what the kernel has of ours is shown as the program's. */
void handlers_show(int signo, struct sigaction *act);

/* In a handler: whether the main thread gets the signal in the calling thread's place; and in the
   main thread, what the kernel said of it first. */
bool handlers_send_on(int signo, const siginfo_t *info);
void handlers_received(int signo, siginfo_t *info, ucontext_t *uc);

#endif

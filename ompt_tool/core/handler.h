/*
 * handler.h - what happens when a counter overflows.
 */
#ifndef OMPHWC_OMPT_TOOL_CORE_HANDLER_H
#define OMPHWC_OMPT_TOOL_CORE_HANDLER_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct thread;

/* An SA_SIGINFO handler for all signals of counters.  Keeps errno. */
void handler_signal(int signo, siginfo_t *info, void *ucontext);

/*
 * What handler_signal() calls with signals that no counter of the calling
 * thread sent; false when it is not the application's either.  Set before the
 * handler is installed.
 */
extern bool (*handler_foreign)(int signo, siginfo_t *info, void *ucontext);

/* Takes one sample of the calling thread t: the part that bench/ measures. */
void handler_sample(struct thread *t, int event, uint64_t weight, const void *ucontext);

#endif

/*
 * handler.h - what happens when a counter overflows.
 */
#ifndef OMPHWC_OMPT_TOOL_SAMPLE_HANDLER_H
#define OMPHWC_OMPT_TOOL_SAMPLE_HANDLER_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct pmu_sample;
struct thread;

/*
 * Takes a signal that a counter of the calling thread sent, as its handler does; false
 * for any other, which is left alone.  Also where a wait of the program's took the
 * signal: ucontext is that place then.
 */
bool handler_take(int signo, siginfo_t *info, void *ucontext);

/* What is known of a sample beside the interrupted registers. */
struct handler_event {
	int event;		/* its number in the profile */
	uint64_t weight;	/* how many events it stands for */
	const struct pmu_sample *told; /* by the kernel's ring; or NULL */
	bool precise;		/* told->ip is where the event happened */
};

/* Takes one sample of the calling thread t: the part that bench/ measures. */
void handler_sample(struct thread *t, const struct handler_event *e, const void *ucontext);

#endif

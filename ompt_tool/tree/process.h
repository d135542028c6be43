/*
 * process.h - what all threads of a profiled process share.
 *
 * Filled in before the first thread is sampled, and changed afterwards only by
 * a fork's child, in its one thread, and through the atomic fields.
 */
#ifndef OMPHWC_OMPT_TOOL_TREE_PROCESS_H
#define OMPHWC_OMPT_TOOL_TREE_PROCESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "src/profile/writer.h"

enum process_profile {
	PROFILE_NONE,		/* and none to come */
	PROFILE_DUE,		/* made as soon as there is something to tell */
	PROFILE_BEING_MADE,	/* by one thread; for the others not there yet */
	PROFILE_OPEN,
};

struct process {
	struct prof_writer writer;	/* PROFILE_OPEN: of all threads */
	_Atomic int profile;		/* enum process_profile */
	_Atomic uint64_t unplaced;	/* samples taken while it was being made */
	/* 1 in the process that was set up, 0 in a child that was forked
	   behind our back: its page is wiped then.  Never NULL. */
	const volatile unsigned char *alive;
	/* Makes the profile when it is due (in a fork's child); 0 or -errno.
	   Async-signal-safe. */
	int (*make_profile)(void);
};

/* The one process-wide state, owned by process.c. */
extern struct process process;

/* Whether there is a profile now. */
static inline bool process_has_profile(void)
{
	return atomic_load_explicit(&process.profile, memory_order_acquire) == PROFILE_OPEN;
}

/* Whether samples may be taken and contexts made here and now; makes the
   profile when it is due.  Async-signal-safe. */
bool process_ready(void);

/* The profile is whole: from now on all threads use it. */
void process_open(void);

/* A sample, or several, that no thread record can hold. */
void process_lose(uint64_t samples);

#endif

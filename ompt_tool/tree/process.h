/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * process.h - the state that all threads of a profiled process share.
 *
 * Filled in before the first thread is sampled. Afterwards only the atomic fields
 * change, and in a fork's child its only thread may change all.
 */
#ifndef OMPHWC_OMPT_TOOL_TREE_PROCESS_H
#define OMPHWC_OMPT_TOOL_TREE_PROCESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "src/profile/writer.h"

enum process_profile {
	PROFILE_NONE,	    /* no profile, and none will be made */
	PROFILE_DUE,	    /* to be made when there is something to write */
	PROFILE_BEING_MADE, /* one thread is making it; others have none yet */
	PROFILE_OPEN,
};

struct process {
	struct prof_writer writer; /* valid in PROFILE_OPEN, for all threads */
	_Atomic int profile;	   /* enum process_profile */
	_Atomic uint64_t unplaced; /* samples taken while the profile was being made */
	/* 1 in the process that was set up, 0 in a child that was forked by a bare
	   system call, where the page is wiped. Never NULL. */
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

/* Whether samples may be taken and contexts made here and now; makes a profile that is
   due. Async-signal-safe. */
bool process_ready(void);

/* The profile is complete: all threads use it from now on. */
void process_open(void);

/* Counts samples that no thread record can hold. */
void process_lose(uint64_t samples);

#endif

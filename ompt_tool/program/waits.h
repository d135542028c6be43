/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * waits.h - waits for signals, on the program's behalf. Each function is the one of
 * the named manual page.
 */
#ifndef OMPHWC_OMPT_TOOL_PROGRAM_WAITS_H
#define OMPHWC_OMPT_TOOL_PROGRAM_WAITS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "ompt_tool/program/masks.h"

/* sigtimedwait(2), or sigwaitinfo(2) where timeout is NULL. When it takes a counter's
   signal, that is a sample of the place of the wait. */
int waits_take(const sigset_t *set, siginfo_t *info, const struct timespec *timeout);

/*
 * Around a call that sleeps and that no signal restarts (signal(7)): a counter's signal is held
 * back until the call has returned, and the call ends when it would have without us. Returns the
 * mask for the call: that for the kernel where the call has a mask of its own, or NULL.
 */
struct waits {
	uint64_t shielded;
	struct masks_swap swap;
};
const sigset_t *waits_begin(struct waits *w, const sigset_t *mask);
void waits_end(const struct waits *w);

/* The program has set a time limit for a socket, or watches files: then calls that signals
   restart elsewhere may be among those. Set by their wrappers. */
extern volatile bool waits_are_timed;

/* getrandom(2) fills so many bytes whatever comes. */
enum { waits_random_whole = 256 };

/*
 * After a read(2) that returned `result': a device of the kernel's memory (/dev/zero, /dev/urandom)
 * ends a read of some pages at any signal, a sample's too, and for no other reason. Reads the rest.
 */
ssize_t waits_read_on(int fd, void *data, size_t bytes, ssize_t result);

/* The program sets an option of a socket. */
void waits_watch_option(int level, int option);

/* Whether the calling thread has just left such a call: a signal that comes now was held back. */
bool waits_is_over(void);

/* signalfd(2). */
int waits_descriptor(int fd, const sigset_t *set, int flags);

#endif

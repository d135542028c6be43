/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * aside.h - work that may wait for a server for ever, in a process of its own.
 *
 * Not even SIGKILL ends a process while it waits for some servers.  So it must hold nothing open
 * that others wait for the end of: a launcher reads its ranks' output until nobody has it open.
 */
#ifndef OMPHWC_SRC_RUN_ASIDE_H
#define OMPHWC_SRC_RUN_ASIDE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Calls work(arg) in a forked process and waits for its end; what that writes to standard error
 * comes out here, and signals that ask this process to end are passed on to it.  With all signals
 * blocked.  Of the descriptors the process has those that are kept (negative ones are none).
 * false: it used no CPU time for so long that it was ended as far as it can be.  What it changes in
 * memory is lost.  Where none can be forked it is called here.
 */
bool aside_run(void (*work)(void *), void *arg, const int *kept, size_t n);

/* In a forked process: standard error becomes err (-1: /dev/null), the other two streams
   /dev/null; all else that is not kept is closed, also what ompcount inherited. */
void aside_detach(int err, const int *kept, size_t n);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * schedule.h - how long a thread ran, and how long it waited for a CPU.
 *
 * /proc/self/task/TID/schedstat reports both of a thread that lives: three system calls. Only
 * kernels with CONFIG_SCHED_INFO have it; usually they do.
 */
#ifndef OMPHWC_OMPT_TOOL_TOOL_SCHEDULE_H
#define OMPHWC_OMPT_TOOL_TOOL_SCHEDULE_H

struct thread;

/* The calling thread is now t, whose record may be an earlier thread's. */
void schedule_begin(struct thread *t);

/* Writes what the kernel reports by now into t's tree. t lives, and may be another thread.
   Async-signal-safe. */
void schedule_read(struct thread *t);

#endif

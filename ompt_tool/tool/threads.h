/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * threads.h - starts and ends the profiling of threads. Ordinary code.
 */
#ifndef OMPHWC_OMPT_TOOL_TOOL_THREADS_H
#define OMPHWC_OMPT_TOOL_TOOL_THREADS_H

#include <stdbool.h>

#include "pmu/counter.h"
#include "src/profile/format.h"

struct thread;

/* Sets how counters signal all threads. Before the first threads_start(). */
void threads_prepare(enum pmu_delivery delivery, int signo, bool paused);

/*
 * Profiles the calling thread from here on, until it ends. For a thread that is
 * profiled already it notes the kind only, unless that is UNKNOWN. NULL without
 * memory: the thread runs on without samples, and the profile counts such threads.
 */
struct thread *threads_start(enum prof_thread_kind kind);

/* Stops every thread's counters, and notes their last values. The threads may run on; a
   handler that is running completes its sample. */
void threads_stop_all(bool final);

/* Whether no thread took a sample, as far as they have records. */
bool threads_took_none(void);

/* Starts the counters again. */
void threads_start_all(void);

/* All counters signal by signo from here on. Async-signal-safe. A thread whose counters
   are being opened, stopped or closed keeps its number. */
void threads_renumber(int signo);

/* The calling thread's counters send SIGTRAP no more where the program has it. Call with
   all signals blocked. Async-signal-safe. */
void threads_settle(void);

/* The calling thread's counters stand still while it is traced by its parent. False: as before. */
bool threads_traced(bool traced);

/* The pause of omp_control_tool() and --paused, for all threads, new ones too. False
   when the threads can't be started any more. */
bool threads_pause(bool paused);

/* Whether the calling thread was interrupted while it starts, stops or opens counters: a handler
   must not do so then. Async-signal-safe. */
bool threads_are_busy(void);

/* omp_control_tool()'s end: no thread is sampled again. */
void threads_end_all(void);

/* In a fork's child, on its only thread: forgets the other threads, and profiles this
   one anew. */
void threads_fork_child(void);

#endif

/*
 * threads.h - begins and ends the profiling of threads.  Ordinary code.
 */
#ifndef OMPHWC_OMPT_TOOL_TOOL_THREADS_H
#define OMPHWC_OMPT_TOOL_TOOL_THREADS_H

#include <stdbool.h>

#include "pmu/counter.h"
#include "src/profile/format.h"

struct thread;

/* How all threads are to be signalled; before the first threads_start(). */
void threads_prepare(enum pmu_delivery delivery, int signo, bool paused);

/*
 * Profiles the calling thread from here on, until it ends.  For a thread that
 * is profiled already it only notes its kind, unless that is UNKNOWN.  NULL
 * when there is no memory for it; the thread runs on without samples, and is
 * counted among those.
 */
struct thread *threads_start(enum prof_thread_kind kind);

/* Stops every thread's counters, and notes their last values.  Threads may go
   on running; a handler under way ends its sample. */
void threads_stop_all(bool final);

/* Starts them again. */
void threads_start_all(void);

/* All counters signal by another number from here on; async-signal-safe, but for
   threads whose counters somebody deals with at the time: those keep theirs. */
void threads_renumber(int signo);

/* omp_control_tool's and --paused's pause: for all threads, and new ones.  False
   when they can't be started any more. */
bool threads_pause(bool paused);

/* omp_control_tool's end: no thread is sampled again. */
void threads_end_all(void);

/* In a fork's child, whose only thread this is: forgets the others, and
   profiles this one anew. */
void threads_fork_child(void);

#endif

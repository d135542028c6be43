/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * depend.h - the graph of explicit tasks: which of them depend on which, by the variables that
 * they name, and the longest path through it.
 *
 * A task's place on a path is the time at which it would begin and end if each task ran as soon as
 * it may: when it has been created, and all that it depends on has ended. Only code of explicit
 * tasks takes time there. Waits for tasks, and barriers, lead on to those that wait.
 *
 * On request only: each task takes a lock. For callbacks, on t's own thread; allocates with
 * mmap(2).
 */
#ifndef OMPHWC_OMPT_TOOL_OMP_DEPEND_H
#define OMPHWC_OMPT_TOOL_OMP_DEPEND_H

#include <stdbool.h>
#include <stdint.h>

#include "src/profile/format.h"

struct omp_thread;

/* Sets whether there is a graph. Once, before any thread; and in a fork's child, where there is
   none. */
void depend_prepare(bool on);
bool depend_on(void);

/* t has a new record. */
void depend_forget(struct omp_thread *t);

/* t's task, which has the token by, creates one with that token. name identifies the new one while
   it exists; undeferred: its creator goes on when it has ended. */
void depend_created(struct omp_thread *t, uint64_t by, const void *name, uint64_t token,
		    bool undeferred);

/* Before it begins: it depends on other tasks of its creator by that variable. */
void depend_variable(struct omp_thread *t, const void *name, const void *variable,
		     enum prof_dependence kind);

/* t leaves a task for the one with the name next. ended: left is over, or was given up; else NULL.
   Names of implicit tasks are not known here. */
void depend_switch(struct omp_thread *t, const void *ended, const void *next);

/* A wait for the current task's children has ended. barrier: for all tasks. */
void depend_waited(struct omp_thread *t, bool barrier);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * depend.h - the graph of explicit tasks: which of them depend on which, by the variables that
 * they name, and the longest path through it.
 *
 * A task's place on a path is the time at which it would begin and end if each task ran as soon as
 * it may: when it has been created, and all that it depends on has ended. Only explicit tasks take
 * time there, with the regions that they begin; waiting takes none. Waits for tasks, barriers and
 * the ends of regions lead on to those that wait.
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

/* t's task creates an explicit one with that token. name identifies the new one while it exists;
   undeferred: its creator goes on when it has ended, unless only because the team has one thread.
   token 0: a wait for the tasks on which it
   depends, which depend_ended() ends. */
void depend_created(struct omp_thread *t, const void *name, uint64_t token, bool undeferred);

/* Before it begins: it depends on other tasks of its creator by that variable. */
void depend_variable(struct omp_thread *t, const void *name, const void *variable,
		     enum prof_dependence kind);

/* t leaves a task for the one with the name next. ended: left is over, or was given up; else NULL.
   Names of implicit tasks are not known here. */
void depend_switch(struct omp_thread *t, const void *ended, const void *next);

/* That task has ended, while t runs another one. t is NULL for a thread that has no record. */
void depend_ended(struct omp_thread *t, const void *name);

/* t's task begins to wait, or goes on. */
void depend_waiting(struct omp_thread *t, bool yes);

/* t has come to a barrier. */
void depend_comes(struct omp_thread *t);

/* t's task has waited for its children; barrier: for all of the team. */
void depend_waited(struct omp_thread *t, bool barrier);

/* t's task begins a taskgroup; or has waited for what is in the last one. */
void depend_group_begins(struct omp_thread *t);
void depend_group_ends(struct omp_thread *t);

/* t's task begins a team of that name, or goes on after it. */
void depend_team_begins(struct omp_thread *t, const void *name);
void depend_team_ends(struct omp_thread *t, const void *name);

/* t begins its implicit task in that team, of so many threads; or ends the last one that it
   began. */
void depend_implicit_begins(struct omp_thread *t, const void *team, unsigned threads,
			    unsigned index);
void depend_implicit_ends(struct omp_thread *t);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tasks.h - explicit tasks by the place that created them: their cost, and the waits for
 * them.
 */
#ifndef OMPHWC_SRC_TABLES_TASKS_H
#define OMPHWC_SRC_TABLES_TASKS_H

#include <stddef.h>

#include "src/tables/tables.h"

struct view;
struct view_task;

/* The construct in which the creating code waits. */
enum task_wait {
	TASK_WAIT_TASKWAIT, /* also for dependences */
	TASK_WAIT_TASKGROUP,
	TASK_WAIT_BARRIER, /* of the creating region: for its tasks, and for all other
				   work of its threads */
	TASK_WAITS
};

/* The time that the creating region or task waited for tasks, on all its threads.  Waits are
   distinguished by region or task and by function: sharing is the number of sites that they
   may have been for, including this one; 0: no waits. */
struct task_waits {
	struct cost *self; /* a block */
	size_t sharing;
};

struct task_site {
	const struct view_task *what;
	struct cost *self; /* everything done in the tasks, except in tasks that they
				   created */
	struct task_waits waits[TASK_WAITS];
};

struct tasks {
	struct task_site *all;
	size_t n;
	/* private */
	struct cost *costs;
};

/* Sorted by the cost of event, descending. */
void tasks_build(const struct view *v, size_t event, struct tasks *t);
void tasks_fini(struct tasks *t);

/* "untied some-final": what the tasks are, beside explicit; malloc'ed.  NULL: nothing. */
char *task_flags(const struct view_task *t);

/* "inout" of enum prof_dependence. */
const char *task_dependence_name(unsigned kind);

/* The tasks' work in all over the longest path; 0: not known. */
double task_parallelism(const struct view *v);

/* Why the longest path of tasks that depend on each other is not known, for people; NULL: it is. */
const char *task_graph_unknown(const struct view *v);

/* "taskwait", "taskgroup", "barrier". */
const char *task_wait_name(enum task_wait wait);

#endif

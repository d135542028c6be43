/*
 * tasks.h - explicit tasks by where they were created: what they cost, and what
 * was waited for them.
 *
 * For ordinary code, one thread at a time.
 */
#ifndef OMPHWC_SRC_TABLES_TASKS_H
#define OMPHWC_SRC_TABLES_TASKS_H

#include <stddef.h>
#include <stdint.h>

#include "src/tables/tables.h"

struct view;
struct view_task;

/* Where the code that created tasks waits. */
enum task_wait {
	TASK_WAIT_TASKWAIT,	/* for dependences, too */
	TASK_WAIT_TASKGROUP,
	TASK_WAIT_BARRIER,	/* of the creating region: for its tasks, and for
				   whatever else its threads do */
	TASK_WAITS
};

/* What the creating region or task waited for tasks, on all its threads.  It is
   told apart by who waits, and by function: sharing is for how many sites it may
   have been, this one among them; 0: nobody waited. */
struct task_waits {
	struct cost *self;	/* a block */
	size_t sharing;
};

struct task_site {
	const struct view_task *what;
	struct cost *self;	/* a block: all that was done in them, but in tasks
				   that they created */
	struct task_waits waits[TASK_WAITS];
};

struct tasks {
	struct task_site *all;
	size_t n;
	/* private */
	struct cost *costs;
};

/* Those that cost most of event first.  0 or -ENOMEM. */
int tasks_build(const struct view *v, size_t event, struct tasks *t);
void tasks_fini(struct tasks *t);

/* "taskwait", "taskgroup", "barrier". */
const char *task_wait_name(enum task_wait wait);

#endif

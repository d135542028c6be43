/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * depend_parts.h - the parts of the graph of tasks: depend.c has tasks and teams, and
 * depend_variables.c what tasks name, and the memory of both.
 *
 * All functions are called by the holder of depend.c's lock.
 */
#ifndef OMPHWC_OMPT_TOOL_OMP_DEPEND_PARTS_H
#define OMPHWC_OMPT_TOOL_OMP_DEPEND_PARTS_H

#include <stdbool.h>
#include <stdint.h>

struct links;
struct omp_thread;
struct variable;

/* Its end waits for the tasks in it, and for all that these create. */
struct taskgroup {
	struct taskgroup *outer;
	uint64_t at; /* where the last of them ended */
	uint32_t users;
};

enum depend_kind { EXPLICIT, IMPLICIT, TEAM };

/*
 * A task, or a team, which is the parent of its implicit tasks. What follows `phase' is of one kind
 * of them.
 *
 * At a barrier all of a team go on where the last of them came, or the last task of the team ended.
 * Some leave it late, when others have long come to the next one. So a team has two such times,
 * which its barriers use by turns.
 */
struct task {
	const void *name;
	struct task *next;	    /* in its list */
	struct task *parent;	    /* NULL: it is over, or has none */
	struct task *root;	    /* an explicit one's: the implicit task that it descends from */
	struct taskgroup *of, *now; /* the innermost in which it was created, and in which it is */
	struct links *links;
	struct variable *variables; /* of its children */
	uint64_t at;		    /* on the path: where it is to begin, has come to, or ended */
	uint64_t children;	    /* where the last of its children ended */
	uint32_t users;		    /* itself, and what points to it */
	uint32_t context, number;
	uint8_t kind;
	bool begun, undeferred;
	bool waits;   /* for others, as taskwait does: it is no task that others depend on */
	bool waiting; /* it takes no time now */
	bool timed;   /* it is explicit, or in a region that an explicit task began */
	bool alone;   /* an implicit task of a team of one: there all tasks are undeferred */
	uint8_t phase;
	union {
		struct {
			struct task *explicit, *implicit;
		} outer;	     /* what its thread ran when it began */
		uint64_t barrier[2]; /* a team's */
	};
};

/* Zeroed memory for a task or taskgroup, or NULL. */
void *depend_take(void);
void depend_give_back(void *cell);

static inline void depend_later(uint64_t *at, uint64_t than)
{
	if (*at < than)
		*at = than;
}

/* d, which has not begun, names a variable among its creator's tasks in that way. */
void depend_name(struct omp_thread *t, struct task *d, const void *variable, uint8_t kind);

/* d begins after all on which it depends. */
void depend_begin(struct task *d);

/* d has ended: what depends on it may begin. */
void depend_end(struct task *d);

/* Forgets what d's children name. */
void depend_drop_variables(struct task *d);

#endif

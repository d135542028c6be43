/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stack_look.h - one look at a process: where its threads are, in terms of the program, and what
 * they wait for.
 */
#ifndef OMPHWC_SRC_STACK_STACK_LOOK_H
#define OMPHWC_SRC_STACK_STACK_LOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "src/answers/lookup.h"
#include "src/model/model.h"
#include "src/stack/stack_process.h"
#include "src/stack/stack_rules.h"

struct view;

/* A function on a path. */
struct stack_step {
	uint32_t function, line; /* numbers of view->names */
};

/* What is shown of a thread. */
struct stack_shown {
	struct stack_step *steps; /* outermost first */
	size_t n;
	const char *begins; /* why the first step is not the program's start; NULL: it is, or the
			       thread's */
	char *waits;	    /* "waits for the mutex a", "runs" */
	char *holder;	    /* "held by thread 12"; NULL: it waits for nothing that is held */
	char *object;	    /* the lock's name or address; NULL: none, or not known */
	uint32_t line;	    /* the innermost place; 0: none */
	uint32_t region;    /* of the view */
};

struct stack_look {
	struct stack_process process;
	struct prof_file *file;
	struct model model;
	struct lookup lookup;
	struct view *view;
	struct stack_row *rows;	   /* by thread of the process */
	struct stack_shown *shown; /* likewise */
	size_t n;
	struct stack_findings found;
	size_t *order; /* of rows, as they are shown */
};

/* 0, or -1 with *t filled in.  stack_look_free() is required in any case. */
int stack_look(struct stack_look *l, pid_t pid, struct trouble *t);
void stack_look_free(struct stack_look *l);

/*
 * Fills in wait, firm and owner of row i, and what is shown of them: what a thread waits for, and
 * who must act.  From what the view decided (src/view/build/verdict.c), the system call that it
 * sleeps in, and the words of memory that this names.  Of locks only glibc's mutexes and those with
 * priority inheritance record their owner.
 */
void stack_wait(struct stack_look *l, size_t i);

/* ---- output ---------------------------------------------------------------------------- */

/* full: all functions of long paths. */
void stack_text(const struct stack_look *l, bool full, FILE *out);

/* As doc/stack.schema.json says. */
void stack_json(const struct stack_look *l, FILE *out);

/* "deadlock: thread 12 waits for …"; malloc'ed. */
char *stack_finding_text(const struct stack_look *l, const struct stack_finding *f);

#endif

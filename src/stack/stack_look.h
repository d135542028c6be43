/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stack_look.h - one look at a process: where its threads are, in terms of the program, and what
 * they wait for.
 */
#ifndef OMPHWC_SRC_STACK_STACK_LOOK_H
#define OMPHWC_SRC_STACK_STACK_LOOK_H

#include <stddef.h>
#include <stdint.h>

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

#endif

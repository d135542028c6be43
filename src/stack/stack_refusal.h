/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stack_refusal.h - why a process can't be stopped, and what to do about it.
 */
#ifndef OMPHWC_SRC_STACK_STACK_REFUSAL_H
#define OMPHWC_SRC_STACK_STACK_REFUSAL_H

#include <stdbool.h>
#include <sys/types.h>

struct trouble;

/* What /proc shows of a process and of the caller. */
struct stack_facts {
	pid_t pid;
	int error;	/* of PTRACE_SEIZE, or of looking at it */
	bool there;	/* it exists */
	bool zombie;	/* it ended, and its parent has not noticed */
	pid_t tracer;	/* the process that traces it; 0: none */
	pid_t group;	/* the process, where pid is one of its threads; else pid or 0 */
	bool kernel;	/* a thread of the kernel */
	bool others;	/* of another user */
	bool capable;	/* the caller has CAP_SYS_PTRACE */
	bool container; /* the caller's user namespace is not the initial one */
	int scope;	/* of yama's ptrace_scope; 0: none */
};

void stack_facts_gather(struct stack_facts *f, pid_t pid, int error);

/* Returns -1. */
int stack_refuse(const struct stack_facts *f, struct trouble *t);

#endif

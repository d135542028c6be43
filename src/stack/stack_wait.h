/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stack_wait.h - what a thread waits for, and who must act.
 *
 * From what the view decided (src/view/build/verdict.c), the system call that it sleeps in, and
 * the words of memory that this names.  Of locks only glibc's mutexes and those with priority
 * inheritance record their owner.
 */
#ifndef OMPHWC_SRC_STACK_STACK_WAIT_H
#define OMPHWC_SRC_STACK_STACK_WAIT_H

#include <stddef.h>

struct stack_look;

/* Fills in wait, firm and owner of row i, and what is shown of them. */
void stack_wait(struct stack_look *l, size_t i);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stack_unwind.h - finds the frames of a copied process by libunwind, in the copies.
 *
 * Only the rules come from the process's files, and code where a file has none.
 */
#ifndef OMPHWC_SRC_STACK_STACK_UNWIND_H
#define OMPHWC_SRC_STACK_STACK_UNWIND_H

#include <stdbool.h>

struct stack_process;

/* Whether this ompcount was built with libunwind. */
bool stack_unwind_can(void);

/* Fills in the frames of all threads. */
void stack_unwind(struct stack_process *p);

#endif

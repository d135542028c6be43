/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stacks.h - alternate signal stacks for our handlers.
 *
 * Our handlers run on the alternate stack (SA_ONSTACK): the own stack of a
 * goroutine or coroutine has no room for the kernel's signal frame. A thread gets
 * an alternate stack from us where its own stack is small and it has no alternate
 * one, or where the program's alternate stack has no room for a sample on top of
 * the program's handler. sigaltstack() still reports to the program what it asked for.
 *
 * Each function concerns the calling thread.
 */
#ifndef OMPHWC_OMPT_TOOL_PROGRAM_STACKS_H
#define OMPHWC_OMPT_TOOL_PROGRAM_STACKS_H

#include <signal.h>
#include <stddef.h>

/* The thread is sampled from here on; its stack has stack_bytes bytes. */
void stacks_begin(size_t stack_bytes);

/* The thread is sampled no more: removes our stack. */
void stacks_end(void);

/* The thread is about to switch to a stack of so many bytes. */
void stacks_enter(size_t bytes);

/* The program's sigaltstack(2). */
int stacks_change(const stack_t *stack, stack_t *old);

#endif

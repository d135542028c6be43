/*
 * stacks.h - alternate stacks for signal handlers.
 *
 * Our handlers ask for the alternate stack: a goroutine's or a coroutine's own has
 * no room for the kernel's frame.  Where the program has none in a thread whose
 * stack is small, or one that is too small for a sample on top of its own handler,
 * the thread gets one of ours, and the program sees what it asked for.
 *
 * All of it concerns the calling thread.
 */
#ifndef OMPHWC_OMPT_TOOL_PROGRAM_STACKS_H
#define OMPHWC_OMPT_TOOL_PROGRAM_STACKS_H

#include <signal.h>
#include <stddef.h>

/* The thread is sampled from here on; its stack has so many bytes. */
void stacks_begin(size_t stack_bytes);

/* It is not any more. */
void stacks_end(void);

/* It is about to run on a stack of so many bytes. */
void stacks_enter(size_t bytes);

/* The program's sigaltstack(2). */
int stacks_change(const stack_t *stack, stack_t *old);

#endif

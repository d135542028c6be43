/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * jump.h - entry points that callers pass fewer words to than we would hand on: doacross
 * waits, which are variadic, and GOMP_task, whose arguments became more with the years.
 *
 * A compiler's tail call may store arguments again where they are, and so write to words of
 * the caller's frame that hold its variables. These entry points are written in assembly,
 * a file for each machine, and leave the stack alone: they jump to what jump_known has, or
 * with a session jump_session; where that is nothing, to where jump_target() says.
 */
#ifndef OMPHWC_OMPT_TOOL_GOMP_JUMP_H
#define OMPHWC_OMPT_TOOL_GOMP_JUMP_H

#include "ompt_tool/gomp/libgomp.h"

enum { JUMP_TASK, JUMP_DOACROSS, JUMP_DOACROSS_ULL, JUMPS };

/* The functions of the libgomp in the global scope, and ours for it; NULL: not known, or it
   depends on the call. Owned by jump.c. */
extern void *jump_known[JUMPS] __attribute__((visibility("hidden")));
extern void *jump_session[JUMPS] __attribute__((visibility("hidden")));
void jump_know(const struct libgomp *first) __attribute__((visibility("hidden")));

/* Called by the entry points: which (JUMP_…), their return address, their first argument. */
void *jump_target(int which, const void *call, const void *first)
	__attribute__((visibility("hidden")));

/* With a session, for libgomp: gomp_tasks.c, gomp_work.c. They never end in a tail call. */
void on_GOMP_task_address(P_TASK) __attribute__((visibility("hidden")));
void on_GOMP_doacross_wait_address(WORDS(P_WORD)) __attribute__((visibility("hidden")));
void on_GOMP_doacross_ull_wait_address(WORDS(P_WORD)) __attribute__((visibility("hidden")));
/* Whether the calling thread's waits have a number of arguments that is known and has
   room in WORDS. */
bool on_doacross_is_known(void) __attribute__((visibility("hidden")));

#endif

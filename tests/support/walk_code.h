/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * walk_code.h - machine code that compilers do not generate, to be unwound.  One file for
 * each machine.
 */
#ifndef OMPHWC_TESTS_WALK_CODE_H
#define OMPHWC_TESTS_WALK_CODE_H

#include <stdbool.h>
#include <stddef.h>

typedef void walk_call(void (*f)(void)); /* calls f */

/* Has unwind rules based on a register other than stack and frame pointer. */
walk_call walk_by_register;

/* Has no unwind rules, but a frame pointer.  Its code can be copied. */
walk_call walk_without_rules;
extern const char walk_without_rules_end[];

/* Returns from a signal handler; without rules. */
void walk_restorer(void);

/* Hits a breakpoint before it has set up its frame, and again half-way; without unwind rules. */
void walk_unfinished(void);
extern const bool walk_unfinished_works; /* whether such frames can be recognized here */

#endif

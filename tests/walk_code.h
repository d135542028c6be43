/*
 * walk_code.h - machine code that compilers don't make, to be walked through.
 * One file for each machine.
 */
#ifndef OMPHWC_TESTS_WALK_CODE_H
#define OMPHWC_TESTS_WALK_CODE_H

#include <stdbool.h>
#include <stddef.h>

typedef void walk_call(void (*f)(void));	/* calls f */

/* With rules by a register that is neither stack nor frame pointer. */
walk_call walk_by_register;

/* Without any rules, but with a frame pointer.  It can be copied elsewhere. */
walk_call walk_without_rules;
extern const char walk_without_rules_end[];

/* Returns from a signal handler; without rules. */
void walk_restorer(void);

/* Runs into a breakpoint before it has made its frame, and once it has half;
   without rules. */
void walk_unfinished(void);
extern const bool walk_unfinished_works;	/* such frames can be told here */

#endif

/*
 * unwind_oracle.h - walks a stack with our unwinder and with libunwind side by
 * side, for tests.  To be called in signal handlers, in one thread, never
 * while anything loads or unloads a library: libunwind takes locks.
 */
#ifndef OMPHWC_TESTS_UNWIND_ORACLE_H
#define OMPHWC_TESTS_UNWIND_ORACLE_H

#include <stdbool.h>
#include <stddef.h>

/* Forgets what was counted; the alternate stack may be NULL. */
void oracle_reset(const void *alternate, size_t alternate_bytes);

/* Compares PC and SP of every frame from the ucontext outward. */
void oracle_compare(const void *ucontext);

struct oracle {
	unsigned long samples, frames, guessed;
	unsigned long wrong;	/* samples with a frame that differs */
	char first[512];	/* what was wrong first */
};

extern struct oracle oracle;

#endif

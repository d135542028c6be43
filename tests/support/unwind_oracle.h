/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unwind_oracle.h - compares our unwinder with libunwind on the same stacks, for tests.
 * Call it in signal handlers, in one thread, and never while a library is being loaded or
 * unloaded: libunwind takes locks.
 */
#ifndef OMPHWC_TESTS_UNWIND_ORACLE_H
#define OMPHWC_TESTS_UNWIND_ORACLE_H

#include <stdbool.h>
#include <stddef.h>

/* Resets the counts; the alternate stack may be NULL. */
void oracle_reset(const void *alternate, size_t alternate_bytes);

/* Compares PC and SP of every frame from the ucontext outward. */
void oracle_compare(const void *ucontext);

struct oracle {
	unsigned long samples, frames, guessed;
	unsigned long wrong; /* samples with a different frame */
	char first[512];     /* description of the first difference */
};

extern struct oracle oracle;

#endif

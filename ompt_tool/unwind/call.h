/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * call.h - what a machine's call and jump instructions lead to.  Signal-safe; reads code only.
 */
#ifndef OMPHWC_OMPT_TOOL_UNWIND_CALL_H
#define OMPHWC_OMPT_TOOL_UNWIND_CALL_H

#include <stdbool.h>
#include <stdint.h>

/* How an instruction names its target.  Its last bytes may be read in several ways. */
enum call_form {
	CALL_DIRECT = 1 << 0, /* in the code */
	CALL_SLOT = 1 << 1,   /* in a word of data at a fixed address */
	CALL_OTHER = 1 << 2,  /* in a register, or in memory that a register addresses */
};

struct call {
	unsigned forms;	  /* enum call_form; 0: no such instruction */
	uintptr_t target; /* CALL_DIRECT */
	uintptr_t slot;	  /* CALL_SLOT */
};

/* The calls that the instruction before pc may be; `bytes' before pc can be read. */
void call_before(uintptr_t pc, uintptr_t bytes, struct call *call);

/* The jump at `at', where `bytes' can be read. */
void call_jump(uintptr_t at, uintptr_t bytes, struct call *jump);

/* Whether the code at `at' is a linkage stub; *slot holds the address that it jumps to. */
bool call_stub(uintptr_t at, uintptr_t bytes, uintptr_t *slot);

#endif

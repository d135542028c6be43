/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * callsite_code.h - what the instructions before a call show about it.
 *
 * The few instructions that load an argument are looked for backwards from the call.
 * x86-64's can't be decoded backwards: bytes that look like such an instruction may be
 * part of another.  So the value must satisfy the caller's accept function.  x86-64 and
 * AArch64; pure functions.
 */
#ifndef OMPHWC_SRC_CODE_CALLSITE_CODE_H
#define OMPHWC_SRC_CODE_CALLSITE_CODE_H

#include <stdbool.h>
#include <stdint.h>

/* An object's bytes by ELF address. */
struct callsite_code {
	/* NULL where n bytes are not there. */
	const unsigned char *(*at)(void *self, uint64_t address, uint64_t n);
	void *self;
	unsigned machine; /* e_machine */
	/* Whether the loader stores a function's address in the word at slot, which nothing
	   changes.  *target: that address if it is the object's own, else the slot's, which has
	   the function's name.  NULL: no slots are known. */
	bool (*slot)(void *self, uint64_t slot, uint64_t *target);
};

/* Whether a value is what is looked for. */
typedef bool (*callsite_accept)(void *arg, uint64_t value);

/* Finds the constant or address that the call before return_address gets as
   its first (0) to sixth (5) argument, if accept agrees. */
bool callsite_argument(const struct callsite_code *c, uint64_t return_address, unsigned n,
		       callsite_accept accept, void *arg);

/* Where that call goes to, when the instruction says so itself or by a slot. */
bool callsite_target(const struct callsite_code *c, uint64_t return_address, uint64_t *target);

/* How a call names its target. */
enum callsite_way {
	CALLSITE_UNKNOWN = 0,
	CALLSITE_NAMED,	  /* to a function, itself or by the linkage table's entry */
	CALLSITE_POINTER, /* to what a register or a variable holds */
};

/* That of the call before return_address. */
enum callsite_way callsite_way(const struct callsite_code *c, uint64_t return_address);

/* The return address of the last call that ends before from, whose instruction
   says so where it goes, and not before limit; 0: none.  What looks like a call
   on x86-64 may be part of another instruction. */
uint64_t callsite_last_call(const struct callsite_code *c, uint64_t from, uint64_t limit);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * leads.h - whether the call before a return address leads to a function. Signal-safe.
 */
#ifndef OMPHWC_OMPT_TOOL_UNWIND_LEADS_H
#define OMPHWC_OMPT_TOOL_UNWIND_LEADS_H

#include <stdint.h>

struct object;

enum leads {
	LEADS_NO_CALL,	 /* the address does not lie after a call in an object */
	LEADS_ELSEWHERE, /* to other code, which does not jump to the function */
	LEADS_UNKNOWN,	 /* by a register, or to code that jumps by one */
	LEADS_THERE,
};

/* Code within one object, or (object NULL) outside of all. */
struct leads_to {
	const struct object *object;
	uintptr_t lo, hi;
	unsigned jump_bytes; /* how much code may still be searched for jumps to it */
};

/* pc lies in o. *entry: where the code is entered (LEADS_THERE only). */
enum leads leads(const struct object *o, uintptr_t pc, struct leads_to *to, uintptr_t *entry);

#endif

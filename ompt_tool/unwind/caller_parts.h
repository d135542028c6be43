/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * caller_parts.h - the parts of the search for callers (caller.h). Signal-safe.
 */
#ifndef OMPHWC_OMPT_TOOL_UNWIND_CALLER_PARTS_H
#define OMPHWC_OMPT_TOOL_UNWIND_CALLER_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "ompt_tool/unwind/unwind.h"

struct caller_budget;
struct callsite_code;
struct object;

/* call_x86_64.c: what a machine's call and jump instructions lead to. Reads code only. */

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

/* leads.c: whether the call before a return address leads to a function. Signal-safe. */

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

/*
 * epilogue_x86_64.c: what a function's code does to the stack pointer: from a PC to its return, or
 * from its entry to a PC.
 *
 * The code is read in the order of addresses; jumps are followed forward only. Of what it does to
 * other registers only copies of the stack pointer are looked at: so the result is to be verified.
 * Signal-safe, without state; reads no more than the code that the caller allows.
 */

/* Reads the code from pc to its return, or to one of the n known entries, which is then extended.
   Returns that entry, or NULL and *e: e->known is false where no return is found, or the stack
   pointer there is not known. */
struct epilogue *epilogue_read(const struct callsite_code *code, uintptr_t pc,
			       struct epilogue *known, unsigned n, struct epilogue *e);

/* Reads the code from entry to pc: how far below the return address the stack pointer is then,
   from *least to *most bytes (where the code aligns it, they differ). */
bool epilogue_depth(const struct callsite_code *code, uintptr_t entry, uintptr_t pc,
		    uintptr_t *least, uintptr_t *most);

/* caller_chain.c: whether frames beyond a supposed return address fit together. Signal-safe. */

/*
 * Steps outward from f's return address by the rules, until enough frames fit. f->words become
 * the words that they depend on, and f->fp_matters says whether they depend on f->fp. known:
 * the function's own code shows f's return address.
 */
bool caller_chain_holds(struct caller_found *f, struct unwind_cache *cache,
			const struct unwind_stack *stack, bool known);

/*
 * What a thread's searches for callers (caller.h) may cost.
 *
 * A search may take longer than the time from one sample to the next. If each sample had one, as in
 * a recursion without rules, the program would hardly go on: so a thread's searches may take about
 * a twentieth of its time. Signal-safe; all times are ticks (ticks.h).
 */

/* Whether a search may begin now. Each question is noted: what is saved grows from one to the
   next. */
bool caller_budget_allows(struct caller_budget *b, uint64_t now);

/* Takes the ticks that a search took; beyond a bound the thread did not run for all of them. */
void caller_budget_charge(struct caller_budget *b, uint64_t ticks);

#endif

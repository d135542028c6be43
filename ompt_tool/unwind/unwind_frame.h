/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unwind_frame.h - a step outward with all registers: unwind.c's general way.
 * Async-signal-safe, without state.
 */
#ifndef OMPHWC_OMPT_TOOL_UNWIND_UNWIND_FRAME_H
#define OMPHWC_OMPT_TOOL_UNWIND_UNWIND_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "ompt_tool/machine/arch.h"
#include "ompt_tool/unwind/cfi.h"
#include "ompt_tool/unwind/unwind.h"

struct object;

/* A frame with its registers, and how the step to it went. */
struct frame {
	bool exact; /* as in struct unwind_cursor, likewise below */
	bool guessed, plain;
	bool crossed; /* it left the alternate stack */
	bool still;   /* it kept the stack pointer */
	uintptr_t pc_slot, fp_slot, cfa;
	uint64_t known; /* a bit for each register */
	uintptr_t reg[ARCH_COLUMNS];
};

/* The registers that every frame has. */
#define FRAME_BASIC (UINT64_C(1) << ARCH_PC | UINT64_C(1) << ARCH_SP | UINT64_C(1) << ARCH_FP)
#define FRAME_ALL ((UINT64_C(1) << ARCH_COLUMNS) - 1)

/* The tables' rules for one PC. */
struct rules {
	struct cfi_tables tables;
	struct cfi_fde fde;
	struct cfi_row row;
	bool found;
};

/* The address for looking up a PC's rules: a return address belongs to the call before it. */
static inline uintptr_t rules_address(uintptr_t pc, bool exact)
{
	return exact ? pc : pc - 1;
}

/* Finds the rules for a PC within o; r->found says whether there are any. */
void rules_find(const struct object *o, uintptr_t pc, bool exact, struct rules *r);

/* The same, when their entry's address is known. */
void rules_read(const struct object *o, uintptr_t fde, uintptr_t pc, bool exact, struct rules *r);

/* Whether the step by r depends on pc, sp and fp only, and on no words but those where
   the caller's pc and fp were saved at offsets from the CFA. */
bool rules_are_plain(const struct rules *r);

bool stack_has(const struct unwind_stack *s, uintptr_t at, uintptr_t bytes);

/* Whether the word at an address can be read. */
static inline bool stack_has_word(const struct unwind_stack *s, uintptr_t at)
{
	if (at % sizeof(uintptr_t))
		return false;
	if (__builtin_expect(at < s->lo || at >= s->hi, 0))
		return stack_has(s, at, sizeof(uintptr_t));
	return s->hi - at >= sizeof(uintptr_t);
}

static inline uintptr_t stack_word(uintptr_t at)
{
	return *(const uintptr_t *)at;
}

/*
 * Steps from f to its caller, by the rules of its PC, which lies in o (NULL: in no
 * object, and r is not read). *missing: the rules need a register that isn't known.
 */
enum unwind_step frame_step(const struct object *o, const struct rules *r, const struct frame *f,
			    struct frame *to, const struct unwind_stack *stack, bool *missing);

/* The same where there are no rules. */
enum unwind_step frame_step_guessed(const struct object *o, const struct frame *f, struct frame *to,
				    const struct unwind_stack *stack);

/* Whether to may follow f in a walk. */
enum unwind_step frame_check(const struct frame *f, struct frame *to,
			     const struct unwind_stack *stack);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unwind.h - the call stack of an interrupted thread, from its CFI.
 *
 * Async-signal-safe throughout: _dl_find_object() finds objects, rules are
 * interpreted from the mapped .eh_frame and cached by PC, and every read of the
 * stack lies within the given bounds. No lock, no allocation, and no system call
 * but to test a page of the stack for the first time (pages.h). One cache serves
 * one thread in one mode (handler, or callbacks): a handler must not share the
 * cache of the code that it interrupts.
 */
#ifndef OMPHWC_OMPT_TOOL_UNWIND_UNWIND_H
#define OMPHWC_OMPT_TOOL_UNWIND_UNWIND_H

#include <stdbool.h>
#include <stdint.h>

#include "ompt_tool/machine/arch.h"

struct object;
struct pages;

enum {
	UNWIND_CACHE_ENTRIES = 512, /* a power of two, in pairs */
	CALLER_WORDS = 40,
	UNWIND_EPILOGUES = 4,
	UNWIND_REGS = 33, /* by DWARF numbers; the last is the PC's */
};

struct unwind_stack { /* readable: lo <= address < hi */
	uintptr_t lo, hi;
	uintptr_t alt_lo, alt_hi; /* an alternate signal stack; both 0: none */
	struct pages *pages;	  /* readable from hi on, as tested (pages.h); NULL: none */
};

struct unwind_cursor {
	uintptr_t pc;
	uintptr_t sp; /* at pc: in a caller, after the call returned */
	uintptr_t fp; /* the frame pointer register (rbp, x29) */
	bool exact;   /* pc was interrupted; else a return address */
	/* Set by a step, about the frame stepped out of: */
	bool guessed; /* there are no rules: by the return address on the stack, the link
			   register or the frame pointer */
	bool plain;   /* the caller's pc, sp and fp follow from this frame's and the
				   two words below alone */
	bool fp_used; /* fp gave where the caller's frame is */
	/* Where a step loaded pc and fp from: re-reading the same two words proves that
	   nothing has changed (if plain). The word at pc_slot is pc after arch_strip().
	   0: not loaded (fp was kept in the register). */
	uintptr_t pc_slot;
	uintptr_t fp_slot;
	uintptr_t cfa; /* of the frame stepped out of */
	/* The object that pc lay in before the step (object.h), NULL: none. */
	struct object *object;

	/* Private to the unwinder: registers at the frame `steps' steps inward. */
	struct object *other; /* the object that the walk met before this one */
	const void *ucontext; /* the registers are still here; NULL: in reg[] */
	uint32_t steps;
	bool reg_exact;
	bool proving;	     /* the walk proves a guess: it makes none itself */
	bool left_alternate; /* a signal's frame led off the alternate stack */
	uint8_t still;	     /* steps that left sp as it was */
	uint64_t known;	     /* a bit for each known register */
	uintptr_t reg[UNWIND_REGS];
};

struct unwind_rule { /* an entry of the cache; see unwind.c */
	uint64_t pc;
	uint64_t packed;
};

/* Where a function without rules has its return address, at its PCs from … until - 1
   (caller_parts.h): base + after, or the word at base + before, + after. */
struct epilogue {
	uintptr_t from, until; /* until 0: no entry */
	int32_t before, after;
	uint8_t base; /* register */
	bool loads;
	bool known;
};

/* The last frame without rules whose caller was searched for (caller.h). */
struct caller_found {
	uintptr_t slot, pc; /* its return address; slot 0: not found */
	uintptr_t fp, fp_slot;
	bool fp_used;	 /* slot follows from the frame pointer */
	bool fp_matters; /* the frames outward depend on fp */
	uint8_t rest;	 /* how many more times not to search */
	unsigned words;	 /* the proof */
	struct {
		uintptr_t slot, value;
	} word[CALLER_WORDS];
	uintptr_t sp, lo, hi; /* the frame: its stack pointer, and its code */
	const struct object *object;
	uint64_t epoch;
};

/* What the searches for callers may cost (caller_parts.h). */
struct caller_budget {
	uint64_t searched; /* ticks: when the last one was asked for */
	int64_t credit;	   /* ticks that searches may take, less what they took */
};

struct unwind_cache { /* all zero at first */
	struct unwind_rule rule[UNWIND_CACHE_ENTRIES];
	struct caller_found caller;
	struct epilogue epilogue[UNWIND_EPILOGUES];
	uint32_t epilogues; /* read so far */
	struct caller_budget budget;
};

enum unwind_step {
	UNWIND_OK = 0,	 /* the cursor is at the caller */
	UNWIND_END,	 /* the outermost frame: nothing called it */
	UNWIND_NO_RULES, /* no CFI here, and no frame pointer to trust */
	UNWIND_BOUNDS,	 /* a read outside the stack was refused */
};

/* Begins at the ucontext_t that a signal handler was given, which must live and stay
   unchanged while c is used. */
void unwind_begin_ucontext(struct unwind_cursor *c, const void *ucontext);

/* Begins at registers that the caller knows: the state right after a call returned to
   pc, with sp and fp as they are then. */
void unwind_begin_at(struct unwind_cursor *c, uintptr_t pc, uintptr_t sp, uintptr_t fp);

/* Begins at the caller of the function in which this is written. */
static inline __attribute__((always_inline)) void unwind_begin_here(struct unwind_cursor *c)
{
	const uintptr_t *frame =
		(const uintptr_t *)((uintptr_t)__builtin_frame_address(0) - ARCH_FRAME_BELOW);

	unwind_begin_at(c, (uintptr_t)__builtin_return_address(0), (uintptr_t)__builtin_dwarf_cfa(),
			frame[0]);
}

/*
 * Steps one frame outward. Where the step fails, pc, sp and fp stay. Each step
 * leads to a higher address, but for one off the alternate stack and a few through
 * functions that use no stack: so each walk ends, whatever the stack holds.
 */
enum unwind_step unwind_step(struct unwind_cursor *c, struct unwind_cache *cache,
			     const struct unwind_stack *stack);

#endif

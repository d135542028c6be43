/*
 * unwind.h - the call stack of an interrupted thread, from its CFI.
 *
 * Async-signal-safe throughout: objects are found by _dl_find_object, rules
 * interpreted straight from the mapped .eh_frame and kept in a cache by PC,
 * and every read of the stack lies within the bounds given.  No lock, no
 * allocation; no system call but where a page of the stack is asked for that
 * nobody asked for before (pages.h).  One cache serves one thread in one mode
 * (handler, or callbacks): a handler must not share the cache of the code that
 * it interrupts.
 */
#ifndef OMPHWC_OMPT_TOOL_UNWIND_UNWIND_H
#define OMPHWC_OMPT_TOOL_UNWIND_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ompt_tool/machine/arch.h"

struct object;
struct pages;

enum {
	UNWIND_CACHE_ENTRIES = 512,	/* a power of two, in pairs */
	UNWIND_REGS = 33,		/* by DWARF numbers; the last are the PC's */
};

struct unwind_stack {		/* what may be read: lo <= address < hi */
	uintptr_t lo, hi;
	uintptr_t alt_lo, alt_hi; /* an alternate signal stack; both 0: none */
	struct pages *pages;	/* from hi on, what these have (pages.h); NULL: nothing */
};

struct unwind_cursor {
	uintptr_t pc;
	uintptr_t sp;		/* at pc: in a caller, after the call returned */
	uintptr_t fp;		/* the frame pointer register (rbp, x29) */
	bool exact;		/* pc was interrupted; else a return address */
	/* Set by a step, about the frame stepped out of: */
	bool guessed;		/* no rules: by its frame pointer */
	bool plain;		/* the caller's pc, sp and fp follow from this
				   frame's and the two words below alone */
	bool fp_used;		/* fp told where the caller's frame is */
	/* Where pc and fp were loaded from by a step, so that a later look at
	   the same two words proves that nothing changed (if plain).  The
	   word at pc_slot is pc once arch_strip() has been at it.
	   0: it was not loaded from there (fp was kept in the register). */
	uintptr_t pc_slot;
	uintptr_t fp_slot;
	uintptr_t cfa;		/* of the frame stepped out of */
	/* The object that pc lay in before the step (object.h), NULL: none. */
	struct object *object;

	/* The unwinder's own: registers at the frame `steps` steps inward. */
	struct object *other;	/* that the walk met before this one */
	const void *ucontext;	/* they are still there; NULL: in reg[] */
	uint32_t steps;
	bool reg_exact;
	bool left_alternate;	/* a signal's frame led off the alternate stack */
	uint8_t still;		/* steps that left sp as it was */
	uint64_t known;		/* a bit for each that is known */
	uintptr_t reg[UNWIND_REGS];
};

struct unwind_rule {		/* a cache line's entry; see unwind.c */
	uint64_t pc;
	uint64_t packed;
};

struct unwind_cache {		/* all zero at first */
	struct unwind_rule rule[UNWIND_CACHE_ENTRIES];
};

enum unwind_step {
	UNWIND_OK = 0,		/* the cursor is at the caller */
	UNWIND_END,		/* the outermost frame: nothing called it */
	UNWIND_NO_RULES,	/* no CFI here, and no frame pointer to trust */
	UNWIND_BOUNDS,		/* a read outside the stack was refused */
};

/* From the ucontext_t that a signal handler was given.  It must live and stay
   as it is while c is used. */
void unwind_begin_ucontext(struct unwind_cursor *c, const void *ucontext);

/* From registers known to the caller: the state right after a call returned
   to pc, with sp and fp as they are then. */
void unwind_begin_at(struct unwind_cursor *c, uintptr_t pc, uintptr_t sp, uintptr_t fp);

/* From here: the caller of the function that this is written in. */
static inline __attribute__((always_inline)) void unwind_begin_here(struct unwind_cursor *c)
{
	const uintptr_t *frame =
		(const uintptr_t *)((uintptr_t)__builtin_frame_address(0) - ARCH_FRAME_BELOW);

	unwind_begin_at(c, (uintptr_t)__builtin_return_address(0),
			(uintptr_t)__builtin_dwarf_cfa(), frame[0]);
}

/*
 * One frame outward.  Where it doesn't succeed, pc, sp and fp stay as they
 * were.  Each step leads to a higher address, but for one from the alternate
 * stack to the other and a few of functions that use no stack: a walk ends,
 * whatever the stack holds.
 */
enum unwind_step unwind_step(struct unwind_cursor *c, struct unwind_cache *cache,
			     const struct unwind_stack *stack);

#endif

/*
 * bounds.h - which part of a stack may be read, and where a walk of it ends.
 *
 * A thread's own stack is known; which of its pages can be read is remembered
 * (pages.h says what that guarantees, and what not).  On any other (an alternate signal
 * stack, a coroutine's) the page that the stack pointer stands on is there for certain;
 * further pages are asked for one by one, by a system call, when a step needs them.
 * Async-signal-safe but for bounds_learn().
 */
#ifndef OMPHWC_OMPT_TOOL_UNWIND_BOUNDS_H
#define OMPHWC_OMPT_TOOL_UNWIND_BOUNDS_H

#include <stdbool.h>
#include <stdint.h>

#include "ompt_tool/unwind/object.h"
#include "ompt_tool/unwind/pages.h"
#include "ompt_tool/unwind/unwind.h"

/* A thread's own stack, as one user of it knows it: its handler, or its callbacks. */
struct own_stack {
	uintptr_t lo, hi;
	struct pages pages;	/* of it, that are known to be readable */
};

struct bounds {
	struct unwind_stack stack;
	uint32_t pages_left;	/* that may still be asked for; 0: stack is known */
	uintptr_t alt_end;	/* where the alternate stack ends */
	bool steady;
};

/* What may be read where the stack pointer of own's thread is sp; ucontext is what the
   thread's signal handler was given, or NULL outside of one. */
void bounds_begin(struct bounds *b, struct own_stack *own, uintptr_t sp, const void *ucontext);

/* Whether words that an earlier walk of this thread read may be read again: it is the
   thread's own stack, and nobody told of a change. */
static inline bool bounds_steady(const struct bounds *b)
{
	return b->steady;
}

/* The pc of the frame that makecontext(3) puts at a stack's foot: what lies
   beyond is no return address.  0: not known. */
extern uintptr_t bounds_foot;

/* Finds out bounds_foot.  Ordinary code, once. */
void bounds_learn(void);

/* The step that b allows after one that it did not; UNWIND_BOUNDS if none. */
enum unwind_step bounds_step_further(struct unwind_cursor *c, struct unwind_cache *cache,
				     struct bounds *b);

/* unwind_step() within b. */
static inline enum unwind_step bounds_step(struct unwind_cursor *c, struct unwind_cache *cache,
					   struct bounds *b)
{
	if (c->pc == bounds_foot) {
		c->object = object_find(c->pc);
		return UNWIND_END;
	}
	enum unwind_step step = unwind_step(c, cache, &b->stack);

	return step != UNWIND_BOUNDS || b->pages_left == 0 ? step
							   : bounds_step_further(c, cache, b);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bounds.h - which part of a stack may be read, and where a walk of it ends.
 *
 * A thread's own stack has known bounds, and the pages of it that are readable are
 * remembered (pages.h says what that guarantees). On another stack (an alternate
 * signal stack, a coroutine's) only the page of the stack pointer is certain to be
 * readable. Each further page is tested by a system call when a step needs it.
 * Async-signal-safe but for bounds_learn().
 */
#ifndef OMPHWC_OMPT_TOOL_UNWIND_BOUNDS_H
#define OMPHWC_OMPT_TOOL_UNWIND_BOUNDS_H

#include <stdbool.h>
#include <stdint.h>

#include "ompt_tool/unwind/object.h"
#include "ompt_tool/unwind/pages.h"
#include "ompt_tool/unwind/unwind.h"

/* A thread's own stack, as known to its handler, or to its callbacks. */
struct own_stack {
	uintptr_t lo, hi;
	struct pages pages; /* its pages that are known to be readable */
};

struct bounds {
	struct unwind_stack stack;
	uint32_t pages_left; /* how many pages may still be tested; 0: on the thread's own
				   stack */
	uintptr_t alt_end;   /* where the alternate stack ends */
	bool steady;
};

/* Sets what may be read from stack pointer sp on, on own's thread. ucontext is what the
   thread's signal handler was given, or NULL outside of a handler. */
void bounds_begin(struct bounds *b, struct own_stack *own, uintptr_t sp, const void *ucontext);

/* Whether words that an earlier walk of this thread read may be read again: it is on
   its own stack, and no change was reported. */
static inline bool bounds_steady(const struct bounds *b)
{
	return b->steady;
}

/* The pc of the frame that makecontext(3) puts at a stack's base: what lies beyond is
   no return address. 0: unknown. */
extern uintptr_t bounds_foot;

/* Sets bounds_foot. Ordinary code, once. */
void bounds_learn(void);

/* Repeats a step that b's stack refused, where b allows more pages to be tested;
   UNWIND_BOUNDS if not. */
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

	return step != UNWIND_BOUNDS || b->pages_left == 0 ? step :
							     bounds_step_further(c, cache, b);
}

#endif

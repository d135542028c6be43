/*
 * bounds.h - which part of a stack may be read, and where a walk of it ends.
 *
 * A thread's own stack is known; which of its pages can be read is remembered
 * (pages.h says what that guarantees, and what not).  On any other (an alternate signal
 * stack, a coroutine's) the page that the stack pointer stands on is there for certain;
 * further pages are asked for one by one, by a system call, when a step needs them.
 * Async-signal-safe but for bounds_learn().
 */
#ifndef OMPHWC_OMPT_TOOL_CORE_BOUNDS_H
#define OMPHWC_OMPT_TOOL_CORE_BOUNDS_H

#include <stdbool.h>
#include <stdint.h>

#include "ompt_tool/core/object.h"
#include "ompt_tool/core/unwind.h"

struct thread;

struct bounds {
	struct unwind_stack stack;
	uint32_t pages_left;	/* that may still be asked for; 0: stack is known */
	uintptr_t alt_end;	/* where the alternate stack ends */
	bool steady;
};

/* What may be read when thread t's stack pointer is sp; ucontext is what its
   signal handler was given, or NULL outside of one. */
void bounds_begin(struct bounds *b, struct thread *t, uintptr_t sp, const void *ucontext);

/* Whether words that an earlier walk of this thread read may be read again: it is the
   thread's own stack, and nobody told of a change. */
static inline bool bounds_steady(const struct bounds *b)
{
	return b->steady;
}

/*
 * Tells that the memory lo … hi-1 gets another protection, or goes away: to be called
 * before mprotect(2), pkey_mprotect(2), munmap(2) and mremap(2), and after them too, for
 * the sake of other threads' stacks.  Where the range lies in the calling thread's own
 * stack, the first call is enough: these pages are asked for at each use from then on.
 * Ordinary code or handlers, any thread; lock-free, some ten nanoseconds.
 */
void bounds_protection_changed(uintptr_t lo, uintptr_t hi);

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

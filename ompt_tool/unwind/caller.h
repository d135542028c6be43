/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * caller.h - finds the caller of code without unwind rules, by its return address on the stack.
 *
 * The function's frame is unknown, and may hold return addresses of calls that are over. So a
 * word of the stack is taken as the return address only if
 *
 * - it lies after a call in an object that has rules there;
 * - that call leads into the code that the function is in, at or before the function's PC; or
 *   its target is not known, as that of a call by a register;
 * - the frames from there outward fit, by their rules: each return address lies after a call
 *   that leads to the function that it returns from, or whose target is not known. What a call
 *   that is over left on the stack ends at a word that another call has overwritten, and that
 *   call leads elsewhere.
 *
 * A call to a function that may jump into the code in question leads there too. A call whose
 * target is known is preferred to one by a register; two that contradict each other are both
 * refused.
 *
 * Async-signal-safe. The search reads a bounded part of the stack. All searches of a thread take
 * no more than about a twentieth of its time: beyond that, callers are not known. A result is kept:
 * when the same frame is met again, the words that proved it are compared.
 */
#ifndef OMPHWC_OMPT_TOOL_UNWIND_CALLER_H
#define OMPHWC_OMPT_TOOL_UNWIND_CALLER_H

#include "ompt_tool/unwind/unwind.h"

/*
 * To be called when find_object_unloading() has been: a search may meet an address in any object,
 * also in one that no running function belongs to, and reads its code. While objects are unloaded
 * none begins; this waits (not for long) for those under way. Ordinary code, any thread.
 */
void caller_wait(void);

/*
 * Steps c to the caller of its frame, which has no rules. UNWIND_NO_RULES: there is none to be
 * sure of, and c stays; UNWIND_BOUNDS: likewise, and more of the stack would be needed.
 */
enum unwind_step caller_find(struct unwind_cursor *c, struct unwind_cache *cache,
			     const struct unwind_stack *stack);

#endif

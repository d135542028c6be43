/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * caller_none.c - AArch64, RISC-V: a return address on the stack does not show where its frame
 * ends, as a function may save it anywhere. The link register and frame records do.
 */
#include "config.h"

#include "ompt_tool/unwind/caller.h"

void caller_wait(void)
{
}

enum unwind_step caller_find(struct unwind_cursor *c, struct unwind_cache *cache,
			     const struct unwind_stack *stack)
{
	(void)c;
	(void)cache;
	(void)stack;
	return UNWIND_NO_RULES;
}

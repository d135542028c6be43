/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * enter_x86_64.c - the enter pointer is the runtime function's frame pointer:
 * CFA - 16, where the caller's rbp is saved, and above it the return address.
 */
#include "config.h"

#include "ompt_tool/unwind/enter.h"

#include "ompt_tool/unwind/unwind.h"

bool enter_cursor(struct unwind_cursor *c, uintptr_t enter, uintptr_t call)
{
	const uintptr_t *word = (const uintptr_t *)enter;

	if (enter % sizeof(uintptr_t) != 0 || word[1] != call)
		return false;
	unwind_begin_at(c, call, enter + 2 * sizeof(uintptr_t), word[0]);
	return true;
}

uintptr_t enter_of(uintptr_t sp, uintptr_t fp)
{
	const uintptr_t enter = sp - 2 * sizeof(uintptr_t);

	return sp % sizeof(uintptr_t) == 0 && *(const uintptr_t *)enter == fp ? enter : 0;
}

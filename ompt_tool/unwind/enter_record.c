/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * enter_record.c - AArch64, RISC-V: the enter pointer is the address of the frame
 * record {fp, ra}. That does not give the caller's stack pointer: the walk begins
 * further in.
 */
#include "config.h"

#include "ompt_tool/unwind/enter.h"

bool enter_cursor(struct unwind_cursor *c, uintptr_t enter, uintptr_t call)
{
	(void)c;
	(void)enter;
	(void)call;
	return false;
}

uintptr_t enter_of(uintptr_t sp, uintptr_t fp)
{
	(void)sp;
	(void)fp;
	return 0;
}

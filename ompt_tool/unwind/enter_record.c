/*
 * enter_record.c - AArch64, RISC-V: the enter pointer is the frame record's address {fp, ra},
 * which says nothing of the caller's stack pointer: the walk starts inside.
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

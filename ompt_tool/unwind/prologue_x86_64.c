/* prologue_x86_64.c - there, assembly is described or has a return address on
   the stack all the same. */
#include "config.h"

#include "ompt_tool/unwind/prologue.h"

void prologue_rules(uintptr_t begin, uintptr_t at, struct cfi_row *row)
{
	(void)begin;
	(void)at;
	(void)row;
}

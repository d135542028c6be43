/* prologue_riscv64.c - assembly without rules is stepped over by frame pointer. */
#include "config.h"

#include "ompt_tool/core/prologue.h"

void prologue_rules(uintptr_t begin, uintptr_t at, struct cfi_row *row)
{
	(void)begin;
	(void)at;
	(void)row;
}

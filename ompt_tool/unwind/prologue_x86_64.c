/* SPDX-License-Identifier: BSD-3-Clause */
/* prologue_x86_64.c - nothing to derive: on x86-64 assembly has CFI, or its return
   address is on the stack in any case. */
#include "config.h"

#include "ompt_tool/unwind/cfi.h"

void prologue_rules(uintptr_t begin, uintptr_t at, struct cfi_row *row)
{
	(void)begin;
	(void)at;
	(void)row;
}

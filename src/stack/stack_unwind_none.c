/* SPDX-License-Identifier: BSD-3-Clause */
/* stack_unwind_none.c - for builds without libunwind-ptrace. */
#include "config.h"

#include "src/stack/stack_unwind.h"

bool stack_unwind_can(void)
{
	return false;
}

void stack_unwind(struct stack_process *p)
{
	(void)p;
}

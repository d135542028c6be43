/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * apart.c - for libomphwc.so: its constructor starts the tool when the library is
 * preloaded.
 */
#include "config.h"

#include "ompt_tool/program/next.h"
#include "ompt_tool/program/program.h"

const bool program_is_apart = true;

struct next next;

__attribute__((constructor)) static void loaded(void)
{
	next_find();
	if (program_hooks.preloaded)
		program_hooks.preloaded();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* arch_riscv64.h - RISC-V's part of arch.h (RISC-V ABIs specification: integer
   calling convention, frame pointer convention, DWARF register numbers). */
#ifndef OMPHWC_OMPT_TOOL_MACHINE_ARCH_RISCV64_H
#define OMPHWC_OMPT_TOOL_MACHINE_ARCH_RISCV64_H

#include <stdint.h>

enum {
	ARCH_COLUMNS = 33,
	ARCH_FP = 8,
	ARCH_SP = 2,
	ARCH_PC = 32,
	ARCH_LINK = 1,
	ARCH_RED_ZONE = 0,
	ARCH_FRAME_BELOW = 16,
};

static inline uintptr_t arch_strip(uintptr_t pc)
{
	return pc;
}

/* The tag is seven bits at most with 57-bit addresses; the highest address bit is
   extended over it. */
static inline uint64_t arch_untag(uint64_t address)
{
	return (uint64_t)((int64_t)(address << 7) >> 7);
}

static inline uintptr_t arch_thread_pointer(void)
{
	return (uintptr_t)__builtin_thread_pointer();
}

static inline uint32_t arch_cpu(void)
{
	return UINT32_MAX;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* arch_aarch64.h - AArch64's part of arch.h (AAPCS64; DWARF for AArch64, 4.1). */
#ifndef OMPHWC_OMPT_TOOL_MACHINE_ARCH_AARCH64_H
#define OMPHWC_OMPT_TOOL_MACHINE_ARCH_AARCH64_H

#include <stdint.h>

enum {
	ARCH_COLUMNS = 33,
	ARCH_FP = 29,
	ARCH_SP = 31,
	ARCH_PC = 32,
	ARCH_LINK = 30,
	ARCH_RED_ZONE = 0,
	ARCH_FRAME_BELOW = 0,
};

/* Pointer authentication keeps its code above the address space. Code lies within 48
   bits even where the kernel has 52: only mappings that ask for it lie higher. */
static inline uintptr_t arch_strip(uintptr_t pc)
{
	return pc & ((UINT64_C(1) << 48) - 1);
}

/* The tag is the upper byte; bit 55 distinguishes kernel addresses. */
static inline uint64_t arch_untag(uint64_t address)
{
	return (uint64_t)((int64_t)(address << 8) >> 8);
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

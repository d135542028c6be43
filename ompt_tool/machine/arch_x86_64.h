/* SPDX-License-Identifier: BSD-3-Clause */
/* arch_x86_64.h - x86-64's part of arch.h (System V ABI, figure 3.36). */
#ifndef OMPHWC_OMPT_TOOL_MACHINE_ARCH_X86_64_H
#define OMPHWC_OMPT_TOOL_MACHINE_ARCH_X86_64_H

#include <stdint.h>

enum {
	ARCH_COLUMNS = 17,
	ARCH_FP = 6,  /* rbp */
	ARCH_SP = 7,  /* rsp */
	ARCH_PC = 16, /* the return address column */
	ARCH_LINK = -1,
	ARCH_RED_ZONE = 128,
	ARCH_FRAME_BELOW = 0,
};

static inline uintptr_t arch_strip(uintptr_t pc)
{
	return pc;
}

/* LAM_U57: bits 57 to 62 of addresses whose bit 63 is clear. */
static inline uint64_t arch_untag(uint64_t address)
{
	return address >> 63 != 0 ? address : address & ((UINT64_C(1) << 57) - 1);
}

/* Compilers before gcc 11 have no __builtin_thread_pointer() here. */
static inline uintptr_t arch_thread_pointer(void)
{
	uintptr_t p;

	__asm__("mov %%fs:0, %0" : "=r"(p));
	return p;
}

/* Linux keeps node << 12 | CPU in IA32_TSC_AUX. */
static inline uint32_t arch_cpu(void)
{
	unsigned aux;

	__builtin_ia32_rdtscp(&aux);
	return aux & 0xfff;
}

#endif

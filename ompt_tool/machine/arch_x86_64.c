/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include <cpuid.h>
#include <errno.h>
#include <stddef.h>
#include <ucontext.h>

#include "ompt_tool/machine/arch.h"

const uintptr_t arch_ucontext_bytes = offsetof(ucontext_t, uc_mcontext.gregs) + sizeof(gregset_t);

void arch_registers(const void *ucontext, uintptr_t reg[ARCH_COLUMNS])
{
	const greg_t *g = ((const ucontext_t *)ucontext)->uc_mcontext.gregs;

	reg[0] = (uintptr_t)g[REG_RAX];
	reg[1] = (uintptr_t)g[REG_RDX];
	reg[2] = (uintptr_t)g[REG_RCX];
	reg[3] = (uintptr_t)g[REG_RBX];
	reg[4] = (uintptr_t)g[REG_RSI];
	reg[5] = (uintptr_t)g[REG_RDI];
	reg[6] = (uintptr_t)g[REG_RBP];
	reg[7] = (uintptr_t)g[REG_RSP];
	reg[8] = (uintptr_t)g[REG_R8];
	reg[9] = (uintptr_t)g[REG_R9];
	reg[10] = (uintptr_t)g[REG_R10];
	reg[11] = (uintptr_t)g[REG_R11];
	reg[12] = (uintptr_t)g[REG_R12];
	reg[13] = (uintptr_t)g[REG_R13];
	reg[14] = (uintptr_t)g[REG_R14];
	reg[15] = (uintptr_t)g[REG_R15];
	reg[16] = (uintptr_t)g[REG_RIP];
}

void arch_place(const void *ucontext, uintptr_t *pc, uintptr_t *sp, uintptr_t *fp)
{
	const greg_t *g = ((const ucontext_t *)ucontext)->uc_mcontext.gregs;

	*pc = (uintptr_t)g[REG_RIP];
	*sp = (uintptr_t)g[REG_RSP];
	*fp = (uintptr_t)g[REG_RBP];
}

/* "mov $15, %eax" or "mov $15, %rax", then "syscall". The handler has returned to it
   and popped its return address, so the ucontext is at the top of the stack. */
bool arch_sigreturn(uintptr_t pc, uintptr_t bytes, uintptr_t sp, uintptr_t *ucontext)
{
	static const unsigned char code[] = {
		0x48, 0xc7, 0xc0, 0x0f, 0, 0,	 0,    0x0f, 0x05, /* rax */
		0xb8, 0x0f, 0,	  0,	0, 0x0f, 0x05,		   /* eax */
	};
	const unsigned char *at = (const unsigned char *)pc;
	const unsigned char *want = code;
	uintptr_t length = 9;

	if (bytes && at[0] == 0xb8) {
		want += 9;
		length = 7;
	}
	if (bytes < length)
		return false;
	for (uintptr_t i = 0; i < length; i++)
		if (at[i] != want[i])
			return false;
	*ucontext = sp;
	return true;
}

/* An indirect call, through memory or a register, has the opcode ff /2. Its length
   follows from its addressing mode (Intel's manual, volume 2, table 2-2). */
static bool is_indirect_call(const unsigned char *at, uintptr_t length)
{
	unsigned mod = at[1] >> 6, reg = at[1] >> 3 & 7, rm = at[1] & 7;
	unsigned want = 2;

	if (at[0] != 0xff || reg != 2)
		return false;
	if (mod != 3 && rm == 4)
		want++;
	if (mod == 1)
		want++;
	else if (mod == 2 || (mod == 0 && rm == 5))
		want += 4;
	else if (mod == 0 && rm == 4 && length > 2 && (at[2] & 7) == 5)
		want += 4;
	return length == want;
}

bool arch_after_call(uintptr_t pc, uintptr_t bytes)
{
	const unsigned char *at = (const unsigned char *)pc;

	if (bytes >= 5 && at[-5] == 0xe8)
		return true;
	for (unsigned length = 2; length <= 7 && length <= bytes; length++)
		if (is_indirect_call(at - length, length))
			return true;
	return false;
}

bool arch_link(const uintptr_t reg[ARCH_COLUMNS], uintptr_t *pc)
{
	(void)reg;
	(void)pc;
	return false;
}

/* "syscall". The kernel sets the PC back to it where it is to be made again. */
static bool is_syscall(uintptr_t pc)
{
	const unsigned char *at = (const unsigned char *)pc;

	return at[0] == 0x0f && at[1] == 0x05;
}

enum arch_call arch_system_call(const void *ucontext)
{
	enum { PAGE = 4096, BYTES = 2 };
	const greg_t *g = ((const ucontext_t *)ucontext)->uc_mcontext.gregs;
	const uintptr_t pc = (uintptr_t)g[REG_RIP], in_page = pc % PAGE;

	/* What lies in the next page, or before this one, may not be readable. */
	if (in_page <= PAGE - BYTES && is_syscall(pc))
		return ARCH_INTERRUPTED;
	if (in_page < BYTES || !is_syscall(pc - BYTES))
		return ARCH_NO_CALL;
	return g[REG_RAX] == -EINTR ? ARCH_INTERRUPTED : ARCH_CALLED;
}

bool arch_has_cpu(void)
{
	enum { LEAF = 0x80000001, RDTSCP = 1 << 27 }; /* Intel's manual, CPUID: EDX, bit 27 */
	unsigned a, b, c, d;

	return __get_cpuid(LEAF, &a, &b, &c, &d) != 0 && (d & RDTSCP) != 0;
}

bool arch_is_valgrind(void)
{
	const uint64_t request[6] = { 0x1001 }; /* RUNNING_ON_VALGRIND */
	uint64_t depth = 0;

	__asm__ volatile("rol $3, %%rdi\n\trol $13, %%rdi\n\trol $61, %%rdi\n\trol $51, %%rdi\n\t"
			 "xchg %%rbx, %%rbx"
			 : "+d"(depth)
			 : "a"(request)
			 : "cc", "memory");
	return depth != 0;
}

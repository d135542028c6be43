/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <ucontext.h>

#include "ompt_tool/machine/arch.h"

enum {
	SIGINFO_BYTES = 128, /* before the ucontext in a signal frame */
	REGISTERS = 32,
	PC = 0, /* stored in the place of x0 */
	LI_A7_SIGRETURN = 0x08b00893,
	ECALL = 0x00000073,
};

const uintptr_t arch_ucontext_bytes =
	offsetof(ucontext_t, uc_mcontext.__gregs) + REGISTERS * sizeof(uintptr_t);

void arch_registers(const void *ucontext, uintptr_t reg[ARCH_COLUMNS])
{
	const mcontext_t *m = &((const ucontext_t *)ucontext)->uc_mcontext;

	for (unsigned n = 1; n < REGISTERS; n++)
		reg[n] = m->__gregs[n];
	reg[0] = 0;
	reg[ARCH_PC] = m->__gregs[PC];
}

void arch_place(const void *ucontext, uintptr_t *pc, uintptr_t *sp, uintptr_t *fp)
{
	const mcontext_t *m = &((const ucontext_t *)ucontext)->uc_mcontext;

	*pc = m->__gregs[PC];
	*sp = m->__gregs[ARCH_SP];
	*fp = m->__gregs[ARCH_FP];
}

/* Reads an instruction, which is aligned to two bytes only. */
static uint32_t code_at(uintptr_t pc)
{
	uint32_t code;

	memcpy(&code, (const void *)pc, sizeof(code));
	return code;
}

bool arch_sigreturn(uintptr_t pc, uintptr_t bytes, uintptr_t sp, uintptr_t *ucontext)
{
	if (pc % 2 || bytes < 8 || code_at(pc) != LI_A7_SIGRETURN || code_at(pc + 4) != ECALL)
		return false;
	*ucontext = sp + SIGINFO_BYTES;
	return true;
}

/* JAL and JALR that link in ra; or C.JALR, which is C.EBREAK with a register. */
bool arch_after_call(uintptr_t pc, uintptr_t bytes)
{
	uint32_t code, half;

	if (pc % 2 || bytes < 4)
		return false;
	code = code_at(pc - 4);
	half = code >> 16;
	return (code & 0xfff) == 0x0ef || (code & 0x7fff) == 0x00e7 ||
	       ((half & 0xf07f) == 0x9002 && half != 0x9002);
}

bool arch_link(const uintptr_t reg[ARCH_COLUMNS], uintptr_t *pc)
{
	*pc = reg[ARCH_LINK];
	return true;
}

enum arch_call arch_system_call(const void *ucontext)
{
	enum { PAGE = 4096, BYTES = 4, A0 = 10 };
	const mcontext_t *m = &((const ucontext_t *)ucontext)->uc_mcontext;
	const uintptr_t pc = m->__gregs[PC], in_page = pc % PAGE;

	/* What lies in the next page, or before this one, may not be readable. The kernel sets
	   the PC back to the instruction where it is to be made again. */
	if (pc % 2 == 0 && in_page <= PAGE - BYTES && code_at(pc) == ECALL)
		return ARCH_INTERRUPTED;
	if (pc % 2 != 0 || in_page < BYTES || code_at(pc - BYTES) != ECALL)
		return ARCH_NO_CALL;
	return (int64_t)m->__gregs[A0] == -EINTR ? ARCH_INTERRUPTED : ARCH_CALLED;
}

bool arch_has_cpu(void)
{
	return false;
}

bool arch_is_valgrind(void)
{
	const uint64_t request[6] = { 0x1001 }; /* RUNNING_ON_VALGRIND */
	register uint64_t depth __asm__("a3") = 0;
	register const uint64_t *at __asm__("a4") = request;

	__asm__ volatile(".option push\n\t.option norvc\n\t"
			 "srli zero, zero, 3\n\tsrli zero, zero, 13\n\t"
			 "srli zero, zero, 51\n\tsrli zero, zero, 61\n\t"
			 "or a0, a0, a0\n\t.option pop"
			 : "+r"(depth)
			 : "r"(at)
			 : "memory");
	return depth != 0;
}

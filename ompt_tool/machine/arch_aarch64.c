/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include <errno.h>
#include <stddef.h>
#include <ucontext.h>

#include "ompt_tool/machine/arch.h"

enum {
	SIGINFO_BYTES = 128, /* before the ucontext in a signal frame */
	MOV_X8_SIGRETURN = 0xd2801168,
	SVC_0 = 0xd4000001,
};

const uintptr_t arch_ucontext_bytes = offsetof(ucontext_t, uc_mcontext.pc) + sizeof(uint64_t);

void arch_registers(const void *ucontext, uintptr_t reg[ARCH_COLUMNS])
{
	const mcontext_t *m = &((const ucontext_t *)ucontext)->uc_mcontext;

	for (unsigned n = 0; n <= ARCH_LINK; n++)
		reg[n] = m->regs[n];
	reg[ARCH_SP] = m->sp;
	reg[ARCH_PC] = m->pc;
}

void arch_place(const void *ucontext, uintptr_t *pc, uintptr_t *sp, uintptr_t *fp)
{
	const mcontext_t *m = &((const ucontext_t *)ucontext)->uc_mcontext;

	*pc = m->pc;
	*sp = m->sp;
	*fp = m->regs[ARCH_FP];
}

bool arch_sigreturn(uintptr_t pc, uintptr_t bytes, uintptr_t sp, uintptr_t *ucontext)
{
	const uint32_t *at = (const uint32_t *)pc;

	if (pc % 4 || bytes < 8 || at[0] != (uint32_t)MOV_X8_SIGRETURN || at[1] != (uint32_t)SVC_0)
		return false;
	*ucontext = sp + SIGINFO_BYTES;
	return true;
}

/* BL, BLR, and BLR with authentication. */
bool arch_after_call(uintptr_t pc, uintptr_t bytes)
{
	uint32_t code;

	if (pc % 4 || bytes < 4)
		return false;
	code = ((const uint32_t *)pc)[-1];
	return (code & 0xfc000000) == 0x94000000 || (code & 0xfffffc1f) == 0xd63f0000 ||
	       (code & 0xfefff800) == 0xd63f0800;
}

bool arch_link(const uintptr_t reg[ARCH_COLUMNS], uintptr_t *pc)
{
	*pc = arch_strip(reg[ARCH_LINK]);
	return true;
}

enum arch_call arch_system_call(const void *ucontext)
{
	enum { PAGE = 4096 };
	const mcontext_t *m = &((const ucontext_t *)ucontext)->uc_mcontext;
	const uint32_t *at = (const uint32_t *)m->pc;

	if (m->pc % 4 != 0)
		return ARCH_NO_CALL;
	/* The kernel sets the PC back to the instruction where it is to be made again. */
	if (at[0] == (uint32_t)SVC_0)
		return ARCH_INTERRUPTED;
	/* The page before may not be readable. */
	if (m->pc % PAGE == 0 || at[-1] != (uint32_t)SVC_0)
		return ARCH_NO_CALL;
	return (int64_t)m->regs[0] == -EINTR ? ARCH_INTERRUPTED : ARCH_CALLED;
}

bool arch_has_cpu(void)
{
	return false;
}

bool arch_is_valgrind(void)
{
	const uint64_t request[6] = { 0x1001 }; /* RUNNING_ON_VALGRIND */
	register uint64_t depth __asm__("x3") = 0;
	register const uint64_t *at __asm__("x4") = request;

	__asm__ volatile("ror x12, x12, #3\n\tror x12, x12, #13\n\t"
			 "ror x12, x12, #51\n\tror x12, x12, #61\n\t"
			 "orr x10, x10, x10"
			 : "+r"(depth)
			 : "r"(at)
			 : "memory");
	return depth != 0;
}

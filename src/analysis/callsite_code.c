/*
 * callsite_code.c - which ident_t the code before a call passes.
 *
 * No disassembler: the few instructions that load a first argument are looked
 * for backwards from the call, and what they point at must be an ident_t of a
 * barrier.  Anything else leaves the question open.
 */
#include "config.h"

#include <elf.h>
#include <string.h>

#include "src/analysis/callsite.h"

enum {
	IDENT_KMPC = 0x02,	/* kmp.h, KMP_IDENT_… */
	IDENT_BARRIER_EXPLICIT = 0x20,
	IDENT_BARRIER_IMPLICIT = 0x40,
	IDENT_BARRIER_MASK = 0x1e0,
	IDENT_KNOWN = 0x1fff | 0xff000000,
	NEAR = 48,		/* bytes between the first argument and the call */
	FAR = 2048,		/* and to where a register that holds it was loaded */
};

static uint32_t code_u32(const unsigned char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* What an ident_t at address says. */
static enum barrier_kind code_ident(const struct callsite_code *c, uint64_t address)
{
	const unsigned char *p = c->at(c->self, address, 16);
	uint32_t flags;

	if (!p || address % 8 || code_u32(p) != 0 || code_u32(p + 8) != 0)
		return BARRIER_UNKNOWN;
	flags = code_u32(p + 4);
	if (!(flags & IDENT_KMPC) || flags & ~(uint32_t)IDENT_KNOWN)
		return BARRIER_UNKNOWN;
	if ((flags & IDENT_BARRIER_MASK) == IDENT_BARRIER_EXPLICIT)
		return BARRIER_EXPLICIT;
	return flags & IDENT_BARRIER_IMPLICIT ? BARRIER_IMPLICIT : BARRIER_UNKNOWN;
}

/* ---- x86-64 ---------------------------------------------------------- */

/* The backmost byte that both can be read from. */
static uint64_t code_reach(const struct callsite_code *c, uint64_t address, uint64_t wish)
{
	while (wish && (wish > address || !c->at(c->self, address - wish, wish)))
		wish /= 2;
	return wish;
}

/* lea REG, [rip + disp]: the last before address that loads a barrier's ident. */
static enum barrier_kind x86_register(const struct callsite_code *c, uint64_t address,
				      unsigned reg)
{
	const uint64_t reach = code_reach(c, address, FAR);
	const unsigned char *p = reach ? c->at(c->self, address - reach, reach) : NULL;
	const unsigned char rex = reg & 8 ? 0x4c : 0x48;
	const unsigned char modrm = (unsigned char)(0x05 | (reg & 7) << 3);
	enum barrier_kind kind;

	for (uint64_t i = reach; p && i >= 7; i--) {
		const unsigned char *q = p + i - 7;

		if (q[0] != rex || q[1] != 0x8d || q[2] != modrm)
			continue;
		kind = code_ident(c, address - reach + i + (uint64_t)(int32_t)code_u32(q + 3));
		if (kind)
			return kind;
	}
	return BARRIER_UNKNOWN;
}

/* mov rdi, REG: which one; 16: it is none. */
static unsigned x86_moved(const unsigned char *q)
{
	if ((q[0] != 0x48 && q[0] != 0x4c) || q[1] != 0x89 || (q[2] & 0xc7) != 0xc7)
		return 16;
	return (unsigned)(q[2] >> 3 & 7) + (q[0] == 0x4c ? 8 : 0);
}

/* call rel32, call [rip + disp], call REG or call [REG + disp8], ending at p. */
static bool x86_is_call(const unsigned char *end)
{
	return end[-5] == 0xe8 || (end[-6] == 0xff && end[-5] == 0x15) ||
	       (end[-2] == 0xff && (end[-1] & 0xf8) == 0xd0) ||
	       (end[-3] == 0xff && (end[-2] & 0xf8) == 0x50);
}

static enum barrier_kind x86_barrier(const struct callsite_code *c, uint64_t address)
{
	const uint64_t reach = code_reach(c, address, NEAR);
	const unsigned char *p = reach > 12 ? c->at(c->self, address - reach, reach) : NULL;
	enum barrier_kind kind = BARRIER_UNKNOWN;

	if (!p || !x86_is_call(p + reach))
		return BARRIER_UNKNOWN;
	/* i: where an instruction that ends before the call may end. */
	for (uint64_t i = reach - 2; i >= 7 && !kind; i--) {
		const unsigned char *q = p + i;
		const uint64_t at = address - reach + i;

		if (q[-7] == 0x48 && q[-6] == 0x8d && q[-5] == 0x3d)
			kind = code_ident(c, at + (uint64_t)(int32_t)code_u32(q - 4));
		else if (q[-7] == 0x48 && q[-6] == 0xc7 && q[-5] == 0xc7)
			kind = code_ident(c, code_u32(q - 4));
		else if (q[-5] == 0xbf)
			kind = code_ident(c, code_u32(q - 4));
		else if (x86_moved(q - 3) < 16)
			kind = x86_register(c, at, x86_moved(q - 3));
	}
	return kind;
}

/* ---- AArch64 --------------------------------------------------------- */

/* adrp xN, page; add x0, xN, #offset; … bl. */
static enum barrier_kind arm_barrier(const struct callsite_code *c, uint64_t address)
{
	const uint64_t reach = code_reach(c, address, NEAR) & ~UINT64_C(3);
	const unsigned char *p = reach >= 12 ? c->at(c->self, address - reach, reach) : NULL;
	uint64_t offset = 0, page;
	unsigned reg = 32;

	if (!p || (code_u32(p + reach - 4) & 0xfc000000) != 0x94000000)
		return BARRIER_UNKNOWN;
	for (uint64_t i = reach - 4; i >= 4; i -= 4) {
		const uint32_t insn = code_u32(p + i - 4);

		if (reg == 32 && (insn & 0xffc0001f) == 0x91000000) {
			reg = insn >> 5 & 31;
			offset = insn >> 10 & 0xfff;
		} else if (reg < 32 && (insn & 0x9f00001f) == (0x90000000 | reg)) {
			page = (uint64_t)(int64_t)((int32_t)(insn << 8) >> 13) << 2 |
			       (insn >> 29 & 3);
			return code_ident(c, ((address - reach + i - 4) & ~UINT64_C(0xfff)) +
					  (page << 12) + offset);
		}
	}
	return BARRIER_UNKNOWN;
}

/* ---------------------------------------------------------------------- */

enum barrier_kind callsite_barrier(const struct callsite_code *c, uint64_t return_address)
{
	switch (c->machine) {
	case EM_X86_64:
		return x86_barrier(c, return_address);
	case EM_AARCH64:
		return arm_barrier(c, return_address);
	}
	return BARRIER_UNKNOWN;
}

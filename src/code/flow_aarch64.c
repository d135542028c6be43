/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flow_aarch64.c - where AArch64's instructions lead.
 *
 * Arm ARM, C4.1: bits 28 to 25 of an instruction show its class.  Only "branches,
 * exception generating and system instructions" lead elsewhere, so that all of that
 * class is listed; the other classes lead to the next instruction, whatever is
 * allocated in them.
 */
#include "config.h"

#include <string.h>

#include "src/code/callsite_code.h"
#include "src/code/flow.h"

/* The class of branches.  What is not listed is not known: FEAT_CMPBR's among others. */
static const struct {
	uint32_t mask, value;
	enum flow_kind kind;
	unsigned lo, bits; /* of the target's distance; 0: none */
} branches[] = {
	{ 0xfc000000, 0x14000000, FLOW_JUMP, 0, 26 },	/* b */
	{ 0xfc000000, 0x94000000, FLOW_CALL, 0, 26 },	/* bl */
	{ 0xff000000, 0x54000000, FLOW_BRANCH, 5, 19 }, /* b.COND, bc.COND */
	{ 0x7e000000, 0x34000000, FLOW_BRANCH, 5, 19 }, /* cbz, cbnz */
	{ 0x7e000000, 0x36000000, FLOW_BRANCH, 5, 14 }, /* tbz, tbnz */
	/* By registers. */
	{ 0xfffffc1f, 0xd61f0000, FLOW_INDIRECT_JUMP, 0, 0 }, /* br */
	{ 0xfffff81f, 0xd61f081f, FLOW_INDIRECT_JUMP, 0, 0 }, /* braaz, brabz */
	{ 0xfffff800, 0xd71f0800, FLOW_INDIRECT_JUMP, 0, 0 }, /* braa, brab */
	{ 0xfffffc1f, 0xd63f0000, FLOW_INDIRECT_CALL, 0, 0 }, /* blr */
	{ 0xfffff81f, 0xd63f081f, FLOW_INDIRECT_CALL, 0, 0 }, /* blraaz, blrabz */
	{ 0xfffff800, 0xd73f0800, FLOW_INDIRECT_CALL, 0, 0 }, /* blraa, blrab */
	{ 0xfffffc1f, 0xd65f0000, FLOW_RETURN, 0, 0 },	      /* ret */
	{ 0xfffffbe0, 0xd65f0be0, FLOW_RETURN, 0, 0 },	      /* reta[ab], reta[ab]sppcr */
	{ 0xffc0001f, 0x5500001f, FLOW_RETURN, 0, 0 },	      /* reta[ab]sppc */
	{ 0xffffffff, 0xd69f03e0, FLOW_RETURN, 0, 0 },	      /* eret */
	{ 0xfffffbff, 0xd69f0bff, FLOW_RETURN, 0, 0 },	      /* eretaa, eretab */
	{ 0xffffffff, 0xd6bf03e0, FLOW_RETURN, 0, 0 },	      /* drps */
	/* Exceptions. */
	{ 0xffe0001f, 0xd4000001, FLOW_NEXT, 0, 0 }, /* svc */
	{ 0xffe0001f, 0xd4000002, FLOW_NEXT, 0, 0 }, /* hvc */
	{ 0xffe0001f, 0xd4000003, FLOW_NEXT, 0, 0 }, /* smc */
	{ 0xffe0001f, 0xd4200000, FLOW_TRAP, 0, 0 }, /* brk */
	{ 0xffe0001f, 0xd4400000, FLOW_TRAP, 0, 0 }, /* hlt */
	{ 0xffe0001c, 0xd4a00000, FLOW_TRAP, 0, 0 }, /* dcps1 to dcps3 */
	/* System instructions; those of transactions that fail go on behind tstart. */
	{ 0xfffff01f, 0xd503201f, FLOW_NEXT, 0, 0 }, /* hints: bti, pac…, nop */
	{ 0xfffff01f, 0xd503301f, FLOW_NEXT, 0, 0 }, /* barriers, clrex */
	{ 0xffffffc0, 0xd5031000, FLOW_NEXT, 0, 0 }, /* wfet, wfit */
	{ 0xfff8f01f, 0xd500401f, FLOW_NEXT, 0, 0 }, /* msr of an immediate */
	{ 0xffd80000, 0xd5080000, FLOW_NEXT, 0, 0 }, /* sys, sysl */
	{ 0xffd00000, 0xd5100000, FLOW_NEXT, 0, 0 }, /* msr, mrs */
	{ 0xfff80000, 0xd5480000, FLOW_NEXT, 0, 0 }, /* sysp */
	{ 0xffd00000, 0xd5500000, FLOW_NEXT, 0, 0 }, /* msrr, mrrs */
};

static bool arm_branch(uint32_t insn, uint64_t address, struct flow_insn *i)
{
	for (size_t k = 0; k < sizeof(branches) / sizeof(*branches); k++) {
		if ((insn & branches[k].mask) != branches[k].value)
			continue;
		i->kind = branches[k].kind;
		/* A field of signed numbers of instructions, from bit lo on. */
		const int64_t field =
			(int64_t)((uint64_t)insn << (64 - branches[k].lo - branches[k].bits)) >>
			(64 - branches[k].bits);
		if (branches[k].bits)
			i->target = address + ((uint64_t)(field * 4));
		return true;
	}
	return false;
}

bool flow_decode_aarch64(const struct callsite_code *c, uint64_t address, struct flow_insn *i)
{
	const unsigned char *p = address % 4 ? NULL : c->at(c->self, address, 4);
	uint32_t insn;

	if (!p)
		return false;
	memcpy(&insn, p, sizeof(insn));
	*i = (struct flow_insn){ .bytes = 4, .kind = FLOW_NEXT };
	switch (insn >> 25 & 15) {
	case 0: /* udf, reserved, or SME (bit 31) */
		if (insn >> 16 == 0)
			i->kind = FLOW_TRAP;
		return insn >> 16 == 0 || insn >> 31;
	case 1:
	case 3: /* not allocated */ return false;
	case 10:
	case 11: return arm_branch(insn, address, i);
	}
	return true;
}

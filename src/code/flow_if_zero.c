/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flow_if_zero.c - which way code takes on after a call, by what that returned.
 *
 * A comparison of the result with 0 or 1, and the branch that it is for.  Before the
 * comparison nothing may change the result, behind it nothing the flags: an
 * instruction of which that is not known ends the search.
 */
#include "config.h"

#include <elf.h>
#include <string.h>

#include "src/code/callsite_code.h"
#include "src/code/flow.h"

enum { ASK_WITHIN = 8 }; /* instructions */

/* What a comparison of a call's result asks for. */
enum asked { ASKED_NOTHING, ASKED_ZERO, ASKED_ONE };

/* An instruction, as far as its bytes are looked at; zeros behind it. */
struct code {
	struct flow_insn insn;
	unsigned char byte[16];
	uint32_t word;
};

/* What it leaves as it is. */
struct leaves {
	bool result, flags;
};

/* ---- x86-64 ---------------------------------------------------------- */

static enum asked x86_asks(const unsigned char *p)
{
	/* test rax, rax; test eax, eax; test al, al; cmp eax, N; cmp al, N */
	if (p[0] == 0x48)
		p++;
	if ((p[0] == 0x85 || p[0] == 0x84) && p[1] == 0xc0)
		return ASKED_ZERO;
	/* dec eax, al */
	if ((p[0] == 0xff || p[0] == 0xfe) && p[1] == 0xc8)
		return ASKED_ONE;
	if ((p[0] == 0x83 && p[1] == 0xf8 && p[2] < 2) || (p[0] == 0x3c && p[1] < 2))
		return p[p[0] == 0x83 ? 2 : 1] ? ASKED_ONE : ASKED_ZERO;
	return ASKED_NOTHING;
}

/* 1: the branch is taken when they are equal, 0: when they are not; -1: neither. */
static int x86_if_equal(const unsigned char *p)
{
	/* As likely or unlikely. */
	if (p[0] == 0x2e || p[0] == 0x3e)
		p++;
	if (p[0] == 0x74 || (p[0] == 0x0f && p[1] == 0x84))
		return 1;
	return p[0] == 0x75 || (p[0] == 0x0f && p[1] == 0x85) ? 0 : -1;
}

/* Which operand is written. */
enum written { NOTHING, REG, RM, MEMORY, OPCODE };

static bool x86_writes_result(enum written w, unsigned opcode, unsigned modrm, unsigned rex)
{
	switch (w) {
	case NOTHING: return false;
	case REG: return !(modrm & 0x38) && !(rex & 4);
	case RM: return (modrm & 0xc7) == 0xc0 && !(rex & 1);
	case MEMORY: /* of registers ah is one */ return modrm >= 0xc0;
	case OPCODE: return !(opcode & 7) && !(rex & 1);
	}
	return true;
}

static const struct {
	unsigned first, last; /* opcodes; 0xf..: of two bytes */
	enum written written;
	bool flags; /* are left */
} x86_insns[] = {
	{ 0x01, 0x01, RM, false },
	{ 0x03, 0x03, REG, false }, /* add */
	{ 0x29, 0x29, RM, false },
	{ 0x2b, 0x2b, REG, false }, /* sub */
	{ 0x31, 0x31, RM, false },
	{ 0x33, 0x33, REG, false }, /* xor */
	{ 0x38, 0x3b, NOTHING, false },
	{ 0x84, 0x85, NOTHING, false }, /* cmp, test */
	{ 0x50, 0x57, NOTHING, true },
	{ 0x58, 0x5f, OPCODE, true }, /* push, pop */
	{ 0x63, 0x63, REG, true },    /* movsxd */
	{ 0x83, 0x83, RM, false },    /* add to cmp */
	{ 0x88, 0x88, MEMORY, true },
	{ 0x89, 0x89, RM, true },
	{ 0x8b, 0x8b, REG, true },
	{ 0x8d, 0x8d, REG, true },     /* lea */
	{ 0x90, 0x90, NOTHING, true }, /* nop; with REX.B xchg */
	{ 0xb8, 0xbf, OPCODE, true },
	{ 0xc6, 0xc6, MEMORY, true },
	{ 0xc7, 0xc7, RM, true },
	{ 0xf10, 0xf11, NOTHING, true },
	/* of vectors */
	{ 0xf12, 0xf17, NOTHING, true },
	{ 0xf28, 0xf2a, NOTHING, true },
	{ 0xf51, 0xf6f, NOTHING, true },
	{ 0xf7e, 0xf7e, RM, true },
	{ 0xf7f, 0xf7f, NOTHING, true },
	{ 0xfef, 0xfef, NOTHING, true },
	{ 0xf1e, 0xf1f, NOTHING, true }, /* endbr64, nop */
	{ 0xfb6, 0xfb7, REG, true },
	{ 0xfbe, 0xfbf, REG, true }, /* movzx, movsx */
};

static struct leaves x86_leaves(const struct code *code)
{
	const unsigned char *p = code->byte;
	unsigned rex = 0, opcode;

	while (*p == 0x66 || *p == 0xf2 || *p == 0xf3)
		p++;
	if ((*p & 0xf0) == 0x40)
		rex = *p++;
	opcode = *p++;
	if (opcode == 0x0f)
		opcode = 0xf00 | *p++;
	if (opcode == 0x90 && rex & 1)
		return (struct leaves){ false, true };
	/* movzx eax, al: the bool that was returned, as wide as it is compared */
	if (opcode == 0xfb6 && *p == 0xc0 && !(rex & 5))
		return (struct leaves){ true, true };
	for (size_t k = 0; k < sizeof(x86_insns) / sizeof(*x86_insns); k++)
		if (opcode >= x86_insns[k].first && opcode <= x86_insns[k].last)
			return (struct leaves){
				!x86_writes_result(x86_insns[k].written, opcode, *p, rex),
				x86_insns[k].flags,
			};
	return (struct leaves){ false, false };
}

/* ---- AArch64 --------------------------------------------------------- */

static enum asked arm_asks(uint32_t insn)
{
	/* cmp w0, N; cmp x0, 0; tst w0, 255 */
	return insn == 0x7100001f || insn == 0xf100001f || insn == 0x72001c1f ? ASKED_ZERO :
	       insn == 0x7100041f					      ? ASKED_ONE :
										ASKED_NOTHING;
}

static int arm_if_equal(uint32_t insn, enum asked *asked)
{
	/* cbz, cbnz w0: while that is still the result */
	if ((insn & 0x7e00001f) == 0x34000000 && *asked == ASKED_NOTHING) {
		*asked = ASKED_ZERO;
		return insn & 0x01000000 ? 0 : 1;
	}
	return (insn & 0xff00001e) == 0x54000000 ? !(insn & 1) : -1;
}

static struct leaves arm_leaves(uint32_t insn)
{
	static const struct {
		uint32_t mask, value;
		bool writes; /* the register of its lowest field */
		bool flags;  /* are left */
	} insns[] = {
		/* and w0, w0, 255: the bool that was returned, as wide as it is compared */
		{ 0xffffffff, 0x12001c00, false, true },
		{ 0x3fc00000, 0x39000000, false, true }, /* strb to str */
		{ 0x3f000000, 0x39000000, true, true },	 /* ldrb to ldr */
		{ 0x3f000000, 0x3d000000, false, true }, /* ldr, str of vectors */
		{ 0x3fc00000, 0x29000000, false, true }, /* stp */
		{ 0x1f000000, 0x10000000, true, true },	 /* adr, adrp */
		{ 0x3f800000, 0x11000000, true, true },	 /* add, sub of a number */
		{ 0x3f000000, 0x31000000, true, false }, /* adds, subs, cmp */
		{ 0x7f800000, 0x72000000, true, false }, /* ands, tst */
		{ 0x1f800000, 0x12000000, true, true },	 /* and, orr, eor */
		{ 0x1f800000, 0x12800000, true, true },	 /* movz, movn, movk */
		{ 0x7f000000, 0x6a000000, true, false }, /* ands, bics of registers */
		{ 0x1f000000, 0x0a000000, true, true },	 /* and, orr, eor; mov */
		{ 0x3f200000, 0x0b000000, true, true },	 /* add, sub of registers */
		{ 0x3f200000, 0x2b000000, true, false }, /* adds, subs, cmp */
		{ 0xfffff01f, 0xd503201f, false, true }, /* hints */
	};

	for (size_t k = 0; k < sizeof(insns) / sizeof(*insns); k++)
		if ((insn & insns[k].mask) == insns[k].value)
			return (struct leaves){ !insns[k].writes || insn & 31, insns[k].flags };
	return (struct leaves){ false, false };
}

/* ---------------------------------------------------------------------- */

static bool flow_if_zero_code_at(const struct callsite_code *c, uint64_t address, struct code *code)
{
	*code = (struct code){ 0 };
	if ((c->machine != EM_X86_64 && c->machine != EM_AARCH64) ||
	    !flow_decode(c, address, &code->insn))
		return false;
	memcpy(code->byte, c->at(c->self, address, code->insn.bytes), code->insn.bytes);
	memcpy(&code->word, code->byte, sizeof(code->word));
	return true;
}

bool flow_if_zero(const struct callsite_code *c, uint64_t return_address, uint64_t *zero,
		  uint64_t *other)
{
	enum asked asked = ASKED_NOTHING;
	uint64_t at = return_address;
	struct leaves leaves;
	struct code code;
	int equal;

	for (int n = 0; n < ASK_WITHIN && flow_if_zero_code_at(c, at, &code); n++) {
		const bool x86 = c->machine == EM_X86_64;
		const uint64_t next = at + code.insn.bytes;

		if (code.insn.kind == FLOW_BRANCH) {
			equal = x86 ? x86_if_equal(code.byte) : arm_if_equal(code.word, &asked);
			if (equal < 0 || asked == ASKED_NOTHING)
				return false;
			equal ^= asked == ASKED_ONE;
			*zero = equal ? code.insn.target : next;
			*other = equal ? next : code.insn.target;
			return true;
		}
		at = code.insn.kind == FLOW_JUMP ? code.insn.target : next;
		if (code.insn.kind == FLOW_JUMP)
			continue;
		if (code.insn.kind != FLOW_NEXT)
			return false;
		leaves = x86 ? x86_leaves(&code) : arm_leaves(code.word);
		if (asked != ASKED_NOTHING) {
			if (!leaves.flags)
				return false;
			continue;
		}
		asked = x86 ? x86_asks(code.byte) : arm_asks(code.word);
		if (asked == ASKED_NOTHING && !leaves.result)
			return false;
	}
	return false;
}

/*
 * flow_decode.c - how long instructions are, and where they lead.
 *
 * x86-64: Intel's manual, volume 2, appendix A (opcode maps), in 64-bit mode.
 */
#include "config.h"

#include <elf.h>
#include <string.h>

#include "src/code/callsite_code.h"
#include "src/code/flow.h"

/* ---- x86-64 ---------------------------------------------------------- */

enum { X86_MOST = 15 };	/* bytes of an instruction */

struct x86 {
	unsigned char byte[X86_MOST];
	unsigned n;		/* of them that are there */
	unsigned at;		/* the next to be looked at */
	bool small;		/* operands of 16 bits */
	bool wide;		/* of 64 */
	unsigned map;		/* 0: one byte, 1: 0f, 2: 0f 38, 3: 0f 3a */
	unsigned opcode;
	unsigned reg;		/* field of the ModRM byte */
	bool indirect;		/* it has one */
};

static unsigned x86_next(struct x86 *x)
{
	return x->at < x->n ? x->byte[x->at++] : (x->at = X86_MOST + 1, 0u);
}

static bool in(const char *set, unsigned opcode)
{
	/* Pairs of hexadecimal numbers: first and last of a range. */
	for (; *set; set += 4) {
		unsigned range[4];

		for (int i = 0; i < 4; i++)
			range[i] = set[i] <= '9' ? (unsigned)(set[i] - '0') :
						   (unsigned)(set[i] - 'a') + 10;
		if (opcode >= range[0] * 16 + range[1] && opcode <= range[2] * 16 + range[3])
			return true;
	}
	return false;
}

/* Prefixes, and which map the opcode is of. */
static void x86_opcode(struct x86 *x)
{
	unsigned b = x86_next(x);

	for (; b == 0x66 || b == 0x67 || b == 0xf0 || b == 0xf2 || b == 0xf3 ||
	       in("26262e2e36363e3e6465", b); b = x86_next(x))
		x->small = x->small || b == 0x66;
	if ((b & 0xf0) == 0x40) {
		x->wide = b & 8;
		b = x86_next(x);
	}
	if (b == 0xc5) {
		x86_next(x);
		x->map = 1;
	} else if (b == 0xc4) {
		x->map = x86_next(x) & 0x1f;
		x86_next(x);
	} else if (b == 0x62) {
		x->map = x86_next(x) & 7;
		x86_next(x);
		x86_next(x);
	} else if (b == 0x0f) {
		b = x86_next(x);
		x->map = b == 0x38 ? 2 : b == 0x3a ? 3 : 1;
		if (x->map == 1) {
			x->opcode = b;
			return;
		}
	} else {
		x->opcode = b;
		return;
	}
	x->opcode = x86_next(x);
}

static bool x86_has_modrm(const struct x86 *x)
{
	if (x->map == 0)
		return (x->opcode < 0x40 && (x->opcode & 7) < 4) ||
		       in("636369696b6b808fc0c1c6c7d0d3d8dff6f7feff", x->opcode);
	return x->map != 1 || !in("05090b0b30377777808fa0a2a8aac8cf", x->opcode);
}

static unsigned x86_immediate(const struct x86 *x)
{
	const unsigned word = x->small ? 2 : 4;

	if (x->map == 3)
		return 1;
	if (x->map == 1)
		return in("808f", x->opcode) ? 4 : in("7073a4a4acacbabac2c2c4c6", x->opcode);
	if (x->map == 2)
		return 0;
	if ((x->opcode < 0x40 && (x->opcode & 7) == 4) ||
	    in("6a6b707f80808383a8a8b0b7c0c1c6c6cdcde0e7ebeb", x->opcode))
		return 1;
	if ((x->opcode < 0x40 && (x->opcode & 7) == 5) || in("68698181a9a9c7c7", x->opcode))
		return word;
	if (in("b8bf", x->opcode))
		return x->wide ? 8 : word;
	if (in("e8e9", x->opcode))
		return 4;
	if (x->opcode == 0xf6 || x->opcode == 0xf7)
		return x->reg > 1 ? 0 : x->opcode == 0xf6 ? 1 : word;
	return in("a0a3", x->opcode) ? 8 : in("c2c2caca", x->opcode) ? 2 : x->opcode == 0xc8 ? 3 : 0;
}

static void x86_modrm(struct x86 *x)
{
	const unsigned b = x86_next(x), mod = b >> 6, rm = b & 7;
	unsigned base = rm;

	x->reg = b >> 3 & 7;
	x->indirect = true;
	if (mod == 3)
		return;
	if (rm == 4)
		base = x86_next(x) & 7;
	x->at += mod == 1 ? 1 : mod == 2 || (mod == 0 && base == 5) ? 4 : 0;
}

static int64_t x86_relative(const struct x86 *x, unsigned bytes)
{
	int32_t four;

	if (bytes == 1)
		return (int8_t)x->byte[x->at - 1];
	memcpy(&four, &x->byte[x->at - 4], sizeof(four));
	return four;
}

static enum flow_kind x86_kind(const struct x86 *x)
{
	if (x->map == 1)
		return in("808f", x->opcode) ? FLOW_BRANCH :
		       x->opcode == 0x0b ? FLOW_END : FLOW_NEXT;
	if (x->map)
		return FLOW_NEXT;
	if (in("707fe0e3", x->opcode))
		return FLOW_BRANCH;
	if (in("e9e9ebeb", x->opcode))
		return FLOW_JUMP;
	if (x->opcode == 0xe8)
		return FLOW_CALL;
	if (in("c2c3cacccfcff4f4", x->opcode))
		return FLOW_END;
	return x->opcode == 0xff && (x->reg == 4 || x->reg == 5) ? FLOW_ANYWHERE : FLOW_NEXT;
}

static bool x86_decode(const struct callsite_code *c, uint64_t address, struct flow_insn *i)
{
	struct x86 x = { .n = X86_MOST };
	const unsigned char *p = NULL;
	unsigned immediate;

	while (x.n && !(p = c->at(c->self, address, x.n)))
		x.n--;
	if (!p)
		return false;
	memcpy(x.byte, p, x.n);
	x86_opcode(&x);
	if (x.map > 3)
		return false;
	if (x86_has_modrm(&x))
		x86_modrm(&x);
	immediate = x86_immediate(&x);
	x.at += immediate;
	if (x.at > x.n)
		return false;
	*i = (struct flow_insn){ .bytes = x.at, .kind = x86_kind(&x) };
	if (i->kind == FLOW_BRANCH || i->kind == FLOW_JUMP || i->kind == FLOW_CALL)
		i->target = address + x.at + (uint64_t)x86_relative(&x, immediate);
	return true;
}

/* ---- AArch64 --------------------------------------------------------- */

/* A field of signed numbers of instructions, from bit lo on. */
static uint64_t arm_offset(uint32_t insn, unsigned lo, unsigned bits)
{
	const int64_t field = (int64_t)((uint64_t)insn << (64 - lo - bits)) >> (64 - bits);

	return (uint64_t)(field * 4);
}

static bool arm_decode(const struct callsite_code *c, uint64_t address, struct flow_insn *i)
{
	static const struct {
		uint32_t mask, value;
		enum flow_kind kind;
		unsigned lo, bits;	/* of the target; 0: none */
	} insns[] = {
		{ 0xfc000000, 0x14000000, FLOW_JUMP, 0, 26 },	/* b */
		{ 0xfc000000, 0x94000000, FLOW_CALL, 0, 26 },	/* bl */
		{ 0xff000010, 0x54000000, FLOW_BRANCH, 5, 19 },	/* b.cond */
		{ 0x7e000000, 0x34000000, FLOW_BRANCH, 5, 19 },	/* cbz, cbnz */
		{ 0x7e000000, 0x36000000, FLOW_BRANCH, 5, 14 },	/* tbz, tbnz */
		{ 0xfffffc1f, 0xd65f0000, FLOW_END, 0, 0 },	/* ret */
		{ 0xfffffc1f, 0xd61f0000, FLOW_ANYWHERE, 0, 0 }, /* br */
		{ 0xffe0001f, 0xd4200000, FLOW_END, 0, 0 },	/* brk */
		{ 0xffff0000, 0x00000000, FLOW_END, 0, 0 },	/* udf */
	};
	const unsigned char *p = c->at(c->self, address, 4);
	uint32_t insn;

	if (!p || address % 4)
		return false;
	memcpy(&insn, p, sizeof(insn));
	*i = (struct flow_insn){ .bytes = 4, .kind = FLOW_NEXT };
	for (size_t k = 0; k < sizeof(insns) / sizeof(*insns); k++) {
		if ((insn & insns[k].mask) != insns[k].value)
			continue;
		i->kind = insns[k].kind;
		if (insns[k].bits)
			i->target = address + arm_offset(insn, insns[k].lo, insns[k].bits);
		break;
	}
	return true;
}

bool flow_decode(const struct callsite_code *c, uint64_t address, struct flow_insn *i)
{
	switch (c->machine) {
	case EM_X86_64:
		return x86_decode(c, address, i);
	case EM_AARCH64:
		return arm_decode(c, address, i);
	}
	return false;
}

/* ---- what is done with a result -------------------------------------- */

enum { ASK_WITHIN = 4 };	/* instructions */

/* What a comparison of a call's result asks for. */
enum asked { ASKED_NOTHING, ASKED_ZERO, ASKED_ONE };

static enum asked x86_asks(const unsigned char *p)
{
	/* test rax, rax; test eax, eax; test al, al; cmp eax, N; cmp al, N */
	if (p[0] == 0x48)
		p++;
	if ((p[0] == 0x85 || p[0] == 0x84) && p[1] == 0xc0)
		return ASKED_ZERO;
	if ((p[0] == 0x83 && p[1] == 0xf8 && p[2] < 2) || (p[0] == 0x3c && p[1] < 2))
		return p[p[0] == 0x83 ? 2 : 1] ? ASKED_ONE : ASKED_ZERO;
	return ASKED_NOTHING;
}

/* 1: the branch is taken when they are equal, 0: when they are not; -1: neither. */
static int x86_if_equal(const unsigned char *p)
{
	const unsigned char b = p[0] == 0x0f ? p[1] & 0x0f : p[0] & 0x0f;

	return b == 4 ? 1 : b == 5 ? 0 : -1;
}

static enum asked arm_asks(uint32_t insn)
{
	/* cmp w0, N; cmp x0, 0; tst w0, 255 */
	return insn == 0x7100001f || insn == 0xf100001f || insn == 0x72001c1f ? ASKED_ZERO :
	       insn == 0x7100041f ? ASKED_ONE : ASKED_NOTHING;
}

static int arm_if_equal(uint32_t insn, enum asked *asked)
{
	if ((insn & 0x7e00001f) == 0x34000000) {	/* cbz, cbnz w0 */
		*asked = ASKED_ZERO;
		return insn & 0x01000000 ? 0 : 1;
	}
	return (insn & 0xff00001e) == 0x54000000 ? !(insn & 1) : -1;
}

bool flow_if_zero(const struct callsite_code *c, uint64_t return_address, uint64_t *zero,
		  uint64_t *other)
{
	enum asked asked = ASKED_NOTHING;
	uint64_t at = return_address;
	struct flow_insn i;

	for (int n = 0; n < ASK_WITHIN && flow_decode(c, at, &i); n++, at += i.bytes) {
		unsigned char p[4] = { 0 };
		uint32_t insn;
		int equal;

		memcpy(p, c->at(c->self, at, i.bytes), i.bytes < 4 ? i.bytes : 4);
		memcpy(&insn, p, sizeof(insn));
		if (i.kind == FLOW_BRANCH) {
			equal = c->machine == EM_X86_64 ? x86_if_equal(p) : arm_if_equal(insn, &asked);
			if (equal < 0 || asked == ASKED_NOTHING)
				return false;
			equal ^= asked == ASKED_ONE;
			*zero = equal ? i.target : at + i.bytes;
			*other = equal ? at + i.bytes : i.target;
			return true;
		}
		if (i.kind != FLOW_NEXT)
			return false;
		if (asked == ASKED_NOTHING)
			asked = c->machine == EM_X86_64 ? x86_asks(p) : arm_asks(insn);
	}
	return false;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flow_x86_64.c - how long x86-64's instructions are, and where they lead.
 *
 * The opcodes are in opcodes_x86_64.c.  Here are prefixes, ModRM and SIB bytes, and
 * what else depends on more than an opcode (Intel SDM volume 2, chapter 2).
 */
#include "config.h"

#include <string.h>

#include "src/code/callsite_code.h"
#include "src/code/flow.h"
#include "src/code/opcodes_x86_64.h"

enum { X86_MOST = 15 }; /* bytes of an instruction; processors refuse more */

struct x86 {
	const unsigned char *byte;
	unsigned n;	  /* of them that are there */
	unsigned at;	  /* the next to be looked at */
	bool known;	  /* so far */
	bool operands16;  /* prefix 66, or pp of EVEX */
	bool addresses32; /* prefix 67 */
	bool lock;
	unsigned repeat; /* f2, f3 or 0 */
	bool rex;	 /* or REX2 */
	bool wide;	 /* W */
	enum x86_map map;
	unsigned opcode, modrm;
	enum x86_pp pp;
	enum x86_layout layout;
};

static unsigned x86_next(struct x86 *x)
{
	if (x->at < x->n)
		return x->byte[x->at++];
	x->known = false;
	return 0;
}

static void x86_skip(struct x86 *x, unsigned bytes)
{
	if (x->n - x->at < bytes)
		x->known = false;
	else
		x->at += bytes;
}

/* ---- prefixes -------------------------------------------------------- */

static enum x86_pp x86_pp_of(unsigned field)
{
	return (enum x86_pp)(1u << (field & 3));
}

/* VEX, EVEX and XOP are not allowed after these. */
static void x86_first(struct x86 *x)
{
	if (x->operands16 || x->repeat || x->lock || x->rex)
		x->known = false;
}

/* REX2: rows of opcodes that it can't precede, and jmpabs (map 0, a1), which it makes. */
static void x86_rex2(struct x86 *x)
{
	const unsigned payload = x86_next(x);
	unsigned row;

	if (x->rex)
		x->known = false;
	x->rex = true;
	x->wide = payload & 8;
	x->map = payload & 0x80 ? X86_LEGACY_0F : X86_LEGACY;
	x->opcode = x86_next(x);
	row = x->opcode >> 4;
	x->layout = x86_layout(x->map, x->opcode, x->pp);
	if (x->layout == X86_PREFIX || x->layout == X86_ESCAPE ||
	    (x->map == X86_LEGACY ? row == 4 || row == 7 || row == 0xa || row == 0xe :
				    row == 3 || row == 8))
		x->layout = X86_NOT_KNOWN;
	if (x->map == X86_LEGACY && x->opcode == 0xa1 && !payload && !x->operands16 &&
	    !x->addresses32 && !x->repeat && !x->lock)
		x->layout = X86_JUMP64;
}

/* Returns the byte behind them.  A REX prefix counts if it is the last. */
static unsigned x86_prefixes(struct x86 *x)
{
	unsigned b = x86_next(x);

	for (; x->known; b = x86_next(x)) {
		if ((b & 0xf0) == 0x40) {
			x->rex = true;
			x->wide = b & 8;
			continue;
		}
		if (x86_layout(X86_LEGACY, b, X86_PP_NONE) != X86_PREFIX)
			break;
		x->rex = x->wide = false;
		x->operands16 = x->operands16 || b == 0x66;
		x->addresses32 = x->addresses32 || b == 0x67;
		x->lock = x->lock || b == 0xf0;
		if (b == 0xf2 || b == 0xf3)
			x->repeat = b;
	}
	x->pp = x->repeat == 0xf2 ? X86_PP_F2 :
		x->repeat	  ? X86_PP_F3 :
		x->operands16	  ? X86_PP_66 :
				    X86_PP_NONE;
	return b;
}

/* The prefix of two or three bytes behind c5 or c4. */
static void x86_vex(struct x86 *x, bool two_bytes)
{
	static const enum x86_map maps[] = {
		[1] = X86_VEX_0F,
		[2] = X86_VEX_0F38,
		[3] = X86_VEX_0F3A,
	};
	unsigned m = 1, last;

	x86_first(x);
	if (!two_bytes)
		m = x86_next(x) & 0x1f;
	last = x86_next(x);
	x->wide = !two_bytes && last & 0x80;
	x->pp = x86_pp_of(last);
	x->map = m >= 1 && m <= 3 ? maps[m] : X86_UNKNOWN_MAP;
}

/* That of four bytes behind 62. */
static void x86_evex(struct x86 *x)
{
	static const enum x86_map maps[] = {
		[0] = X86_UNKNOWN_MAP, [1] = X86_EVEX_0F,     [2] = X86_EVEX_0F38,
		[3] = X86_EVEX_0F3A,   [4] = X86_EVEX_4,      [5] = X86_EVEX_5,
		[6] = X86_EVEX_6,      [7] = X86_UNKNOWN_MAP,
	};
	unsigned second;

	x86_first(x);
	x->map = maps[x86_next(x) & 7];
	second = x86_next(x);
	x->wide = second & 0x80;
	x->pp = x86_pp_of(second);
	x->operands16 = x->pp == X86_PP_66;
	x86_next(x);
}

/* Prefixes and the opcode. */
static void x86_opcode(struct x86 *x)
{
	unsigned b = x86_prefixes(x);

	if (b == 0xd5) {
		x86_rex2(x);
		return;
	}
	if (b == 0xc4 || b == 0xc5) {
		x86_vex(x, b == 0xc5);
		b = x86_next(x);
	} else if (b == 0x62) {
		x86_evex(x);
		b = x86_next(x);
	} else if (b == 0x8f && x->at < x->n && (x->byte[x->at] & 0x1f) >= 8) {
		/* XOP: 8f is also pop, whose ModRM byte has no map in these bits. */
		const unsigned m = x86_next(x) & 0x1f, last = x86_next(x);

		x86_first(x);
		x->wide = last & 0x80;
		x->pp = x86_pp_of(last);
		x->map = m == 8	 ? X86_XOP_8 :
			 m == 9	 ? X86_XOP_9 :
			 m == 10 ? X86_XOP_A :
				   X86_UNKNOWN_MAP;
		b = x86_next(x);
	} else {
		x->map = X86_LEGACY;
		if (b == 0x0f) {
			x->map = X86_LEGACY_0F;
			b = x86_next(x);
		}
		if (x->map == X86_LEGACY_0F && (b == 0x38 || b == 0x3a)) {
			x->map = b == 0x38 ? X86_LEGACY_0F38 : X86_LEGACY_0F3A;
			b = x86_next(x);
		}
	}
	x->opcode = b;
	x->layout = x86_layout(x->map, b, x->pp);
}

/* ---- what follows the opcode ----------------------------------------- */

static bool x86_has_modrm(const struct x86 *x)
{
	switch (x->layout) {
	case X86_MODRM:
	case X86_MODRM_IMM8:
	case X86_MODRM_IMM_Z:
	case X86_MODRM_REGISTERS:
	case X86_MODRM_F3:
	case X86_MODRM_SSE4A:
	case X86_MODRM_TEST:
	case X86_MODRM_JUMP:
	case X86_MODRM_TRAP: return true;
	default: return false;
	}
}

static unsigned x86_reg(const struct x86 *x)
{
	return x->modrm >> 3 & 7;
}

/* Bytes of an immediate of 16 or 32 bits. */
static unsigned x86_word(const struct x86 *x)
{
	return x->operands16 && !x->wide ? 2 : 4;
}

static unsigned x86_immediate(const struct x86 *x)
{
	switch (x->layout) {
	case X86_IMM8:
	case X86_MODRM_IMM8:
	case X86_BRANCH8:
	case X86_JUMP8: return 1;
	case X86_IMM_Z:
	case X86_MODRM_IMM_Z: return x86_word(x);
	case X86_IMM_V: return x->wide ? 8 : x86_word(x);
	case X86_OFFSET: return x->addresses32 ? 4 : 8;
	case X86_ENTER: return 3;
	case X86_MODRM_SSE4A: return x->pp == X86_PP_66 || x->pp == X86_PP_F2 ? 2 : 0;
	case X86_MODRM_TEST: return x86_reg(x) > 1 ? 0 : x->opcode == 0xf6 ? 1 : x86_word(x);
	case X86_BRANCH32:
	case X86_JUMP32:
	case X86_CALL32: return 4;
	case X86_JUMP64: return 8;
	case X86_RETURN16: return 2;
	default: return 0;
	}
}

/* ---- where it leads -------------------------------------------------- */

static enum flow_kind x86_kind(const struct x86 *x)
{
	switch (x->layout) {
	case X86_BRANCH8:
	case X86_BRANCH32: return FLOW_BRANCH;
	case X86_JUMP8:
	case X86_JUMP32:
	case X86_JUMP64: return FLOW_JUMP;
	case X86_CALL32: return FLOW_CALL;
	case X86_RETURN:
	case X86_RETURN16: return FLOW_RETURN;
	case X86_TRAP:
	case X86_MODRM_TRAP: return FLOW_TRAP;
	case X86_MODRM_JUMP:
		return x86_reg(x) == 2 || x86_reg(x) == 3 ? FLOW_INDIRECT_CALL :
		       x86_reg(x) == 4 || x86_reg(x) == 5 ? FLOW_INDIRECT_JUMP :
							    FLOW_NEXT;
	default: break;
	}
	/* xbegin: a transaction that fails goes on at its target. */
	if (x->map == X86_LEGACY && x->opcode == 0xc7 && x->modrm == 0xf8)
		return FLOW_BRANCH;
	/* uiret, eretu, erets */
	if (x->map == X86_LEGACY_0F && x->opcode == 0x01 &&
	    ((x->modrm == 0xec && x->repeat == 0xf3) || (x->modrm == 0xca && x->repeat)))
		return FLOW_RETURN;
	return FLOW_NEXT;
}

static uint64_t flow_x86_64_x86_target(const struct x86 *x, uint64_t address, unsigned immediate)
{
	const unsigned char *p = x->byte + x->at - immediate;
	int64_t eight;
	int32_t four;

	if (immediate == 8) {
		memcpy(&eight, p, sizeof(eight));
		return (uint64_t)eight;
	}
	if (immediate == 1)
		return address + x->at + (uint64_t)(int8_t)*p;
	memcpy(&four, p, sizeof(four));
	return address + x->at + (uint64_t)four;
}

/*
 * Branches with operands of 16 bits are not known: AMD's and Intel's processors
 * disagree on their length and target.  Nor are those with a lock prefix, which no
 * processor allows.
 */
static bool x86_is_known(const struct x86 *x, enum flow_kind kind)
{
	if (x->layout == X86_NOT_KNOWN || x->layout == X86_PREFIX || x->layout == X86_ESCAPE)
		return false;
	if (x->layout == X86_MODRM_F3 && x->pp != X86_PP_F3)
		return false;
	if (x86_has_modrm(x) && !x86_group_has(x->map, x->opcode, x->modrm))
		return false;
	/* Of c6 /7 and c7 /7 there are xabort and xbegin alone. */
	if (x->map == X86_LEGACY && (x->opcode & 0xfe) == 0xc6 && x86_reg(x) == 7 &&
	    x->modrm != 0xf8)
		return false;
	return kind == FLOW_NEXT || kind == FLOW_TRAP || (!x->lock && (!x->operands16 || x->wide));
}

bool flow_decode_x86_64(const struct callsite_code *c, uint64_t address, struct flow_insn *i)
{
	struct x86 x = { .known = true };
	unsigned immediate;

	/* As many bytes from address on as there are, and an instruction may have. */
	for (x.n = X86_MOST; x.n; x.n--)
		if ((x.byte = c->at(c->self, address, x.n)))
			break;
	if (!x.byte)
		return false;
	x86_opcode(&x);
	if (x86_has_modrm(&x)) {
		unsigned mod, base;

		x.modrm = x86_next(&x);
		mod = x.modrm >> 6;
		base = x.modrm & 7;
		if (mod != 3 && x.layout != X86_MODRM_REGISTERS) {
			if (base == 4)
				base = x86_next(&x) & 7;
			x86_skip(&x, mod == 1 ? 1 : mod == 2 || (mod == 0 && base == 5) ? 4 : 0);
		}
	}
	immediate = x86_immediate(&x);
	x86_skip(&x, immediate);
	*i = (struct flow_insn){ .bytes = x.at, .kind = x86_kind(&x) };
	if (!x.known || !x86_is_known(&x, i->kind))
		return false;
	if (i->kind == FLOW_BRANCH || i->kind == FLOW_JUMP || i->kind == FLOW_CALL)
		i->target = flow_x86_64_x86_target(&x, address, immediate);
	return true;
}

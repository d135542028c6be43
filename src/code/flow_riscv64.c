/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flow_riscv64.c - how long RISC-V's instructions are, and where they lead.
 *
 * RISC-V unprivileged ISA: chapter "RV32/64G instruction set listings" (major opcodes),
 * "C" (16 bits).  x1 (ra) and x5 (t0) hold return addresses: which of them a jump
 * writes or jumps to shows calls and returns (table "Return-address stack prediction
 * hints").  RV64 with C and D: encodings that Zcmp and Zcmt use instead of c.fsdsp are
 * taken for that.
 */
#include "config.h"

#include <string.h>

#include "src/code/callsite_code.h"
#include "src/code/flow.h"

static unsigned field(uint32_t insn, unsigned lo, unsigned bits)
{
	return insn >> lo & ((1u << bits) - 1);
}

static bool is_link(unsigned reg)
{
	return reg == 1 || reg == 5;
}

/* One field of an immediate: bits of the instruction from `from` on, to bits from `to` on. */
struct flow_riscv64_part {
	unsigned char from, bits, to;
};

/* The immediate that parts make; sign: its topmost bit. */
static uint64_t distance(uint32_t insn, const struct flow_riscv64_part *p, size_t n, unsigned sign)
{
	uint64_t v = 0;

	for (size_t i = 0; i < n; i++)
		v |= (uint64_t)field(insn, p[i].from, p[i].bits) << p[i].to;
	return v >> sign & 1 ? v | UINT64_MAX << sign : v;
}

#define DISTANCE(insn, parts, sign) distance(insn, parts, sizeof(parts) / sizeof(*(parts)), sign)

/* ---- 32 bits --------------------------------------------------------- */

/* auipc before the jump into the register that it goes by: where both lead. */
static bool far_target(const struct callsite_code *c, uint64_t address, uint32_t jump,
		       uint64_t *target)
{
	const unsigned char *p = address < 4 ? NULL : c->at(c->self, address - 4, 4);
	uint32_t auipc;

	if (!p)
		return false;
	memcpy(&auipc, p, sizeof(auipc));
	if (field(auipc, 0, 7) != 0x17 || field(auipc, 7, 5) != field(jump, 15, 5))
		return false;
	*target = address - 4 + (uint64_t)(int64_t)(int32_t)(auipc & 0xfffff000) +
		  (uint64_t)((int32_t)jump >> 20);
	return true;
}

static bool decode_jalr(const struct callsite_code *c, uint64_t address, uint32_t insn,
			struct flow_insn *i)
{
	const unsigned rd = field(insn, 7, 5), rs1 = field(insn, 15, 5);
	const bool far = far_target(c, address, insn, &i->target);

	/* With another link register it would jump and call, or return and call. */
	if (field(insn, 12, 3) || (rd && !is_link(rd)) ||
	    (is_link(rd) && is_link(rs1) && rd != rs1))
		return false;
	if (rd)
		i->kind = far ? FLOW_CALL : FLOW_INDIRECT_CALL;
	else if (is_link(rs1) && !far)
		i->kind = FLOW_RETURN;
	else
		i->kind = far ? FLOW_JUMP : FLOW_INDIRECT_JUMP;
	return true;
}

static bool decode_jal(uint64_t address, uint32_t insn, struct flow_insn *i)
{
	const unsigned rd = field(insn, 7, 5);

	i->kind = rd ? FLOW_CALL : FLOW_JUMP;
	static const struct flow_riscv64_part parts[] = {
		{ 21, 10, 1 },
		{ 20, 1, 11 },
		{ 12, 8, 12 },
		{ 31, 1, 20 },
	};
	i->target = address + DISTANCE(insn, parts, 20);
	return !rd || is_link(rd);
}

static bool decode_branch(uint64_t address, uint32_t insn, struct flow_insn *i)
{
	i->kind = FLOW_BRANCH;
	static const struct flow_riscv64_part parts[] = {
		{ 8, 4, 1 },
		{ 25, 6, 5 },
		{ 7, 1, 11 },
		{ 31, 1, 12 },
	};
	i->target = address + DISTANCE(insn, parts, 12);
	/* 2 and 3 are not allocated. */
	return (field(insn, 12, 3) & 6) != 2;
}

/* Environment calls, returns from them, and CSRs. */
static bool decode_system(uint32_t insn, struct flow_insn *i)
{
	static const struct {
		uint32_t mask, value;
		enum flow_kind kind;
	} insns[] = {
		{ 0xffffffff, 0x00000073, FLOW_NEXT },	 /* ecall */
		{ 0xffffffff, 0x00100073, FLOW_TRAP },	 /* ebreak */
		{ 0xffffffff, 0x00d00073, FLOW_NEXT },	 /* wrs.nto */
		{ 0xffffffff, 0x01d00073, FLOW_NEXT },	 /* wrs.sto */
		{ 0xffffffff, 0x10200073, FLOW_RETURN }, /* sret */
		{ 0xffffffff, 0x30200073, FLOW_RETURN }, /* mret */
		{ 0xffffffff, 0x10500073, FLOW_NEXT },	 /* wfi */
		{ 0xfe007fff, 0x12000073, FLOW_NEXT },	 /* sfence.vma */
	};

	/* csrrw to csrrci, hypervisors' loads and stores, may-be-operations. */
	if (field(insn, 12, 3))
		return true;
	for (size_t k = 0; k < sizeof(insns) / sizeof(*insns); k++)
		if ((insn & insns[k].mask) == insns[k].value) {
			i->kind = insns[k].kind;
			return true;
		}
	return false;
}

static bool decode_32(const struct callsite_code *c, uint64_t address, uint32_t insn,
		      struct flow_insn *i)
{
	switch (field(insn, 2, 5)) {
	case 0x18: return decode_branch(address, insn, i);
	case 0x19: return decode_jalr(c, address, insn, i);
	case 0x1b: return decode_jal(address, insn, i);
	case 0x1c: return decode_system(insn, i);
	case 0x02:
	case 0x0a:
	case 0x16:
	case 0x1e: /* custom: any maker's */
	case 0x1a: /* reserved */ return false;
	}
	return true;
}

/* ---- 16 bits --------------------------------------------------------- */

/* c.jr, c.mv, c.ebreak, c.jalr, c.add */
static bool decode_c_jr(uint32_t insn, struct flow_insn *i)
{
	const unsigned rs1 = field(insn, 7, 5);

	if (field(insn, 2, 5))
		return true;
	if (!field(insn, 12, 1)) {
		i->kind = is_link(rs1) ? FLOW_RETURN : FLOW_INDIRECT_JUMP;
		return rs1;
	}
	i->kind = rs1 ? FLOW_INDIRECT_CALL : FLOW_TRAP;
	return rs1 != 5;
}

static bool decode_16(uint64_t address, uint32_t insn, struct flow_insn *i)
{
	static const struct flow_riscv64_part jump[] = {
		{ 3, 3, 1 }, { 11, 1, 4 }, { 2, 1, 5 },	 { 7, 1, 6 },
		{ 6, 1, 7 }, { 9, 2, 8 },  { 8, 1, 10 }, { 12, 1, 11 },
	};
	static const struct flow_riscv64_part branch[] = {
		{ 3, 2, 1 }, { 10, 2, 3 }, { 2, 1, 5 }, { 5, 2, 6 }, { 12, 1, 8 },
	};

	if (!insn) {
		i->kind = FLOW_TRAP; /* defined as illegal */
		return true;
	}
	switch (field(insn, 0, 2) << 3 | field(insn, 13, 3)) {
	case 0 << 3 | 0: /* c.addi4spn of 0 is reserved */ return field(insn, 5, 8);
	case 0 << 3 | 4: /* Zcb's loads and stores */ return field(insn, 10, 3) < 4;
	case 1 << 3 | 5:
		i->kind = FLOW_JUMP;
		i->target = address + DISTANCE(insn, jump, 11);
		return true;
	case 1 << 3 | 6:
	case 1 << 3 | 7:
		i->kind = FLOW_BRANCH;
		i->target = address + DISTANCE(insn, branch, 8);
		return true;
	case 2 << 3 | 4: return decode_c_jr(insn, i);
	}
	return true;
}

/* ---------------------------------------------------------------------- */

bool flow_decode_riscv64(const struct callsite_code *c, uint64_t address, struct flow_insn *i)
{
	const unsigned char *p = address % 2 ? NULL : c->at(c->self, address, 2);
	uint32_t insn;

	if (!p)
		return false;
	if ((p[0] & 3) != 3) {
		*i = (struct flow_insn){ .bytes = 2, .kind = FLOW_NEXT };
		return decode_16(address, p[0] | (uint32_t)p[1] << 8, i);
	}
	/* Instructions of 48 bits and more are none's so far. */
	if ((p[0] & 0x1f) == 0x1f)
		return false;
	p = c->at(c->self, address, 4);
	if (!p)
		return false;
	memcpy(&insn, p, sizeof(insn));
	*i = (struct flow_insn){ .bytes = 4, .kind = FLOW_NEXT };
	return decode_32(c, address, insn, i);
}

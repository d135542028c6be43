/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * prologue_riscv64.c - derives the rules of a frame from the instructions that
 * built it.
 *
 * For assembly whose table entry is empty: the C library resolves symbols at their
 * first call from such a function. Only the usual instructions of prologues are
 * known: the stack pointer lowered, registers stored above it, the frame pointer
 * set; up to the first branch (The RISC-V Instruction Set Manual, volume I, RV64I
 * and the C extension).
 */
#include "config.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "ompt_tool/unwind/cfi.h"

enum { PROLOGUE_MAX = 32 };

struct riscv64_prologue {
	int64_t depth;	  /* CFA - stack pointer */
	int64_t fp_depth; /* CFA - frame pointer, once it is set */
	bool fp_set;
	struct cfi_row *row;
};

static int64_t sign_extended(uint32_t value, unsigned bits)
{
	return (int64_t)((uint64_t)value << (64 - bits)) >> (64 - bits);
}

static bool is_long(uint32_t code)
{
	return (code & 3) == 3;
}

/* `count' bits of code from bit `from', at bit `to' of a number. */
static uint32_t bits(uint32_t code, unsigned from, unsigned count, unsigned to)
{
	return (code >> from & ((1u << count) - 1)) << to;
}

static void saved(struct riscv64_prologue *p, uint32_t reg, int64_t above_sp)
{
	p->row->how[reg] = CFI_OFFSET;
	p->row->value[reg] = above_sp - p->depth;
}

/* addi sp, sp, N */
static void lower(struct riscv64_prologue *p, uint32_t code)
{
	p->depth -= sign_extended(code >> 20, 12);
}

/* c.addi sp, N */
static void lower_little(struct riscv64_prologue *p, uint32_t code)
{
	p->depth -= sign_extended(bits(code, 2, 5, 0) | bits(code, 12, 1, 5), 6);
}

/* c.addi16sp N */
static void lower_much(struct riscv64_prologue *p, uint32_t code)
{
	p->depth -= sign_extended(bits(code, 6, 1, 4) | bits(code, 2, 1, 5) | bits(code, 5, 1, 6) |
					  bits(code, 3, 2, 7) | bits(code, 12, 1, 9),
				  10);
}

/* sd REGISTER, N(sp) */
static void store(struct riscv64_prologue *p, uint32_t code)
{
	saved(p, bits(code, 20, 5, 0),
	      sign_extended(bits(code, 7, 5, 0) | bits(code, 25, 7, 5), 12));
}

/* c.sdsp REGISTER, N */
static void store_short(struct riscv64_prologue *p, uint32_t code)
{
	saved(p, bits(code, 2, 5, 0), bits(code, 10, 3, 3) | bits(code, 7, 3, 6));
}

/* addi fp, sp, N; so is c.mv fp, sp, with 0 */
static void set_fp(struct riscv64_prologue *p, uint32_t code)
{
	p->fp_set = true;
	p->fp_depth = p->depth - (is_long(code) ? sign_extended(code >> 20, 12) : 0);
}

/* c.addi4spn fp, N */
static void set_fp_short(struct riscv64_prologue *p, uint32_t code)
{
	p->fp_set = true;
	p->fp_depth = p->depth - (bits(code, 6, 1, 2) | bits(code, 5, 1, 3) | bits(code, 11, 2, 4) |
				  bits(code, 7, 4, 6));
}

static const struct {
	uint32_t mask, code;
	void (*meaning)(struct riscv64_prologue *p, uint32_t code);
} meanings[] = {
	{ 0x000fffff, 0x00010113, lower },	 { 0x0000ef83, 0x00000101, lower_little },
	{ 0x0000ef83, 0x00006101, lower_much },	 { 0x000ff07f, 0x00013023, store },
	{ 0x0000e003, 0x0000e002, store_short }, { 0x000fffff, 0x00010413, set_fp },
	{ 0x0000ffff, 0x0000840a, set_fp },	 { 0x0000e01f, 0x00000000, set_fp_short },
};

/* c.jr, c.jalr (and c.ebreak, at which the prologue ends as well). */
static bool is_jump(uint32_t code)
{
	return !is_long(code) && (code & 0xe07f) == 0x8002;
}

static bool is_branch(uint32_t code)
{
	enum { BRANCH = 0x63, JALR = 0x67, JAL = 0x6f };
	const uint32_t opcode = code & 0x7f;

	if (is_long(code))
		return opcode == BRANCH || opcode == JALR || opcode == JAL;
	return is_jump(code) || ((code & 3) == 1 && (code & 0xe000) >= 0xa000);
}

static uint32_t code_at(uintptr_t at)
{
	uint16_t half[2] = { 0, 0 };

	memcpy(&half[0], (const void *)at, sizeof(half[0]));
	if (is_long(half[0]))
		memcpy(&half[1], (const void *)(at + 2), sizeof(half[1]));
	return half[0] | (uint32_t)half[1] << 16;
}

static void understand(struct riscv64_prologue *p, uint32_t code)
{
	for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++)
		if ((code & meanings[i].mask) == meanings[i].code) {
			meanings[i].meaning(p, code);
			return;
		}
}

void prologue_rules(uintptr_t begin, uintptr_t at, struct cfi_row *row)
{
	struct riscv64_prologue p = { .row = row };
	uint32_t code;

	/* At the return the frame is gone, as at the beginning. An odd address is a
	   caller's, and not at a return. */
	if (begin % 2 || (at % 2 == 0 && is_jump(code_at(at))))
		return;
	for (int i = 0; i < PROLOGUE_MAX && !p.fp_set; i++) {
		code = code_at(begin);
		begin += is_long(code) ? 4 : 2;
		if (begin > at || is_branch(code))
			break;
		understand(&p, code);
	}
	row->cfa_register = p.fp_set ? ARCH_FP : ARCH_SP;
	row->cfa_value = p.fp_set ? p.fp_depth : p.depth;
}

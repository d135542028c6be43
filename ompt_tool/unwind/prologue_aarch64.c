/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * prologue_aarch64.c - derives the rules of a frame from the instructions that
 * built it.
 *
 * For assembly whose table entry is empty: LLVM's OpenMP runtime calls each
 * region's code from such a function. Only the usual instructions of prologues are
 * known: registers pushed in pairs or alone, the stack pointer lowered, the frame
 * pointer set; up to the first branch (Arm Architecture Reference Manual, C6.2).
 */
#include "config.h"

#include <stddef.h>

#include "ompt_tool/unwind/cfi.h"

enum { PROLOGUE_MAX = 16, SP = 31, BYTES = 8 };

struct aarch64_prologue {
	int64_t depth;	  /* CFA - stack pointer */
	int64_t fp_depth; /* CFA - frame pointer, once it is set */
	bool fp_set;
	struct cfi_row *row;
};

static int64_t sign_extended(uint32_t value, unsigned bits)
{
	return (int64_t)((uint64_t)value << (64 - bits)) >> (64 - bits);
}

static void saved(struct aarch64_prologue *p, uint32_t reg, int64_t above_sp)
{
	if (reg == SP)
		return; /* in a store, register 31 is zero */
	p->row->how[reg] = CFI_OFFSET;
	p->row->value[reg] = above_sp - p->depth;
}

/* stp xA, xB, [sp, #offset], or [sp, #offset]! */
static void store_pair(struct aarch64_prologue *p, uint32_t code)
{
	int64_t offset = sign_extended(code >> 15 & 0x7f, 7) * BYTES;

	if (code >> 23 & 1) {
		p->depth -= offset;
		offset = 0;
	}
	saved(p, code & 31, offset);
	saved(p, code >> 10 & 31, offset + BYTES);
}

/* The same of vector registers (s, d, q), which no rule needs. */
static void store_vectors(struct aarch64_prologue *p, uint32_t code)
{
	if (code >> 23 & 1)
		p->depth -= sign_extended(code >> 15 & 0x7f, 7) * (4 << (code >> 30));
}

/* str xA, [sp, #offset]! */
static void push_one(struct aarch64_prologue *p, uint32_t code)
{
	p->depth -= sign_extended(code >> 12 & 0x1ff, 9);
	saved(p, code & 31, 0);
}

static int64_t immediate(uint32_t code)
{
	return (int64_t)(code >> 10 & 0xfff) << (code >> 22 & 1 ? 12 : 0);
}

static void lower(struct aarch64_prologue *p, uint32_t code)
{
	p->depth += immediate(code);
}

static void set_fp(struct aarch64_prologue *p, uint32_t code)
{
	p->fp_set = true;
	p->fp_depth = p->depth - immediate(code);
}

static const struct {
	uint32_t mask, code;
	void (*meaning)(struct aarch64_prologue *p, uint32_t code);
} meanings[] = {
	{ 0xff4003e0, 0xa90003e0, store_pair }, { 0x3f4003e0, 0x2d0003e0, store_vectors },
	{ 0xffe00fe0, 0xf8000fe0, push_one },	{ 0xff8003ff, 0xd10003ff, lower },
	{ 0xff8003ff, 0x910003fd, set_fp },
};

/* Branches, calls, returns and exceptions of all forms. Their encoding group also has
   hints, among them BTI. */
static bool is_branch(uint32_t code)
{
	return (code & 0x1c000000) == 0x14000000 && (code & 0xfffff01f) != 0xd503201f;
}

static void understand(struct aarch64_prologue *p, uint32_t code)
{
	for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++)
		if ((code & meanings[i].mask) == meanings[i].code) {
			meanings[i].meaning(p, code);
			return;
		}
}

void prologue_rules(uintptr_t begin, uintptr_t at, struct cfi_row *row)
{
	struct aarch64_prologue p = { .row = row };
	const uint32_t *code = (const uint32_t *)begin;
	enum { RET = 0xd65f03c0 };

	/* At the return the frame is gone, as at the beginning. */
	if (begin % sizeof(*code) || *(const uint32_t *)(at & ~UINT64_C(3)) == RET)
		return;
	for (int i = 0; i < PROLOGUE_MAX && (uintptr_t)(code + 1) <= at; i++, code++) {
		if (p.fp_set || is_branch(*code))
			break;
		understand(&p, *code);
	}
	row->cfa_register = p.fp_set ? ARCH_FP : ARCH_SP;
	row->cfa_value = p.fp_set ? p.fp_depth : p.depth;
}

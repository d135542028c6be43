/* SPDX-License-Identifier: BSD-3-Clause */
/* cfi_row.c - runs an entry's instructions up to a PC (DWARF 5, 6.4.2). */
#include "config.h"

#include <errno.h>

#include "ompt_tool/unwind/cfi.h"
#include "ompt_tool/unwind/cfi_read.h"

enum {
	REMEMBERED_MAX = 6, /* deeper than any compiler goes */

	/* Instructions with an operand in their low six bits. */
	ADVANCE_LOC = 0x40,
	OFFSET = 0x80,
	RESTORE = 0xc0,

	NOP = 0x00,
	SET_LOC = 0x01,
	ADVANCE_LOC1 = 0x02,
	ADVANCE_LOC2 = 0x03,
	ADVANCE_LOC4 = 0x04,
	OFFSET_EXTENDED = 0x05,
	RESTORE_EXTENDED = 0x06,
	UNDEFINED = 0x07,
	SAME_VALUE = 0x08,
	REGISTER = 0x09,
	REMEMBER_STATE = 0x0a,
	RESTORE_STATE = 0x0b,
	DEF_CFA = 0x0c,
	DEF_CFA_REGISTER = 0x0d,
	DEF_CFA_OFFSET = 0x0e,
	DEF_CFA_EXPRESSION = 0x0f,
	EXPRESSION = 0x10,
	OFFSET_EXTENDED_SF = 0x11,
	DEF_CFA_SF = 0x12,
	DEF_CFA_OFFSET_SF = 0x13,
	VAL_OFFSET = 0x14,
	VAL_OFFSET_SF = 0x15,
	VAL_EXPRESSION = 0x16,
	AARCH64_NEGATE_RA_STATE_WITH_PC = 0x2c,
	AARCH64_NEGATE_RA_STATE = 0x2d,
	GNU_ARGS_SIZE = 0x2e,
	GNU_NEGATIVE_OFFSET_EXTENDED = 0x2f,
};

enum operand {
	OPERAND_NONE,
	OPERAND_REGISTER,
	OPERAND_UNSIGNED, /* times the data alignment */
	OPERAND_SIGNED,	  /* likewise */
	OPERAND_MINUS,	  /* likewise, of an unsigned number, negative */
	OPERAND_BLOCK,
};

/* Instructions of the form: register, operand. */
static const struct {
	uint8_t how;	 /* enum cfi_how; 0: not of this form */
	uint8_t operand; /* enum operand */
} register_rule[64] = {
	[OFFSET_EXTENDED] = { CFI_OFFSET, OPERAND_UNSIGNED },
	[UNDEFINED] = { CFI_UNDEFINED, OPERAND_NONE },
	[SAME_VALUE] = { CFI_SAME, OPERAND_NONE },
	[REGISTER] = { CFI_REGISTER, OPERAND_REGISTER },
	[EXPRESSION] = { CFI_EXPRESSION, OPERAND_BLOCK },
	[OFFSET_EXTENDED_SF] = { CFI_OFFSET, OPERAND_SIGNED },
	[VAL_OFFSET] = { CFI_VAL_OFFSET, OPERAND_UNSIGNED },
	[VAL_OFFSET_SF] = { CFI_VAL_OFFSET, OPERAND_SIGNED },
	[VAL_EXPRESSION] = { CFI_VAL_EXPRESSION, OPERAND_BLOCK },
	[GNU_NEGATIVE_OFFSET_EXTENDED] = { CFI_OFFSET, OPERAND_MINUS },
};

struct program {
	const struct cfi_tables *tables;
	const struct cfi_fde *fde;
	struct cfi_reader code;
	uintptr_t pc, target; /* the current row begins at pc; target's is wanted */
	struct cfi_row *row;
	struct cfi_row *remembered;
	unsigned depth, depth_max;
	bool in_cie;
};

static int64_t read_block(struct cfi_reader *r)
{
	int64_t address = (int64_t)(uintptr_t)r->at;

	cfi_skip(r, cfi_uleb(r));
	return address;
}

static int64_t read_operand(struct program *p, uint8_t operand)
{
	uint64_t align = (uint64_t)p->fde->data_align;

	switch (operand) {
	case OPERAND_REGISTER: return (int64_t)cfi_uleb(&p->code);
	case OPERAND_UNSIGNED: return (int64_t)(cfi_uleb(&p->code) * align);
	case OPERAND_SIGNED: return (int64_t)((uint64_t)cfi_sleb(&p->code) * align);
	case OPERAND_MINUS: return (int64_t)(0 - cfi_uleb(&p->code) * align);
	case OPERAND_BLOCK: return read_block(&p->code);
	default: return 0;
	}
}

/* Rules for registers that we don't follow (vectors, flags) are dropped. */
static void set_rule(struct program *p, uint64_t reg, uint8_t how, int64_t value)
{
	if (reg >= ARCH_COLUMNS)
		return;
	p->row->how[reg] = how;
	p->row->value[reg] = value;
}

static void set_cfa(struct program *p, uint64_t reg, int64_t offset)
{
	if (reg >= ARCH_COLUMNS) {
		cfi_bad(&p->code);
		return;
	}
	p->row->cfa_expression = false;
	p->row->cfa_register = (uint8_t)reg;
	p->row->cfa_value = offset;
}

static bool run_cie(struct program *p);

static void clear(struct cfi_row *row)
{
	row->cfa_expression = false;
	row->cfa_register = ARCH_SP;
	row->cfa_value = 0;
	for (unsigned i = 0; i < ARCH_COLUMNS; i++)
		row->how[i] = CFI_UNSPECIFIED;
}

static void copy(struct cfi_row *to, const struct cfi_row *from)
{
	to->cfa_expression = from->cfa_expression;
	to->cfa_register = from->cfa_register;
	to->cfa_value = from->cfa_value;
	for (unsigned i = 0; i < ARCH_COLUMNS; i++) {
		to->how[i] = from->how[i];
		if (from->how[i] >= CFI_OFFSET)
			to->value[i] = from->value[i];
	}
}

/* Restores the rule that the CIE gave, by running the CIE's few instructions again,
   since this is rare. Within the CIE itself there is no such rule. */
static void restore_rule(struct program *p, uint64_t reg)
{
	struct cfi_row row;
	struct program cie = { .tables = p->tables, .fde = p->fde, .row = &row };

	if (reg >= ARCH_COLUMNS)
		return;
	if (p->in_cie || !run_cie(&cie))
		cfi_bad(&p->code);
	else
		set_rule(p, reg, row.how[reg], row.value[reg]);
}

static void remember(struct program *p)
{
	if (p->depth == p->depth_max)
		cfi_bad(&p->code);
	else
		copy(&p->remembered[p->depth++], p->row);
}

static void recall(struct program *p)
{
	if (!p->depth)
		cfi_bad(&p->code);
	else
		copy(p->row, &p->remembered[--p->depth]);
}

static void set_cfa_offset(struct program *p, int64_t offset)
{
	if (p->row->cfa_expression)
		cfi_bad(&p->code);
	else
		p->row->cfa_value = offset;
}

/* Instructions that are neither compact nor of the form register, operand. */
static void run_other(struct program *p, uint8_t op)
{
	struct cfi_reader *r = &p->code;
	uint64_t reg;

	switch (op) {
	case NOP:
	case AARCH64_NEGATE_RA_STATE: /* codes are stripped in any case */
	case AARCH64_NEGATE_RA_STATE_WITH_PC: break;
	case SET_LOC: p->pc = cfi_pointer(r, p->fde->address_encoding, p->tables->hdr); break;
	case ADVANCE_LOC1: p->pc += cfi_u8(r) * p->fde->code_align; break;
	case ADVANCE_LOC2: p->pc += cfi_fixed(r, 2) * p->fde->code_align; break;
	case ADVANCE_LOC4: p->pc += cfi_fixed(r, 4) * p->fde->code_align; break;
	case RESTORE_EXTENDED: restore_rule(p, cfi_uleb(r)); break;
	case REMEMBER_STATE: remember(p); break;
	case RESTORE_STATE: recall(p); break;
	case DEF_CFA:
		reg = cfi_uleb(r);
		set_cfa(p, reg, (int64_t)cfi_uleb(r));
		break;
	case DEF_CFA_SF:
		reg = cfi_uleb(r);
		set_cfa(p, reg, read_operand(p, OPERAND_SIGNED));
		break;
	case DEF_CFA_REGISTER:
		reg = cfi_uleb(r);
		set_cfa(p, reg, p->row->cfa_expression ? 0 : p->row->cfa_value);
		break;
	case DEF_CFA_OFFSET: set_cfa_offset(p, (int64_t)cfi_uleb(r)); break;
	case DEF_CFA_OFFSET_SF: set_cfa_offset(p, read_operand(p, OPERAND_SIGNED)); break;
	case DEF_CFA_EXPRESSION:
		p->row->cfa_expression = true;
		p->row->cfa_value = read_block(r);
		break;
	case GNU_ARGS_SIZE: /* for landing pads only */ cfi_uleb(r); break;
	default: cfi_bad(r);
	}
}

/* Instructions that the loop below does not run itself. */
static void run_any(struct program *p, uint8_t op)
{
	uint8_t low = op & 0x3f;
	uint64_t reg;

	if ((op & 0xc0) == RESTORE) {
		restore_rule(p, low);
	} else if ((op & 0xc0) == OFFSET) {
		cfi_uleb(&p->code); /* a register that we don't follow */
	} else if (!register_rule[low].how) {
		run_other(p, low);
	} else {
		reg = cfi_uleb(&p->code);
		set_rule(p, reg, register_rule[low].how,
			 read_operand(p, register_rule[low].operand));
	}
}

/* Runs code until the row is past the target, or to the code's end. This loop runs the
   most frequent instructions, with the reader in registers. */
static bool run(struct program *p, const uint8_t *code, const uint8_t *end)
{
	struct cfi_reader r = { .at = code, .end = end };
	const uint64_t code_align = p->fde->code_align;
	const int64_t data_align = p->fde->data_align;
	struct cfi_row *row = p->row;
	uintptr_t pc = p->pc;

	while (r.at < r.end && pc <= p->target) {
		uint8_t op = *r.at++;
		uint8_t low = op & 0x3f;

		if ((op & 0xc0) == ADVANCE_LOC) {
			pc += low * code_align;
		} else if ((op & 0xc0) == OFFSET && low < ARCH_COLUMNS) {
			row->how[low] = CFI_OFFSET;
			row->value[low] = (int64_t)(cfi_uleb(&r) * (uint64_t)data_align);
		} else if (op == DEF_CFA_OFFSET && !row->cfa_expression) {
			row->cfa_value = (int64_t)cfi_uleb(&r);
		} else if (op == DEF_CFA && r.at < r.end && *r.at < ARCH_COLUMNS) {
			row->cfa_expression = false;
			row->cfa_register = *r.at++;
			row->cfa_value = (int64_t)cfi_uleb(&r);
		} else if (op == ADVANCE_LOC1) {
			pc += cfi_u8(&r) * code_align;
		} else if (op != NOP) {
			p->code = r;
			p->pc = pc;
			run_any(p, op);
			r = p->code;
			pc = p->pc;
		}
	}
	return !r.bad;
}

static bool run_cie(struct program *p)
{
	clear(p->row);
	p->in_cie = true;
	return run(p, p->fde->cie_code, p->fde->cie_code_end);
}

int cfi_rules(const struct cfi_tables *t, const struct cfi_fde *fde, uintptr_t pc,
	      struct cfi_row *row)
{
	struct cfi_row remembered[REMEMBERED_MAX];
	struct program p = { .tables = t, .fde = fde, .row = row };

	if (!run_cie(&p))
		return -EINVAL;
	p.in_cie = false;
	p.remembered = remembered;
	p.depth_max = REMEMBERED_MAX;
	p.pc = fde->begin;
	p.target = pc;
	return run(&p, fde->code, fde->code_end) ? 0 : -EINVAL;
}

bool cfi_is_empty(const struct cfi_fde *fde)
{
	const uint8_t *code = fde->code;

	while (code < fde->code_end && *code == NOP)
		code++;
	return code == fde->code_end;
}

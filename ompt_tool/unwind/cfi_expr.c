/* SPDX-License-Identifier: BSD-3-Clause */
/* cfi_expr.c - DWARF expressions, those operations that call frames use (DWARF 5, 2.5). */
#include "config.h"

#include <errno.h>

#include "ompt_tool/unwind/cfi.h"
#include "ompt_tool/unwind/cfi_read.h"

enum {
	STACK_MAX = 32,
	OPERATIONS_MAX = 256, /* operations run in all: expressions can jump back */

	OP_ADDR = 0x03,
	OP_DEREF = 0x06,
	OP_CONST1U = 0x08,
	OP_CONST1S = 0x09,
	OP_CONST2U = 0x0a,
	OP_CONST2S = 0x0b,
	OP_CONST4U = 0x0c,
	OP_CONST4S = 0x0d,
	OP_CONST8U = 0x0e,
	OP_CONST8S = 0x0f,
	OP_CONSTU = 0x10,
	OP_CONSTS = 0x11,
	OP_DUP = 0x12,
	OP_DROP = 0x13,
	OP_OVER = 0x14,
	OP_PICK = 0x15,
	OP_SWAP = 0x16,
	OP_ROT = 0x17,
	OP_ABS = 0x19,
	OP_AND = 0x1a,
	OP_DIV = 0x1b,
	OP_MINUS = 0x1c,
	OP_MOD = 0x1d,
	OP_MUL = 0x1e,
	OP_NEG = 0x1f,
	OP_NOT = 0x20,
	OP_OR = 0x21,
	OP_PLUS = 0x22,
	OP_PLUS_UCONST = 0x23,
	OP_SHL = 0x24,
	OP_SHR = 0x25,
	OP_SHRA = 0x26,
	OP_XOR = 0x27,
	OP_BRA = 0x28,
	OP_EQ = 0x29,
	OP_GE = 0x2a,
	OP_GT = 0x2b,
	OP_LE = 0x2c,
	OP_LT = 0x2d,
	OP_NE = 0x2e,
	OP_SKIP = 0x2f,
	OP_LIT0 = 0x30,
	OP_LIT31 = 0x4f,
	OP_BREG0 = 0x70,
	OP_BREG31 = 0x8f,
	OP_BREGX = 0x92,
	OP_DEREF_SIZE = 0x94,
	OP_NOP = 0x96,
};

struct evaluation {
	struct cfi_reader code;
	const uint8_t *begin;
	const struct cfi_machine *m;
	int err;
	unsigned depth;
	uint64_t stack[STACK_MAX];
};

static void fail(struct evaluation *e, int err)
{
	if (!e->err)
		e->err = err;
	e->code.at = e->code.end;
}

static void push(struct evaluation *e, uint64_t value)
{
	if (e->depth == STACK_MAX)
		fail(e, -EINVAL);
	else
		e->stack[e->depth++] = value;
}

static uint64_t pop(struct evaluation *e)
{
	if (e->depth)
		return e->stack[--e->depth];
	fail(e, -EINVAL);
	return 0;
}

static void push_register(struct evaluation *e, uint64_t reg)
{
	uint64_t offset = (uint64_t)cfi_sleb(&e->code);

	if (reg >= ARCH_COLUMNS || !(e->m->known >> reg & 1))
		fail(e, -ENODATA);
	else
		push(e, e->m->reg[reg] + offset);
}

static void dereference(struct evaluation *e, unsigned bytes)
{
	uint64_t address = pop(e);
	uint64_t value = 0;

	if (e->err)
		return;
	if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8)
		fail(e, -EINVAL);
	else if (!e->m->read(e->m->arg, address, bytes, &value))
		fail(e, -EFAULT);
	else
		push(e, value);
}

static void pick(struct evaluation *e, unsigned index)
{
	if (index >= e->depth)
		fail(e, -EINVAL);
	else
		push(e, e->stack[e->depth - 1 - index]);
}

static void jump(struct evaluation *e, bool taken)
{
	int64_t distance = cfi_signed(&e->code, 2);

	if (e->err || !taken)
		return;
	if (distance > e->code.end - e->code.at || distance < e->begin - e->code.at)
		fail(e, -EINVAL);
	else
		e->code.at += distance;
}

static void rotate(struct evaluation *e)
{
	uint64_t first = pop(e), second = pop(e), third = pop(e);

	push(e, first);
	push(e, third);
	push(e, second);
}

static void swap(struct evaluation *e)
{
	uint64_t first = pop(e), second = pop(e);

	push(e, first);
	push(e, second);
}

static int64_t divide(struct evaluation *e, int64_t a, int64_t b)
{
	if (b && !(a == INT64_MIN && b == -1))
		return a / b;
	fail(e, -EINVAL);
	return 0;
}

static uint64_t modulo(struct evaluation *e, uint64_t a, uint64_t b)
{
	if (b)
		return a % b;
	fail(e, -EINVAL);
	return 0;
}

/* Operations with two operands, the second on top, and one result. */
static void binary(struct evaluation *e, uint8_t op)
{
	uint64_t b = pop(e), a = pop(e);
	int64_t sa = (int64_t)a, sb = (int64_t)b;

	switch (op) {
	case OP_AND: push(e, a & b); break;
	case OP_DIV: push(e, (uint64_t)divide(e, sa, sb)); break;
	case OP_MINUS: push(e, a - b); break;
	case OP_MOD: push(e, modulo(e, a, b)); break;
	case OP_MUL: push(e, a * b); break;
	case OP_OR: push(e, a | b); break;
	case OP_PLUS: push(e, a + b); break;
	case OP_SHL: push(e, b > 63 ? 0 : a << b); break;
	case OP_SHR: push(e, b > 63 ? 0 : a >> b); break;
	case OP_SHRA: push(e, (uint64_t)((int64_t)a >> (b > 63 ? 63 : b))); break;
	case OP_XOR: push(e, a ^ b); break;
	case OP_EQ: push(e, a == b); break;
	case OP_GE: push(e, sa >= sb); break;
	case OP_GT: push(e, sa > sb); break;
	case OP_LE: push(e, sa <= sb); break;
	case OP_LT: push(e, sa < sb); break;
	case OP_NE: push(e, a != b); break;
	default: fail(e, -EINVAL);
	}
}

/* Operations that push a constant from the code. */
static bool constant(struct evaluation *e, uint8_t op)
{
	struct cfi_reader *r = &e->code;

	switch (op) {
	case OP_ADDR: push(e, cfi_fixed(r, 8)); break;
	case OP_CONST1U: push(e, cfi_u8(r)); break;
	case OP_CONST1S: push(e, (uint64_t)cfi_signed(r, 1)); break;
	case OP_CONST2U: push(e, cfi_fixed(r, 2)); break;
	case OP_CONST2S: push(e, (uint64_t)cfi_signed(r, 2)); break;
	case OP_CONST4U: push(e, cfi_fixed(r, 4)); break;
	case OP_CONST4S: push(e, (uint64_t)cfi_signed(r, 4)); break;
	case OP_CONST8U: push(e, cfi_fixed(r, 8)); break;
	case OP_CONST8S: push(e, cfi_fixed(r, 8)); break;
	case OP_CONSTU: push(e, cfi_uleb(r)); break;
	case OP_CONSTS: push(e, (uint64_t)cfi_sleb(r)); break;
	case OP_PLUS_UCONST: push(e, pop(e) + cfi_uleb(r)); break;
	case OP_BREGX: push_register(e, cfi_uleb(r)); break;
	default: return false;
	}
	return true;
}

static void operate(struct evaluation *e, uint8_t op)
{
	uint64_t a;

	if (op >= OP_LIT0 && op <= OP_LIT31) {
		push(e, op - OP_LIT0);
		return;
	}
	if (op >= OP_BREG0 && op <= OP_BREG31) {
		push_register(e, op - OP_BREG0);
		return;
	}
	if (constant(e, op))
		return;
	switch (op) {
	case OP_NOP: break;
	case OP_DEREF: dereference(e, 8); break;
	case OP_DEREF_SIZE: dereference(e, cfi_u8(&e->code)); break;
	case OP_DUP: pick(e, 0); break;
	case OP_DROP: pop(e); break;
	case OP_OVER: pick(e, 1); break;
	case OP_PICK: pick(e, cfi_u8(&e->code)); break;
	case OP_SWAP: swap(e); break;
	case OP_ROT: rotate(e); break;
	case OP_ABS:
		a = pop(e);
		push(e, (int64_t)a < 0 ? 0 - a : a);
		break;
	case OP_NEG: push(e, 0 - pop(e)); break;
	case OP_NOT: push(e, ~pop(e)); break;
	case OP_SKIP: jump(e, true); break;
	case OP_BRA:
		a = pop(e);
		jump(e, a != 0);
		break;
	default: binary(e, op);
	}
}

int cfi_evaluate(const struct cfi_tables *t, uintptr_t address, const uintptr_t *initial,
		 const struct cfi_machine *m, uintptr_t *value)
{
	struct evaluation e;
	uint64_t bytes;

	e.code.at = (const uint8_t *)address;
	e.code.end = (const uint8_t *)t->hi;
	e.code.bad = address < t->lo || address >= t->hi;
	if (e.code.bad)
		return -EINVAL;
	bytes = cfi_uleb(&e.code);
	if (!cfi_left(&e.code, bytes))
		return -EINVAL;
	e.begin = e.code.at;
	e.code.end = e.begin + bytes;
	e.m = m;
	e.err = 0;
	e.depth = 0;
	if (initial)
		push(&e, *initial);
	for (unsigned i = 0; e.code.at < e.code.end; i++) {
		if (i == OPERATIONS_MAX)
			return -EINVAL;
		operate(&e, cfi_u8(&e.code));
	}
	if (e.err || e.code.bad || !e.depth)
		return e.err ? e.err : -EINVAL;
	*value = e.stack[e.depth - 1];
	return 0;
}

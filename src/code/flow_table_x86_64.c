/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flow_table_x86_64.c - jump tables as gcc and clang make them.
 *
 *	jmp [I*8 + TABLE]		of addresses; also by way of a register
 *	lea B, [rip + TABLE] … movsxd R, [B + I*4]; add R, B; jmp R
 *					of distances from the table
 */
#include "config.h"

#include <string.h>

#include "src/code/callsite_code.h"
#include "src/code/flow.h"
#include "src/code/flow_table.h"

enum { BYTES = 16, NO_REGISTER = 16, COMPARED_WITHIN = 4 };

/* An instruction's parts, as far as tables need them. */
struct op {
	struct flow_insn insn;
	uint64_t next; /* address behind it */
	unsigned char byte[BYTES];
	unsigned code; /* 0xf..: of two bytes */
	bool small;    /* 16 bits */
	bool direct;   /* the ModRM byte names two registers */
	bool rip;
	unsigned reg, rm, base, index, scale;
	int32_t displacement;
};

static int32_t op_last(const struct op *o, unsigned bytes)
{
	int32_t v = 0;

	if (o->insn.bytes >= bytes)
		memcpy(&v, o->byte + o->insn.bytes - bytes, bytes);
	return bytes == 1 ? (int8_t)v : bytes == 2 ? (int16_t)v : v;
}

/* What the ModRM byte at k, and what follows it, says. */
static void op_modrm(struct op *o, unsigned k, unsigned rex)
{
	const unsigned mod = o->byte[k] >> 6, rm = o->byte[k] & 7, sib = o->byte[k + 1];
	const bool scaled = mod != 3 && rm == 4;
	const unsigned base = scaled ? sib & 7 : rm;
	unsigned bytes = mod == 1 ? 1 : mod == 2 || (mod == 0 && base == 5) ? 4 : 0;

	o->direct = mod == 3;
	o->reg = (o->byte[k] >> 3 & 7) | (rex & 4) << 1;
	o->rm = rm | (rex & 1) << 3;
	o->base = base | (rex & 1) << 3;
	o->rip = mod == 0 && rm == 5;
	if (mod == 0 && base == 5)
		o->base = NO_REGISTER;
	o->index = scaled ? (sib >> 3 & 7) | (rex & 2) << 2 : 4;
	if (o->index == 4)
		o->index = NO_REGISTER;
	o->scale = 1u << (sib >> 6);
	k += scaled ? 2 : 1;
	if (o->direct || !bytes || k + bytes > BYTES)
		return;
	memcpy(&o->displacement, o->byte + k, bytes);
	if (bytes == 1)
		o->displacement = (int8_t)o->byte[k];
}

static bool op_at(const struct callsite_code *c, uint64_t address, struct op *o)
{
	const unsigned char *p;
	unsigned k = 0, rex = 0;

	*o = (struct op){ 0 };
	if (!flow_decode(c, address, &o->insn) || o->insn.bytes > BYTES - 1)
		return false;
	p = c->at(c->self, address, o->insn.bytes);
	if (!p)
		return false;
	memcpy(o->byte, p, o->insn.bytes);
	o->next = address + o->insn.bytes;
	for (; o->byte[k] == 0x3e || o->byte[k] == 0x66 || o->byte[k] == 0xf2; k++)
		o->small = o->small || o->byte[k] == 0x66;
	if ((o->byte[k] & 0xf0) == 0x40)
		rex = o->byte[k++];
	o->code = o->byte[k++];
	if (o->code == 0x0f)
		o->code = 0xf00 | o->byte[k++];
	if (k + 1 < BYTES)
		op_modrm(o, k, rex);
	return true;
}

/* ---- where the table is ---------------------------------------------- */

/* lea REG, [rip + …] before address, that no instruction of the way is: it was moved
   out of a loop, before the construct. */
static bool loaded_before(const struct callsite_code *c, uint64_t address, unsigned reg,
			  uint64_t *value)
{
	for (uint64_t at = address - 7; address > 7 && address - at <= FLOW_TABLE_FAR; at--) {
		const unsigned char *p = c->at(c->self, at, 7);
		int32_t distance;

		if (!p)
			return false;
		if (p[0] != (reg & 8 ? 0x4c : 0x48) || p[1] != 0x8d ||
		    p[2] != (0x05 | (reg & 7) << 3))
			continue;
		memcpy(&distance, p + 3, sizeof(distance));
		*value = at + 7 + (uint64_t)(int64_t)distance;
		return true;
	}
	return false;
}

/* The address that reg had been given when the way came to its step k. */
static bool x86_table_loaded(const struct callsite_code *c, const struct flow_path *p, size_t k,
			     unsigned reg, uint64_t *value)
{
	struct op o;

	for (; k < p->n; k++) {
		if (!op_at(c, p->at[k], &o))
			return false;
		if (o.code != 0x8d || !o.rip || o.reg != reg)
			continue;
		*value = o.next + (uint64_t)(int64_t)o.displacement;
		return true;
	}
	return loaded_before(c, p->at[p->n - 1], reg, value);
}

/* Entries are addresses: at the operand.  A pointer alone is what a function is called by. */
static enum flow_jump of_addresses(const struct callsite_code *c, const struct flow_path *p,
				   size_t k, const struct op *o, struct flow_table *t)
{
	if (o->direct)
		return FLOW_JUMP_UNKNOWN;
	if (o->index == NO_REGISTER)
		return FLOW_JUMP_AWAY;
	t->bytes = 8;
	t->entries = (uint64_t)(int64_t)o->displacement;
	return o->scale == 8 && (o->base == NO_REGISTER ||
				 (!o->displacement &&
				  x86_table_loaded(c, p, k + 1, o->base, &t->entries))) ?
		       FLOW_JUMP_TABLE :
		       FLOW_JUMP_UNKNOWN;
}

/* Distances from the table, whose address is in one of two registers. */
static enum flow_jump of_distances(const struct callsite_code *c, const struct flow_path *p,
				   size_t k, unsigned one, unsigned other, struct flow_table *t)
{
	t->bytes = 4;
	t->is_signed = true;
	if (!x86_table_loaded(c, p, k, one, &t->base) &&
	    !x86_table_loaded(c, p, k, other, &t->base))
		return FLOW_JUMP_UNKNOWN;
	t->entries = t->base;
	return FLOW_JUMP_TABLE;
}

static enum flow_jump x86_table_at(const struct callsite_code *c, const struct flow_path *p,
				   struct flow_table *t)
{
	unsigned target;
	struct op o;

	if (!op_at(c, p->at[0], &o) || o.code != 0xff || (o.reg & 7) != 4)
		return FLOW_JUMP_UNKNOWN;
	if (!o.direct)
		return of_addresses(c, p, 0, &o, t);
	target = o.rm;
	for (size_t k = 1; k < p->n && k <= FLOW_TABLE_NEAR; k++) {
		if (!op_at(c, p->at[k], &o))
			break;
		/* pop; add rsp, …; leave: the function's frame is gone. */
		if ((o.code & 0xf8) == 0x58 || o.code == 0xc9 ||
		    ((o.code == 0x83 || o.code == 0x81) && o.direct && o.reg == 0 && o.rm == 4))
			return FLOW_JUMP_AWAY;
		if (o.code == 0x01 && o.direct && o.rm == target)
			return of_distances(c, p, k + 1, o.reg, target, t);
		if (o.code == 0x03 && o.direct && o.reg == target)
			return of_distances(c, p, k + 1, o.rm, target, t);
		if (o.code == 0x8b && o.reg == target)
			return of_addresses(c, p, k, &o, t);
	}
	return FLOW_JUMP_UNKNOWN;
}

/* ---- how many entries it has ----------------------------------------- */

/* cmp X, number; or sub.  -1: neither. */
static int64_t compared(const struct op *o)
{
	const bool fits = (o->reg & 7) == 7 || (o->reg & 7) == 5;

	switch (o->code) {
	case 0x3c:
	case 0x2c: return (uint8_t)op_last(o, 1);
	case 0x3d:
	case 0x2d: return op_last(o, o->small ? 2 : 4);
	case 0x80: return fits ? (uint8_t)op_last(o, 1) : -1;
	case 0x81: return fits ? op_last(o, o->small ? 2 : 4) : -1;
	case 0x83: return fits ? op_last(o, 1) : -1;
	}
	return -1;
}

/* and X, number: where all lower bits are kept, how many values are left. */
static unsigned x86_table_masked(const struct op *o)
{
	int64_t mask = -1;

	if (o->code == 0x24 || ((o->code == 0x83 || o->code == 0x80) && (o->reg & 7) == 4))
		mask = op_last(o, 1);
	else if ((o->code == 0x25 || (o->code == 0x81 && (o->reg & 7) == 4)) && !o->small)
		mask = op_last(o, 4);
	return mask > 0 && mask < FLOW_TABLE_MAX && !(mask & (mask + 1)) ? (unsigned)mask + 1 : 0;
}

/* By which comparison with a number the way went on to next: what is to be added to the
   number; -1: none. */
static int x86_table_went(const struct op *o, uint64_t next)
{
	static const struct {
		unsigned code; /* of two bytes */
		bool taken;
		int more;
	} branches[] = {
		{ 0xf87, false, 1 },
		{ 0xf86, true, 1 }, /* ja, jbe */
		{ 0xf83, false, 0 },
		{ 0xf82, true, 0 }, /* jae, jb */
	};
	const unsigned code = (o->code & 0xf0) == 0x70 ? 0xf80 | (o->code & 0xf) : o->code;

	for (size_t i = 0; i < sizeof(branches) / sizeof(*branches); i++)
		if (o->insn.kind == FLOW_BRANCH && code == branches[i].code &&
		    next == (branches[i].taken ? o->insn.target : o->next))
			return branches[i].more;
	return -1;
}

/* The number that was compared with before step k; -1: none. */
static int64_t x86_table_number_before(const struct callsite_code *c, const struct flow_path *p,
				       size_t k)
{
	struct op o;

	for (size_t m = k + 1; m < p->n && m <= k + COMPARED_WITHIN; m++) {
		if (!op_at(c, p->at[m], &o) || (o.code >= 0x38 && o.code <= 0x3b) ||
		    o.code == 0x84 || o.code == 0x85)
			return -1; /* with something else */
		if (compared(&o) >= 0)
			return compared(&o);
	}
	return -1;
}

static unsigned x86_table_entries(const struct callsite_code *c, const struct flow_path *p)
{
	struct op o;

	for (size_t k = 1; k < p->n && k <= FLOW_TABLE_BOUND; k++) {
		if (!op_at(c, p->at[k], &o))
			return 0;
		if (x86_table_masked(&o))
			return x86_table_masked(&o);

		const int more = x86_table_went(&o, p->at[k - 1]);
		const int64_t number = more < 0 ? -1 : x86_table_number_before(c, p, k);

		if (number >= 0)
			return number < FLOW_TABLE_MAX ? (unsigned)number + (unsigned)more : 0;
	}
	return 0;
}

enum flow_jump flow_table_x86_64(const struct callsite_code *c, const struct flow_path *p,
				 struct flow_table *t)
{
	const enum flow_jump is = x86_table_at(c, p, t);

	t->n = is == FLOW_JUMP_TABLE ? x86_table_entries(c, p) : 0;
	return is;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flow_table_aarch64.c - jump tables as gcc and clang make them.
 *
 *	adrp T, TABLE; add T, T, …; ldrb/ldrh/ldr W, [T, I]
 *	adr A, …; add R, A, W, extended or shifted; br R
 */
#include "config.h"

#include <string.h>

#include "src/code/callsite_code.h"
#include "src/code/flow.h"
#include "src/code/flow_table.h"

enum { COMPARED_WITHIN = 4 };

static bool insn_at(const struct callsite_code *c, uint64_t address, uint32_t *insn)
{
	const unsigned char *p = address % 4 ? NULL : c->at(c->self, address, 4);

	if (!p)
		return false;
	memcpy(insn, p, sizeof(*insn));
	return true;
}

static unsigned arm_table_field(uint32_t insn, unsigned lo, unsigned bits)
{
	return insn >> lo & ((1u << bits) - 1);
}

/* ---- the way, and what lies before it -------------------------------- */

/* Instructions backwards: the way's from step k on, then those before its beginning. */
struct back {
	const struct callsite_code *code;
	const struct flow_path *path;
	size_t k;
	uint64_t at;
	uint32_t insn;
};

static bool back_next(struct back *b)
{
	const uint64_t begin = b->path->at[b->path->n - 1];

	if (b->k < b->path->n)
		b->at = b->path->at[b->k++];
	else if (b->at < 4 || (b->at <= begin && begin - b->at >= FLOW_TABLE_FAR))
		return false;
	else
		b->at = (b->at > begin ? begin : b->at) - 4;
	return insn_at(b->code, b->at, &b->insn);
}

/* The distance of adr and adrp. */
static int64_t adr_distance(uint32_t insn)
{
	return (int64_t)(int32_t)(insn << 8) >> 13 << 2 | (int64_t)arm_table_field(insn, 29, 2);
}

/* adr REG, … */
static bool loaded_near(struct back b, unsigned reg, uint64_t *value)
{
	while (back_next(&b))
		if ((b.insn & 0x9f00001f) == (0x10000000 | reg)) {
			*value = b.at + (uint64_t)adr_distance(b.insn);
			return true;
		}
	return false;
}

/* adrp M, …; add REG, M, …; or adr. */
static bool arm_table_loaded(struct back b, unsigned reg, uint64_t *value)
{
	unsigned page = 32, offset = 0;

	while (back_next(&b)) {
		if (page == 32 && (b.insn & 0x9f00001f) == (0x10000000 | reg)) {
			*value = b.at + (uint64_t)adr_distance(b.insn);
			return true;
		}
		if (page == 32 && (b.insn & 0xffc0001f) == (0x91000000 | reg)) {
			page = arm_table_field(b.insn, 5, 5);
			offset = arm_table_field(b.insn, 10, 12);
		} else if (page < 32 && (b.insn & 0x9f00001f) == (0x90000000 | page)) {
			*value = (b.at & ~UINT64_C(0xfff)) +
				 ((uint64_t)adr_distance(b.insn) << 12) + offset;
			return true;
		}
	}
	return false;
}

/* ---- where the table is ---------------------------------------------- */

/* The load of an entry into reg: of how many bytes, by which register.  Goes there. */
static bool entry_loaded(struct back *b, unsigned reg, struct flow_table *t, unsigned *by)
{
	static const struct {
		uint32_t value;
		unsigned bytes;
		bool is_signed;
	} loads[] = {
		/* REG, [BY, INDEX, …] */
		{ 0x38600800, 1, false }, { 0x38a00800, 1, true }, { 0x38e00800, 1, true },
		{ 0x78600800, 2, false }, { 0x78a00800, 2, true }, { 0x78e00800, 2, true },
		{ 0xb8600800, 4, false }, { 0xb8a00800, 4, true },
	};

	for (unsigned n = 0; n < FLOW_TABLE_NEAR && back_next(b); n++)
		for (size_t i = 0; i < sizeof(loads) / sizeof(*loads); i++)
			if ((b->insn & 0xffe00c1f) == (loads[i].value | reg)) {
				t->bytes = loads[i].bytes;
				t->is_signed = t->is_signed || loads[i].is_signed;
				*by = arm_table_field(b->insn, 5, 5);
				return true;
			}
	return false;
}

/* add R, A, W, lsl or extended. */
static bool added(uint32_t insn, struct flow_table *t)
{
	if ((insn & 0xffe00000) == 0x8b000000) {
		t->shift = arm_table_field(insn, 10, 6);
		return t->shift <= 2;
	}
	if ((insn & 0xffe00000) != 0x8b200000)
		return false;
	t->shift = arm_table_field(insn, 10, 3);
	t->is_signed = arm_table_field(insn, 13, 3) >= 4;
	return t->shift <= 2;
}

static enum flow_jump arm_table_at(const struct callsite_code *c, const struct flow_path *p,
				   struct flow_table *t)
{
	struct back b = { .code = c, .path = p };
	unsigned target, base, entry, by;

	if (!back_next(&b) || (b.insn & 0xfffffc1f) != 0xd61f0000)
		return FLOW_JUMP_UNKNOWN;
	target = arm_table_field(b.insn, 5, 5);
	for (unsigned n = 0; n < FLOW_TABLE_NEAR && back_next(&b); n++) {
		/* ldr TARGET, [X, …]: a pointer, by which a function is called. */
		if ((b.insn & 0xffc0001f) == (0xf9400000 | target))
			return FLOW_JUMP_AWAY;
		if (arm_table_field(b.insn, 0, 5) != target || !added(b.insn, t))
			continue;
		base = arm_table_field(b.insn, 5, 5);
		entry = arm_table_field(b.insn, 16, 5);
		return loaded_near(b, base, &t->base) && entry_loaded(&b, entry, t, &by) &&
				       arm_table_loaded(b, by, &t->entries) ?
			       FLOW_JUMP_TABLE :
			       FLOW_JUMP_UNKNOWN;
	}
	return FLOW_JUMP_UNKNOWN;
}

/* ---- how many entries it has ----------------------------------------- */

/* and W, X, number of lower bits. */
static unsigned arm_table_masked(uint32_t insn)
{
	const bool ones = (insn & 0xffff0000) == 0x12000000 || (insn & 0xffff0000) == 0x92400000;
	const unsigned bits = arm_table_field(insn, 10, 6) + 1;

	return ones && bits <= 10 ? 1u << bits : 0;
}

/* By which comparison the way went on from at to next; -1: none. */
static int arm_table_went(const struct callsite_code *c, uint64_t at, uint32_t insn, uint64_t next)
{
	static const signed char more[16] = {
		[8] = 1, [9] = 1, [2] = 0, [3] = 0, /* hi, ls, hs, lo */
	};
	const unsigned condition = arm_table_field(insn, 0, 4);
	const bool by_taking = condition == 9 || condition == 3;
	struct flow_insn i;

	if ((insn & 0xff000010) != 0x54000000 ||
	    !(condition == 8 || condition == 9 || condition == 2 || condition == 3) ||
	    !flow_decode(c, at, &i) || next != (by_taking ? i.target : at + 4))
		return -1;
	return more[condition];
}

/* cmp X, number before step k; or subs.  -1: none. */
static int arm_table_number_before(const struct callsite_code *c, const struct flow_path *p,
				   size_t k)
{
	uint32_t insn;

	for (size_t m = k + 1; m < p->n && m <= k + COMPARED_WITHIN; m++) {
		if (!insn_at(c, p->at[m], &insn) || (insn & 0x7fe0001f) == 0x6b00001f)
			return -1;
		if ((insn & 0x7fc00000) == 0x71000000)
			return (int)arm_table_field(insn, 10, 12);
	}
	return -1;
}

static unsigned arm_table_entries(const struct callsite_code *c, const struct flow_path *p)
{
	uint32_t insn;

	for (size_t k = 1; k < p->n && k <= FLOW_TABLE_BOUND; k++) {
		if (!insn_at(c, p->at[k], &insn))
			return 0;
		if (arm_table_masked(insn))
			return arm_table_masked(insn);

		const int more = arm_table_went(c, p->at[k], insn, p->at[k - 1]);
		const int number = more < 0 ? -1 : arm_table_number_before(c, p, k);

		if (number >= 0)
			return (unsigned)number + (unsigned)more;
	}
	return 0;
}

enum flow_jump flow_table_aarch64(const struct callsite_code *c, const struct flow_path *p,
				  struct flow_table *t)
{
	const enum flow_jump is = arm_table_at(c, p, t);

	t->n = is == FLOW_JUMP_TABLE ? arm_table_entries(c, p) : 0;
	return is;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/code/callsite_code.h"

#include <elf.h>
#include <string.h>

#include "src/code/flow.h"

enum {
	NEAR = 48,    /* bytes between an argument's instruction and the call */
	ADDRESS = 96, /* the same for an address, which is not mistaken as easily as a number */
	FAR = 2048,   /* and to where a register that holds it was loaded */
};

/* What is looked for, and before which call. */
struct callsite_code_search {
	const struct callsite_code *code;
	uint64_t end; /* the return address */
	unsigned argument;
	callsite_accept accept;
	void *arg;
};

static uint32_t code_u32(const unsigned char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* The bytes before address, at most wish of them; *n says how many. */
static const unsigned char *code_before(const struct callsite_code *c, uint64_t address,
					uint64_t wish, uint64_t *n)
{
	const unsigned char *p = NULL;

	while (wish && (wish > address || !(p = c->at(c->self, address - wish, wish))))
		wish /= 2;
	*n = wish;
	return p;
}

/* ---- x86-64 ---------------------------------------------------------- */

/* lea REG, [rip + disp] that ends at q, at that address. */
static bool x86_lea(const unsigned char *q, uint64_t address, unsigned reg, uint64_t *value)
{
	if (q[-7] != (reg & 8 ? 0x4c : 0x48) || q[-6] != 0x8d || q[-5] != (0x05 | (reg & 7) << 3))
		return false;
	*value = address + (uint64_t)(int32_t)code_u32(q - 4);
	return true;
}

/* mov REG, imm32 in 32 bits, or extended to 64. */
static bool x86_number(const unsigned char *q, unsigned reg, uint64_t *value)
{
	const bool wide = q[-7] == (reg > 7 ? 0x49 : 0x48) && q[-6] == 0xc7 &&
			  q[-5] == (0xc0 | (reg & 7));
	/* r8 and up need a prefix. */
	const bool narrow = q[-5] == (0xb8 | (reg & 7)) && (reg < 8 || q[-6] == 0x41);

	if (!wide && !narrow)
		return false;
	*value = code_u32(q - 4);
	return true;
}

/* mov REG, OTHER: the other's number; 16: it is none. */
static unsigned x86_moved(const unsigned char *q, unsigned reg)
{
	/* REX.W, with R for a source and B for a target of r8 and up. */
	if ((q[-3] & ~4) != (reg > 7 ? 0x49 : 0x48) || q[-2] != 0x89 ||
	    (q[-1] & 0xc7) != (0xc0 | (reg & 7)))
		return 16;
	return (unsigned)(q[-1] >> 3 & 7) + (q[-3] & 4 ? 8 : 0);
}

/* Whether what runs from one address on comes to the other if no branch is taken. */
static bool x86_straight(const struct callsite_code *c, uint64_t from, uint64_t to)
{
	struct flow_insn i;

	while (from < to && flow_decode(c, from, &i) &&
	       (i.kind == FLOW_NEXT || i.kind == FLOW_CALL || i.kind == FLOW_INDIRECT_CALL ||
		i.kind == FLOW_BRANCH))
		from += i.bytes;
	return from == to;
}

/*
 * The last instruction before address that loads reg with what is looked for.  One from
 * which no straight way leads there may be another call's: then all have to agree.
 */
static bool x86_register(const struct callsite_code_search *s, uint64_t address, unsigned reg)
{
	uint64_t n, value, last = 0;
	const unsigned char *p = code_before(s->code, address, FAR, &n);
	bool found = false;

	for (uint64_t i = n; p && i >= 7; i--) {
		if ((!x86_lea(p + i, address - n + i, reg, &value) &&
		     !x86_number(p + i, reg, &value)) ||
		    !s->accept(s->arg, value))
			continue;
		if (!found && x86_straight(s->code, address - n + i, address))
			return true;
		if (found && value != last)
			return false;
		found = true;
		last = value;
	}
	return found;
}

/* call rel32, jmp rel32, call or jmp [rip + disp], call REG, call [REG + disp8]. */
static bool x86_is_call(const unsigned char *end)
{
	return end[-5] == 0xe8 || end[-5] == 0xe9 ||
	       (end[-6] == 0xff && (end[-5] == 0x15 || end[-5] == 0x25)) ||
	       (end[-2] == 0xff && (end[-1] & 0xf8) == 0xd0) ||
	       (end[-3] == 0xff && (end[-2] & 0xf8) == 0x50);
}

static bool x86_search(const struct callsite_code_search *s)
{
	/* The registers of the first six arguments. */
	/* rdi, rsi, rdx, rcx, r8, r9 */
	static const unsigned char registers[] = { 7, 6, 2, 1, 8, 9 };
	const unsigned reg = s->argument < sizeof(registers) ? registers[s->argument] : 16;
	uint64_t n, value;
	const unsigned char *p = code_before(s->code, s->end, ADDRESS, &n);

	if (!p || n < 12 || reg > 15 || !x86_is_call(p + n))
		return false;
	/* i: where an instruction that ends before the call may end. */
	for (uint64_t i = n - 2; i >= 7; i--) {
		const unsigned char *q = p + i;
		const uint64_t at = s->end - n + i;

		if ((x86_lea(q, at, reg, &value) ||
		     (n - i + 7 <= NEAR && x86_number(q, reg, &value))) &&
		    s->accept(s->arg, value))
			return true;
		/* What was loaded before is gone. */
		if (x86_moved(q, reg) < 16)
			return x86_register(s, at, x86_moved(q, reg));
	}
	return false;
}

/* call [rip + disp], if that is a slot of a function's address. */
static bool x86_by_slot(const struct callsite_code *c, uint64_t end, uint64_t *target)
{
	const unsigned char *p = end < 6 ? NULL : c->at(c->self, end - 6, 6);
	struct flow_insn i;

	if (!p || p[0] != 0xff || p[1] != 0x15 || !flow_decode(c, end - 6, &i) ||
	    i.kind != FLOW_CALL)
		return false;
	*target = i.target;
	return true;
}

static bool callsite_code_x86_target(const struct callsite_code *c, uint64_t end, uint64_t *target)
{
	uint64_t n;
	const unsigned char *p = code_before(c, end, 5, &n);

	if (!p || n < 5)
		return false;
	if (p[0] != 0xe8)
		return x86_by_slot(c, end, target);
	*target = end + (uint64_t)(int32_t)code_u32(p + 1);
	return true;
}

/* call REG; call [REG], [REG + disp8], [REG + disp32], with an index or without. */
static bool x86_by_pointer(const unsigned char *end)
{
	static const struct {
		unsigned char bytes, mask, modrm; /* after the opcode ff */
	} forms[] = {
		{ 1, 0xf8, 0xd0 }, { 1, 0xf8, 0x10 }, { 2, 0xf8, 0x50 }, { 2, 0xff, 0x14 },
		{ 3, 0xff, 0x54 }, { 5, 0xf8, 0x90 }, { 6, 0xff, 0x94 }, { 6, 0xff, 0x14 },
	};

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		if (end[-1 - forms[i].bytes] == 0xff &&
		    (end[-forms[i].bytes] & forms[i].mask) == forms[i].modrm)
			return true;
	return false;
}

static enum callsite_way x86_way(const struct callsite_code *c, uint64_t end)
{
	uint64_t n, target;
	const unsigned char *p = code_before(c, end, 8, &n);

	if (!p || n < 8)
		return CALLSITE_UNKNOWN;
	/* What looks like a direct call by chance leads out of the object. */
	if (callsite_code_x86_target(c, end, &target) && c->at(c->self, target, 1))
		return CALLSITE_NAMED;
	if (p[2] == 0xff && p[3] == 0x15)
		return CALLSITE_NAMED;
	return x86_by_pointer(p + n) ? CALLSITE_POINTER : CALLSITE_UNKNOWN;
}

/* ---- AArch64 --------------------------------------------------------- */

/* The instruction that ends there. */
static bool arm_before(const struct callsite_code *c, uint64_t end, struct flow_insn *i)
{
	return end >= 4 && flow_decode(c, end - 4, i);
}

static enum callsite_way arm_way(const struct callsite_code *c, uint64_t end)
{
	struct flow_insn i;

	if (!arm_before(c, end, &i))
		return CALLSITE_UNKNOWN;
	return i.kind == FLOW_CALL	    ? CALLSITE_NAMED :
	       i.kind == FLOW_INDIRECT_CALL ? CALLSITE_POINTER :
					      CALLSITE_UNKNOWN;
}

/* mov wN, #imm; or adrp xM, page; … add xN, xM, #offset. */
static bool arm_search(const struct callsite_code_search *s)
{
	const unsigned reg = s->argument;
	uint64_t n, offset = 0;
	const unsigned char *p = code_before(s->code, s->end, NEAR, &n);
	struct flow_insn call;
	unsigned base = 32;

	if (!p || n < 12 || n % 4 || !arm_before(s->code, s->end, &call) ||
	    (call.kind != FLOW_CALL && call.kind != FLOW_JUMP))
		return false;
	for (uint64_t i = n - 4; i >= 4; i -= 4) {
		const uint32_t insn = code_u32(p + i - 4);

		if (base == 32 && (insn & 0xffe0001f) == (0x52800000 | reg))
			return s->accept(s->arg, insn >> 5 & 0xffff);
		if (base == 32 && (insn & 0xffc0001f) == (0x91000000 | reg)) {
			base = insn >> 5 & 31;
			offset = insn >> 10 & 0xfff;
		} else if (base < 32 && (insn & 0x9f00001f) == (0x90000000 | base)) {
			const uint64_t pages = (uint64_t)(int64_t)((int32_t)(insn << 8) >> 13)
						       << 2 |
					       (insn >> 29 & 3);
			return s->accept(s->arg, (((s->end - n + i - 4) & ~UINT64_C(0xfff)) +
						  (pages << 12)) +
							 offset);
		}
	}
	return false;
}

static bool arm_target(const struct callsite_code *c, uint64_t end, uint64_t *target)
{
	struct flow_insn i;

	if (!arm_before(c, end, &i) || i.kind != FLOW_CALL)
		return false;
	*target = i.target;
	return true;
}

/* ---------------------------------------------------------------------- */

bool callsite_argument(const struct callsite_code *c, uint64_t return_address, unsigned n,
		       callsite_accept accept, void *arg)
{
	const struct callsite_code_search s = {
		.code = c,
		.end = return_address,
		.argument = n,
		.accept = accept,
		.arg = arg,
	};

	switch (c->machine) {
	case EM_X86_64: return x86_search(&s);
	case EM_AARCH64: return arm_search(&s);
	}
	return false;
}

bool callsite_target(const struct callsite_code *c, uint64_t return_address, uint64_t *target)
{
	switch (c->machine) {
	case EM_X86_64: return callsite_code_x86_target(c, return_address, target);
	case EM_AARCH64: return arm_target(c, return_address, target);
	}
	return false;
}

enum callsite_way callsite_way(const struct callsite_code *c, uint64_t return_address)
{
	switch (c->machine) {
	case EM_X86_64: return x86_way(c, return_address);
	case EM_AARCH64: return arm_way(c, return_address);
	}
	return CALLSITE_UNKNOWN;
}

/* ---- one call after another ------------------------------------------ */

uint64_t callsite_last_call(const struct callsite_code *c, uint64_t from, uint64_t limit)
{
	const bool x86 = c->machine == EM_X86_64, arm = c->machine == EM_AARCH64;
	uint64_t n, target;
	const unsigned char *p = code_before(c, from, from > limit ? from - limit : 0, &n);

	for (uint64_t i = n; p && i > 1; i--) {
		/* Whether a call that shows its target ends here. */
		const unsigned char *end = p + i - 1;
		const uint64_t at = from - n + i - 1;

		if (x86 && i > 5 &&
		    (end[-5] == 0xe8 || (end[-5] == 0x15 && x86_by_slot(c, at, &target))))
			return at;
		if (arm && at % 4 == 0 && arm_target(c, at, &target))
			return at;
	}
	return 0;
}

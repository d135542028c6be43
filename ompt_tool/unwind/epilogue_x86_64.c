/* SPDX-License-Identifier: BSD-3-Clause */
/* epilogue_x86_64.c - see caller_parts.h (Intel's manual, volume 2). */
#include "config.h"

#include "ompt_tool/unwind/caller_parts.h"

#include <string.h>

#include "src/code/callsite_code.h"
#include "src/code/flow.h"

enum {
	INSTRUCTIONS_MAX = 8192,
	INSTRUCTION_BYTES = 16,
	FRAME_MAX = 1 << 20,
	ALIGN_MAX = 1 << 16,
	BREAKPOINT = 0xcc,
	REX_B = 1,
	REX_R = 4,
	REX_W = 8,
	RSP = 4, /* as instructions number it, and rbp */
	RBP = 5,
	REGISTERS = 16,
};

/* The stack pointer, as the code so far left it. */
struct pointer {
	struct epilogue e;
	bool lost;	/* not known */
	bool down;	/* read from the entry on */
	uint32_t slack; /* down: by how much it may be lower, as the code aligned it */
	/* Registers that hold what it was: the first value, + copy[n]. */
	uint16_t copied;
	int32_t copy[REGISTERS];
};

struct x86_64_insn {
	const unsigned char *opcode; /* behind the prefix REX */
	unsigned rex;
};

/* DWARF's numbers of registers, by those of instructions. */
static const uint8_t dwarf[REGISTERS] = {
	0, 2, 1, 3, 7, 6, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15,
};

static int32_t signed_at(const unsigned char *at, unsigned bytes)
{
	int32_t four;

	if (bytes == 1)
		return (int8_t)*at;
	memcpy(&four, at, sizeof(four));
	return four;
}

static unsigned mod_of(const struct x86_64_insn *i)
{
	return i->opcode[1] >> 6;
}

static unsigned reg_of(const struct x86_64_insn *i)
{
	return (i->opcode[1] >> 3 & 7) | (i->rex & REX_R) << 1;
}

static unsigned rm_of(const struct x86_64_insn *i)
{
	return (i->opcode[1] & 7) | (i->rex & REX_B) << 3;
}

/* ---- what an instruction does ------------------------------------------ */

static void move_by(struct pointer *p, int32_t offset)
{
	p->e.after += offset;
	if (p->e.after <= -FRAME_MAX || p->e.after >= FRAME_MAX)
		p->lost = true;
}

static bool is_first_value(const struct pointer *p)
{
	return !p->lost && p->e.base == ARCH_SP && !p->e.loads && !p->slack;
}

/* Register n gets the stack pointer + offset, or (no copy) another value. */
static void set_register(struct pointer *p, unsigned n, bool copy, int32_t offset)
{
	p->copied &= (uint16_t) ~(1u << n);
	if (!copy || !is_first_value(p))
		return;
	p->copied |= (uint16_t)(1u << n);
	p->copy[n] = p->e.after + offset;
}

/* The stack pointer gets register n + offset. */
static void move_to(struct pointer *p, unsigned n, int32_t offset)
{
	if (n == RSP) {
		move_by(p, offset);
		return;
	}
	p->lost = false;
	p->slack = 0;
	p->e.loads = false;
	p->e.base = p->copied >> n & 1 ? ARCH_SP : dwarf[n];
	p->e.after = 0;
	move_by(p, p->copied >> n & 1 ? p->copy[n] + offset : offset);
}

static void align_to(struct pointer *p, int32_t mask)
{
	if (!p->down || mask >= 0 || mask < -ALIGN_MAX)
		p->lost = true;
	else
		p->slack += (uint32_t)-mask - 1;
}

/* 81 and 83: arithmetic of a register and a constant. */
static void arithmetic(struct pointer *p, const struct x86_64_insn *i)
{
	const int32_t value = signed_at(i->opcode + 2, i->opcode[0] == 0x83 ? 1 : 4);
	const unsigned how = reg_of(i) & 7;

	if (mod_of(i) != 3)
		return;
	if (rm_of(i) != RSP) {
		if (how != 7)
			set_register(p, rm_of(i), false, 0);
		return;
	}
	switch (how) {
	case 0: move_by(p, value); break;
	case 4: align_to(p, value); break;
	case 5: move_by(p, -value); break;
	case 7: break;
	default: p->lost = true;
	}
}

static void move(struct pointer *p, unsigned from, unsigned to)
{
	if (to == RSP)
		move_to(p, from, 0);
	else
		set_register(p, to, from == RSP, 0);
}

/* The base and offset of an operand in memory; false: not of that form. */
static bool operand(const struct x86_64_insn *i, unsigned *base, int32_t *offset)
{
	const unsigned char *at = i->opcode + 2;
	const unsigned mod = mod_of(i);

	*base = rm_of(i);
	if ((*base & 7) == RSP && (*at++ & 0x3f) != 0x24)
		return false;
	if (mod == 0 && (*base & 7) == RBP)
		return false;
	*offset = mod == 0 ? 0 : signed_at(at, mod == 1 ? 1 : 4);
	return true;
}

/* lea */
static void address(struct pointer *p, const struct x86_64_insn *i)
{
	const unsigned to = reg_of(i);
	unsigned base;
	int32_t offset;

	if (!operand(i, &base, &offset))
		base = REGISTERS;
	if (to != RSP)
		set_register(p, to, base == RSP, base == RSP ? offset : 0);
	else if (base == REGISTERS)
		p->lost = true;
	else
		move_to(p, base, offset);
}

/* mov from memory */
static void load(struct pointer *p, const struct x86_64_insn *i)
{
	unsigned base;
	int32_t offset;

	if (reg_of(i) != RSP) {
		set_register(p, reg_of(i), false, 0);
		return;
	}
	if (!operand(i, &base, &offset)) {
		p->lost = true;
		return;
	}
	move_to(p, base, offset);
	p->lost |= p->e.loads;
	p->e.loads = true;
	p->e.before = p->e.after;
	p->e.after = 0;
}

static void pop(struct pointer *p, unsigned n)
{
	move_by(p, 8);
	set_register(p, n, false, 0);
	p->lost |= n == RSP;
}

/* Arithmetic of two registers, of which to gets the result. */
static void compute(struct pointer *p, unsigned to)
{
	p->lost |= to == RSP;
	set_register(p, to, false, 0);
}

/* Instructions with other prefixes, or in other maps, leave the stack pointer. */
static void understand(struct pointer *p, const unsigned char *code)
{
	struct x86_64_insn i = { .opcode = code };

	if ((*code & 0xf0) == 0x40) {
		i.rex = *code;
		i.opcode++;
	}
	switch (i.opcode[0]) {
	case 0x01:
	case 0x21:
	case 0x29:
		if (mod_of(&i) == 3)
			compute(p, rm_of(&i));
		break;
	case 0x03:
	case 0x23:
	case 0x2b: compute(p, reg_of(&i)); break;
	case 0x50 ... 0x57:
	case 0x68:
	case 0x6a:
	case 0x9c: move_by(p, -8); break;
	case 0x58 ... 0x5f: pop(p, (i.opcode[0] & 7) | (i.rex & REX_B) << 3); break;
	case 0x8f:
	case 0x9d: move_by(p, 8); break;
	case 0x81:
	case 0x83: arithmetic(p, &i); break;
	case 0x89:
		if (mod_of(&i) == 3)
			move(p, reg_of(&i), rm_of(&i));
		break;
	case 0x8b: mod_of(&i) == 3 ? move(p, rm_of(&i), reg_of(&i)) : load(p, &i); break;
	case 0x8d: address(p, &i); break;
	case 0xc8: p->lost = true; break;
	case 0xc9:
		move_to(p, RBP, 0);
		pop(p, RBP);
		break;
	case 0xff:
		if ((reg_of(&i) & 7) == 6)
			move_by(p, -8);
		break;
	}
}

/* ---- the code ---------------------------------------------------------- */

/* Reads the instruction at *at, and moves *at to what is read next. */
static bool read_one(const struct callsite_code *code, uintptr_t *at, struct pointer *p,
		     enum flow_kind *kind)
{
	unsigned char bytes[INSTRUCTION_BYTES] = { 0 };
	struct flow_insn i;

	if (!flow_decode_x86_64(code, *at, &i) || i.bytes > sizeof(bytes))
		return false;
	memcpy(bytes, code->at(code->self, *at, i.bytes), i.bytes);
	*kind = i.kind;
	if (i.kind == FLOW_TRAP && *bytes != BREAKPOINT)
		return false;
	if (i.kind == FLOW_NEXT)
		understand(p, bytes);
	*at = i.kind == FLOW_JUMP && i.target > *at ? i.target : *at + i.bytes;
	return true;
}

static bool is_moved(const struct pointer *p)
{
	return p->lost || p->copied || p->e.base != ARCH_SP || p->e.after != 0 || p->e.loads;
}

static struct epilogue *entry_from(struct epilogue *known, unsigned n, uintptr_t pc)
{
	for (unsigned i = 0; i < n; i++)
		if (known[i].until && known[i].from == pc)
			return &known[i];
	return NULL;
}

/* Until the stack pointer changes or is copied, or a jump leads elsewhere, the result holds for
   each instruction. */
struct epilogue *epilogue_read(const struct callsite_code *code, uintptr_t pc,
			       struct epilogue *known, unsigned n, struct epilogue *e)
{
	struct pointer p = { .e = { .base = ARCH_SP } };
	uintptr_t at = pc, until = 0;
	enum flow_kind kind = FLOW_NEXT;

	for (unsigned count = 0; count < INSTRUCTIONS_MAX && kind != FLOW_RETURN; count++) {
		const uintptr_t here = at;
		struct epilogue *met = until ? NULL : entry_from(known, n, at);

		if (met) {
			met->from = pc;
			return met;
		}
		if (!read_one(code, &at, &p, &kind))
			break;
		if (!until && (is_moved(&p) || kind == FLOW_JUMP || kind == FLOW_RETURN))
			until = here + 1;
	}
	*e = p.e;
	e->from = pc;
	e->until = until ? until : pc + 1;
	e->known = kind == FLOW_RETURN && !p.lost;
	return NULL;
}

/* Behind a return, code goes on that was reached by a branch: most often from where the frame is
   complete. */
static void after_return(struct pointer *p, struct pointer *lowest, enum flow_kind kind)
{
	if (kind == FLOW_RETURN)
		*p = *lowest;
	else if (!p->lost && p->e.base == ARCH_SP && !p->e.loads && p->e.after <= lowest->e.after)
		*lowest = *p;
}

bool epilogue_depth(const struct callsite_code *code, uintptr_t entry, uintptr_t pc,
		    uintptr_t *least, uintptr_t *most)
{
	struct pointer p = { .e = { .base = ARCH_SP }, .down = true }, lowest = p;
	uintptr_t at = entry;
	enum flow_kind kind;

	for (unsigned n = 0; n < INSTRUCTIONS_MAX && at < pc; n++) {
		if (!read_one(code, &at, &p, &kind))
			return false;
		after_return(&p, &lowest, kind);
	}
	if (at != pc || p.lost || p.e.base != ARCH_SP || p.e.loads || p.e.after > 0)
		return false;
	*least = (uintptr_t)-p.e.after;
	*most = *least + p.slack;
	return true;
}

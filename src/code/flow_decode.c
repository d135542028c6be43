/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flow_decode.c - the decoder of the code's machine, and calls and jumps through slots of the
 * global offset table, which compilers make of calls of other objects' functions (gcc
 * -fno-plt).
 */
#include "config.h"

#include <elf.h>
#include <string.h>

#include "src/code/callsite_code.h"
#include "src/code/flow.h"

enum { ARM_LOADED_WITHIN = 16 }; /* instructions */

/* ---- x86-64: call [rip + disp], jmp [rip + disp] --------------------- */

static bool x86_slot(const struct callsite_code *c, uint64_t address, const struct flow_insn *i,
		     uint64_t *slot)
{
	const unsigned char *p = i->bytes < 6 ? NULL : c->at(c->self, address, i->bytes);
	int32_t distance;

	if (!p)
		return false;
	p += i->bytes - 6;
	if (p[0] != 0xff || (p[1] != 0x15 && p[1] != 0x25))
		return false;
	memcpy(&distance, p + 2, sizeof(distance));
	*slot = address + i->bytes + (uint64_t)(int64_t)distance;
	return true;
}

/* ---- AArch64: adrp xM, page; ldr xN, [xM, #offset]; blr or br xN ----- */

static bool arm_insn(const struct callsite_code *c, uint64_t address, uint32_t *insn)
{
	const unsigned char *p = c->at(c->self, address, sizeof(*insn));

	if (p)
		memcpy(insn, p, sizeof(*insn));
	return p;
}

/* The last instruction before *at, on the straight way there, that has reg as its first
   operand, or might change it otherwise.  *at: its address. */
static bool arm_loads(const struct callsite_code *c, uint64_t *at, unsigned reg, uint32_t *insn)
{
	for (int n = 0; n < ARM_LOADED_WITHIN && *at >= 4; n++) {
		struct flow_insn i;

		*at -= 4;
		if (!arm_insn(c, *at, insn) || !flow_decode_aarch64(c, *at, &i))
			return false;
		/* Calls leave x19 to x28 as they are. */
		if (i.kind != FLOW_NEXT &&
		    ((i.kind != FLOW_CALL && i.kind != FLOW_INDIRECT_CALL) || reg < 19 || reg > 28))
			return false;
		/* The second register of a pair. */
		if ((*insn & 0x3a000000) == 0x28000000 && (*insn >> 10 & 31) == reg)
			return false;
		if (i.kind == FLOW_NEXT && (*insn & 31) == reg)
			return true;
	}
	return false;
}

static bool arm_slot(const struct callsite_code *c, uint64_t address, uint64_t *slot)
{
	uint64_t at = address;
	uint32_t branch, load, page;
	int64_t pages;

	if (!arm_insn(c, address, &branch) || (branch & 0xffdffc1f) != 0xd61f0000 ||
	    !arm_loads(c, &at, branch >> 5 & 31, &load) || (load & 0xffc00000) != 0xf9400000 ||
	    !arm_loads(c, &at, load >> 5 & 31, &page) || (page & 0x9f000000) != 0x90000000)
		return false;
	pages = (int64_t)((page >> 5 & 0x7ffff) << 2 | (page >> 29 & 3));
	if (pages & 1 << 20)
		pages -= 1 << 21;
	*slot = (at & ~UINT64_C(0xfff)) + (uint64_t)(pages * 4096) + (load >> 10 & 0xfff) * 8;
	return true;
}

/* ---------------------------------------------------------------------- */

/* An indirect call or jump that always leads to one function is as a direct one. */
static void name_target(const struct callsite_code *c, uint64_t address, struct flow_insn *i)
{
	uint64_t slot, target;

	if (c->machine == EM_X86_64 ? !x86_slot(c, address, i, &slot) :
				      !arm_slot(c, address, &slot))
		return;
	if (!c->slot(c->self, slot, &target))
		return;
	i->kind = i->kind == FLOW_INDIRECT_CALL ? FLOW_CALL : FLOW_JUMP;
	i->target = target;
}

bool flow_decode(const struct callsite_code *c, uint64_t address, struct flow_insn *i)
{
	bool known = false;

	switch (c->machine) {
	case EM_X86_64: known = flow_decode_x86_64(c, address, i); break;
	case EM_AARCH64: known = flow_decode_aarch64(c, address, i); break;
	case EM_RISCV: return flow_decode_riscv64(c, address, i);
	}
	if (known && c->slot && (i->kind == FLOW_INDIRECT_CALL || i->kind == FLOW_INDIRECT_JUMP))
		name_target(c, address, i);
	return known;
}

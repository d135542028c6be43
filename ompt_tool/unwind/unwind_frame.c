/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/unwind/unwind_frame.h"

#include <errno.h>
#include <stddef.h>

#include "ompt_tool/unwind/cfi.h"
#include "ompt_tool/unwind/object.h"
#include "ompt_tool/unwind/pages.h"

/* ---- the stack -------------------------------------------------------- */

bool stack_has(const struct unwind_stack *s, uintptr_t at, uintptr_t bytes)
{
	return (at >= s->lo && at < s->hi && s->hi - at >= bytes) ||
	       (at >= s->alt_lo && at < s->alt_hi && s->alt_hi - at >= bytes) ||
	       (s->pages && at >= s->lo && pages_have(s->pages, at, bytes));
}

static bool read_stack(const void *arg, uintptr_t at, unsigned bytes, uint64_t *value)
{
	if (at % bytes || !stack_has(arg, at, bytes))
		return false;
	*value = bytes == 8 ? *(const uint64_t *)at :
		 bytes == 4 ? *(const uint32_t *)at :
		 bytes == 2 ? *(const uint16_t *)at :
			      *(const uint8_t *)at;
	return true;
}

static bool on_alternate(const struct unwind_stack *s, uintptr_t sp)
{
	return sp >= s->alt_lo && sp < s->alt_hi;
}

/* A walk goes to higher addresses, or once off the alternate stack. A function that has
   not used the stack has its return address in a register. */
enum unwind_step frame_check(const struct frame *f, struct frame *to, const struct unwind_stack *s)
{
	uintptr_t sp = f->reg[ARCH_SP], next = to->reg[ARCH_SP];

	to->crossed = on_alternate(s, sp) && !on_alternate(s, next);
	to->still = next == sp;
	if (next > sp || (to->still && !to->exact && !to->pc_slot))
		return UNWIND_OK;
	return to->crossed && to->exact ? UNWIND_OK : UNWIND_BOUNDS;
}

/* ---- by the rules ----------------------------------------------------- */

static void read_row(const struct object *o, uintptr_t pc, bool exact, struct rules *r)
{
	const struct object_text *text = object_text_of(o, r->fde.begin);
	uintptr_t at = rules_address(pc, exact);

	if (at < r->fde.begin)
		at = pc;
	r->found = !cfi_rules(&r->tables, &r->fde, at, &r->row);
	if (r->found && cfi_is_empty(&r->fde) && text && object_text_of(o, at + 3) == text)
		prologue_rules(r->fde.begin, at, &r->row);
}

static void set_tables(const struct object *o, struct rules *r)
{
	r->tables = (struct cfi_tables){ o->eh_lo, o->eh_hi, o->eh_hdr };
	r->found = false;
}

/* Code that is returned to but never called (a signal trampoline) begins right at the
   return address: the instruction before it is another function's, or none. */
void rules_find(const struct object *o, uintptr_t pc, bool exact, struct rules *r)
{
	set_tables(o, r);
	if (!o->eh_hdr)
		return;
	if (!cfi_find(&r->tables, rules_address(pc, exact), &r->fde) ||
	    (!exact && !cfi_find(&r->tables, pc, &r->fde) && r->fde.begin == pc))
		read_row(o, pc, exact, r);
}

void rules_read(const struct object *o, uintptr_t fde, uintptr_t pc, bool exact, struct rules *r)
{
	set_tables(o, r);
	if (!cfi_parse(&r->tables, fde, &r->fde))
		read_row(o, pc, exact, r);
}

static int find_cfa(const struct rules *r, const struct cfi_machine *m, uintptr_t *cfa)
{
	if (r->row.cfa_expression)
		return cfi_evaluate(&r->tables, (uintptr_t)r->row.cfa_value, NULL, m, cfa);
	if (!(m->known >> r->row.cfa_register & 1))
		return -ENODATA;
	*cfa = m->reg[r->row.cfa_register] + (uintptr_t)r->row.cfa_value;
	return 0;
}

static int load(const struct cfi_machine *m, uintptr_t slot, uintptr_t *value)
{
	if (!stack_has_word(m->arg, slot))
		return -EFAULT;
	*value = stack_word(slot);
	return 0;
}

static int copy_register(const struct cfi_machine *m, uint64_t from, uintptr_t *value)
{
	if (from >= ARCH_COLUMNS || !(m->known >> from & 1))
		return -ENODATA;
	*value = m->reg[from];
	return 0;
}

/* Finds the caller's value of register n; *slot: where it was loaded from, else 0. 0,
   -ENODATA when it can't be known, -EFAULT, -EINVAL. */
static int find_register(const struct rules *r, unsigned n, const struct cfi_machine *m,
			 uintptr_t cfa, uintptr_t *value, uintptr_t *slot)
{
	uintptr_t offset = (uintptr_t)r->row.value[n];
	int err;

	*slot = 0;
	switch (r->row.how[n]) {
	case CFI_UNSPECIFIED:
		/* Without a rule the register keeps its value, as handwritten rules
		   assume: a leaf's caller may have its return address in any register. */
		if (n == ARCH_SP) {
			*value = cfa;
			return 0;
		}
		return n == ARCH_PC ? -ENODATA : copy_register(m, n, value);
	case CFI_SAME: return copy_register(m, n, value);
	case CFI_REGISTER: return copy_register(m, offset, value);
	case CFI_OFFSET: *slot = cfa + offset; return load(m, *slot, value);
	case CFI_VAL_OFFSET: *value = cfa + offset; return 0;
	case CFI_EXPRESSION:
		err = cfi_evaluate(&r->tables, offset, &cfa, m, slot);
		return err ? err : load(m, *slot, value);
	case CFI_VAL_EXPRESSION: return cfi_evaluate(&r->tables, offset, &cfa, m, value);
	default: return -ENODATA;
	}
}

bool rules_are_plain(const struct rules *r)
{
	const struct cfi_row *row = &r->row;
	uint8_t fp = row->how[ARCH_FP];

	return !r->fde.signal && !row->cfa_expression &&
	       (row->cfa_register == ARCH_SP || row->cfa_register == ARCH_FP) &&
	       row->how[ARCH_SP] == CFI_UNSPECIFIED && row->how[r->fde.ra_column] == CFI_OFFSET &&
	       (fp == CFI_UNSPECIFIED || fp == CFI_SAME || fp == CFI_OFFSET);
}

/* All registers by their rules.  0, -ENODATA (one that matters isn't known),
   -EFAULT or -EINVAL. */
static int follow(const struct rules *r, const struct frame *f, struct frame *to,
		  const struct unwind_stack *stack)
{
	const struct cfi_machine m = { f->reg, f->known, read_stack, stack };
	unsigned ra = r->fde.ra_column;
	uintptr_t slot;
	int err = find_cfa(r, &m, &to->cfa);

	if (err)
		return err;
	to->known = 0;
	for (unsigned n = 0; n < ARCH_COLUMNS; n++) {
		err = find_register(r, n, &m, to->cfa, &to->reg[n], &slot);
		if (!err)
			to->known |= UINT64_C(1) << n;
		else if (n == ra || n == ARCH_SP ||
			 (n == ARCH_FP && r->row.how[n] != CFI_UNDEFINED))
			return err;
		if (n == ra)
			to->pc_slot = slot;
		if (n == ARCH_FP)
			to->fp_slot = slot;
	}
	to->reg[ARCH_PC] = arch_strip(to->reg[ra]);
	to->known |= UINT64_C(1) << ARCH_PC;
	if (ra != ARCH_PC && !r->fde.signal)
		to->known &= ~(UINT64_C(1) << ra);
	to->exact = r->fde.signal;
	to->guessed = false;
	to->plain = rules_are_plain(r);
	return 0;
}

/* ---- signal frames without rules --------------------------------------- */

static bool find_sigreturn(const struct object *o, const struct frame *f, uintptr_t *ucontext)
{
	uintptr_t pc = f->reg[ARCH_PC];
	const struct object_text *text = object_text_of(o, pc);

	return text &&
	       arch_sigreturn(pc, text->start + text->bytes - pc, f->reg[ARCH_SP], ucontext);
}

/* ---- a step with all registers ---------------------------------------- */

enum unwind_step frame_step(const struct object *o, const struct rules *r, const struct frame *f,
			    struct frame *to, const struct unwind_stack *stack, bool *missing)
{
	uintptr_t ucontext;
	int err;

	*missing = false;
	if (o && !r->found && find_sigreturn(o, f, &ucontext)) {
		if (ucontext % sizeof(uintptr_t) ||
		    !stack_has(stack, ucontext, arch_ucontext_bytes))
			return UNWIND_BOUNDS;
		arch_registers((const void *)ucontext, to->reg);
		to->known = FRAME_ALL;
		to->exact = true;
		to->guessed = to->plain = false;
		to->pc_slot = to->fp_slot = 0;
		to->cfa = to->reg[ARCH_SP];
		return frame_check(f, to, stack);
	}
	if (!o || !r->found)
		return frame_step_guessed(o, f, to, stack);
	if (r->row.how[r->fde.ra_column] == CFI_UNDEFINED)
		return UNWIND_END;
	/* A function that has called another can't have its return address in the link register
	   still: such rules are an assembler's default. */
	if (ARCH_LINK >= 0 && !f->exact && r->row.how[r->fde.ra_column] == CFI_UNSPECIFIED)
		return frame_step_guessed(o, f, to, stack);
	err = follow(r, f, to, stack);
	if (err) {
		*missing = err == -ENODATA;
		return err == -EFAULT ? UNWIND_BOUNDS : UNWIND_NO_RULES;
	}
	if (!to->reg[ARCH_PC])
		return UNWIND_END;
	return frame_check(f, to, stack);
}

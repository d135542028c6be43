/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unwind_guess.c - steps outward where there are no rules: assembly without CFI,
 * linkers' stubs, code generated at run time. The result must look like a return
 * address, and is marked as guessed.
 */
#include "config.h"

#include "ompt_tool/unwind/object.h"
#include "ompt_tool/unwind/unwind_frame.h"

enum {
	NOT_CODE = 4096,   /* the first page is never mapped */
	ENTRY_BYTES = 128, /* as many as the C library's _start and _dl_start_user have */
};

static bool has_rules(const struct object *o, uintptr_t pc)
{
	struct rules r;

	rules_find(o, pc, false, &r);
	return r.found;
}

/* Whether pc can be a return address: after a call in a loaded object. Code outside of
   objects (generated at run time) may be called by code outside of objects. Where caller.h
   has searched already, callers with rules are none. */
static bool is_return_address(uintptr_t pc, bool from_object)
{
	const struct object *o = object_find(pc - 1);
	const struct object_text *text;

	if (!o)
		return !from_object && pc > NOT_CODE && arch_strip(pc) == pc;
	text = object_text_of(o, pc - 1);
	return text && arch_after_call(pc, pc - text->start) &&
	       (ARCH_LINK >= 0 || !has_rules(o, pc));
}

static enum unwind_step arrive(const struct frame *f, struct frame *to, uintptr_t pc, uintptr_t sp,
			       uintptr_t fp, const struct unwind_stack *stack)
{
	to->reg[ARCH_PC] = arch_strip(pc);
	to->reg[ARCH_SP] = to->cfa = sp;
	to->reg[ARCH_FP] = fp;
	to->exact = false;
	to->guessed = true;
	return frame_check(f, to, stack);
}

/*
 * Steps by the link register, which still holds the return address in linkers'
 * stubs and in leaf functions. A function without rules that has made its frame and
 * called another has another address in it, and has a frame record as well.
 */
static bool step_by_link(const struct frame *f, struct frame *to, const struct unwind_stack *stack,
			 enum unwind_step *result)
{
	uintptr_t pc;

	if (!arch_link(f->reg, &pc) || !is_return_address(pc, true) ||
	    !has_rules(object_find(pc - 1), pc))
		return false;
	/* The function has not made its frame: the registers are its caller's. */
	to->known = f->known | FRAME_BASIC;
	for (unsigned n = 0; n < ARCH_COLUMNS; n++)
		to->reg[n] = f->reg[n];
	to->pc_slot = to->fp_slot = 0;
	to->plain = false;
	*result = arrive(f, to, pc, f->reg[ARCH_SP], f->reg[ARCH_FP], stack);
	return true;
}

/* Steps by the frame pointer, when it points to what can be a frame record. */
static enum unwind_step step_by_record(bool in_object, const struct frame *f, struct frame *to,
				       const struct unwind_stack *stack)
{
	uintptr_t sp = f->reg[ARCH_SP], fp = f->reg[ARCH_FP] - ARCH_FRAME_BELOW;
	uintptr_t slot = fp + sizeof(uintptr_t);

	/* AAPCS64, 6.4.6: the outermost frame has frame pointer 0. */
	if (ARCH_LINK >= 0 && f->known >> ARCH_FP & 1 && !f->reg[ARCH_FP])
		return UNWIND_END;
	if (!(f->known >> ARCH_FP & 1) || fp < sp || !stack_has_word(stack, fp) ||
	    !stack_has_word(stack, slot))
		return UNWIND_NO_RULES;
	if (!stack_word(slot))
		return UNWIND_END;
	if (!is_return_address(arch_strip(stack_word(slot)), in_object))
		return UNWIND_NO_RULES;
	to->known = FRAME_BASIC;
	to->pc_slot = slot;
	to->fp_slot = fp;
	to->plain = true;
	return arrive(f, to, stack_word(slot), slot + sizeof(uintptr_t), stack_word(fp), stack);
}

enum unwind_step frame_step_guessed(const struct object *o, const struct frame *f, struct frame *to,
				    const struct unwind_stack *stack)
{
	enum unwind_step result;

	if (f->exact && step_by_link(f, to, stack, &result))
		return result;
	result = step_by_record(o, f, to, stack);
	/* Code at the process's entry point has no caller, whatever the frame pointer holds. */
	return result == UNWIND_NO_RULES && (o && f->reg[ARCH_PC] - o->entry < ENTRY_BYTES) ?
		       UNWIND_END :
		       result;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A call may lead to a linkage stub, whose word in the object's data has the function, and to a
 * function that ends with a jump to the one in question.
 */
#include "config.h"

#include "ompt_tool/unwind/caller_parts.h"

#include "ompt_tool/unwind/object.h"
#include "ompt_tool/unwind/unwind_frame.h"

enum { JUMPS_MAX = 4 }; /* from function to function */

static bool is_in(const struct leads_to *to, uintptr_t target)
{
	return target >= to->lo && target < to->hi && (to->object || !object_find(target));
}

/* The word that a stub or an indirect call of o goes by. The loader has bound a stub by the time
   that what was called by it runs. */
static bool read_slot(const struct object *o, uintptr_t slot, uintptr_t *target)
{
	if (slot % sizeof(uintptr_t) != 0 || !object_has_data(o, slot))
		return false;
	*target = stack_word(slot);
	return true;
}

/* Whether the code at target is a stub of o that leads to the function. */
static enum leads by_stub(const struct object *o, uintptr_t target, const struct leads_to *to,
			  uintptr_t *entry)
{
	const struct object_text *text = object_text_of(o, target);
	uintptr_t slot;

	if (!text || !call_stub(target, text->start + text->bytes - target, &slot))
		return LEADS_NO_CALL;
	if (!read_slot(o, slot, entry))
		return LEADS_UNKNOWN;
	return is_in(to, *entry) ? LEADS_THERE : LEADS_ELSEWHERE;
}

static enum leads by_function(const struct object *o, uintptr_t target, struct leads_to *to,
			      uintptr_t *entry, unsigned depth);

/* Where one jump of a called function leads. Bytes that are no jump may look like one. */
static enum leads by_jump(const struct object *o, const struct call *jump, struct leads_to *to,
			  uintptr_t *entry, unsigned depth)
{
	enum leads stub;

	if (jump->forms & CALL_OTHER)
		return LEADS_UNKNOWN;
	if (jump->forms & CALL_SLOT) {
		if (!object_has_data(o, jump->slot))
			return LEADS_ELSEWHERE;
		return read_slot(o, jump->slot, entry) && is_in(to, *entry) ? LEADS_THERE :
									      LEADS_UNKNOWN;
	}
	*entry = jump->target;
	if (is_in(to, *entry))
		return LEADS_THERE;
	stub = by_stub(o, *entry, to, entry);
	return stub != LEADS_NO_CALL || depth == JUMPS_MAX ?
		       stub :
		       by_function(o, jump->target, to, entry, depth + 1);
}

/* Whether the function of o that begins at target jumps to the other one. */
static enum leads by_function(const struct object *o, uintptr_t target, struct leads_to *to,
			      uintptr_t *entry, unsigned depth)
{
	const struct object_text *text = object_text_of(o, target);
	enum leads most = LEADS_ELSEWHERE;
	struct rules r;
	uintptr_t end;

	if (!text || !to->jump_bytes)
		return LEADS_ELSEWHERE;
	rules_find(o, target, true, &r);
	if (!r.found || r.fde.begin != target || r.fde.end > text->start + text->bytes)
		return LEADS_ELSEWHERE;
	end = r.fde.end - target < to->jump_bytes ? r.fde.end : target + to->jump_bytes;
	to->jump_bytes -= (unsigned)(end - target);
	for (uintptr_t at = target; at < end && most != LEADS_THERE; at++) {
		struct call jump;
		enum leads one;

		call_jump(at, end - at, &jump);
		if (!jump.forms)
			continue;
		one = by_jump(o, &jump, to, entry, depth);
		most = one > most ? one : most;
	}
	return most;
}

static enum leads by_target(uintptr_t target, struct leads_to *to, uintptr_t *entry)
{
	const struct object *o;
	uintptr_t bound = target;
	enum leads stub;

	*entry = target;
	if (is_in(to, target))
		return LEADS_THERE;
	o = object_find(target);
	if (!o)
		return LEADS_ELSEWHERE;
	stub = by_stub(o, target, to, &bound);
	if (stub == LEADS_THERE || stub == LEADS_UNKNOWN) {
		*entry = bound;
		return stub;
	}
	if (stub == LEADS_ELSEWHERE) {
		target = bound;
		o = object_find(target);
		if (!o)
			return LEADS_UNKNOWN;
	}
	return by_function(o, target, to, entry, 1);
}

enum leads leads(const struct object *o, uintptr_t pc, struct leads_to *to, uintptr_t *entry)
{
	const struct object_text *text = object_text_of(o, pc - 1);
	uintptr_t target;
	struct call call;
	enum leads one;

	*entry = 0;
	if (!text)
		return LEADS_NO_CALL;
	call_before(pc, pc - text->start, &call);
	if (!call.forms)
		return LEADS_NO_CALL;
	/* The program may have changed a word that it calls by. */
	if (call.forms & CALL_SLOT && read_slot(o, call.slot, &target) &&
	    by_target(target, to, entry) == LEADS_THERE)
		return LEADS_THERE;
	one = call.forms & CALL_DIRECT ? by_target(call.target, to, entry) : LEADS_UNKNOWN;
	return one == LEADS_ELSEWHERE && call.forms != CALL_DIRECT ? LEADS_UNKNOWN : one;
}

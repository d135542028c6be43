/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/unwind/caller_parts.h"

#include "ompt_tool/unwind/object.h"
#include "ompt_tool/unwind/unwind_frame.h"

enum {
	FRAMES_ENOUGH = 8,
	FRAMES_MAX = 32, /* until one has saved the frame pointer */
	JUMP_BYTES = 8192,
};

enum verdict { GO_ON, HOLDS, FAILS };

static bool note(struct caller_found *f, uintptr_t slot)
{
	if (!slot)
		return true;
	if (f->words == CALLER_WORDS)
		return false;
	f->word[f->words].slot = slot;
	f->word[f->words++].value = stack_word(slot);
	return true;
}

/* Whether the frame's rules say that it is the outermost one. A word of zeros proves nothing. */
static bool is_outermost(const struct rules *r)
{
	return r->row.how[r->fde.ra_column] == CFI_UNDEFINED;
}

/* Whether the step from the frame with these rules to v's was right. *known: whether a call so
   far was known to lead to the function that it returns from. */
static enum verdict judge(const struct unwind_cursor *v, const struct object *callee,
			  const struct rules *r, bool *known, unsigned *jump_bytes)
{
	struct leads_to to = { callee, r->fde.begin, r->fde.end, *jump_bytes };
	const struct object *o;
	uintptr_t entry;
	enum leads l;

	if (v->exact)
		return HOLDS; /* a signal's frame */
	o = object_find(v->pc - 1);
	if (!o)
		return *known ? HOLDS : FAILS; /* code made at run time, or no code */
	l = leads(o, v->pc, &to, &entry);
	*jump_bytes = to.jump_bytes;
	*known |= l == LEADS_THERE;
	return l < LEADS_UNKNOWN ? FAILS : GO_ON;
}

/* After a step that failed, v->fp_used is true: the frame pointer may be why. */
static enum verdict step_out(struct caller_found *f, struct unwind_cursor *v,
			     struct unwind_cache *cache, const struct unwind_stack *stack,
			     bool *known, unsigned *jump_bytes)
{
	const struct object *o = object_find(v->pc - 1);
	const bool first = v->pc_slot == 0;
	enum unwind_step step;
	struct rules r;

	r.found = false;
	if (o)
		rules_find(o, v->pc, false, &r);
	if (!r.found)
		return *known && !first ? HOLDS : FAILS;
	v->fp_used = true;
	step = unwind_step(v, cache, stack);
	if (step == UNWIND_END)
		return *known || is_outermost(&r) ? HOLDS : FAILS;
	if (step != UNWIND_OK)
		return FAILS;
	if (!note(f, v->pc_slot) || !note(f, v->fp_slot))
		return HOLDS;
	return judge(v, o, &r, known, jump_bytes);
}

/* The frames so far depend on the words and the frame pointer that the walk began with. */
bool caller_chain_holds(struct caller_found *f, struct unwind_cache *cache,
			const struct unwind_stack *stack, bool known)
{
	enum verdict verdict = GO_ON;
	struct unwind_cursor v;
	unsigned jump_bytes = JUMP_BYTES;
	bool saved = false;

	unwind_begin_at(&v, f->pc, f->slot + sizeof(uintptr_t), f->fp);
	v.proving = true;
	f->words = 0;
	f->fp_matters = f->fp_used = false;
	note(f, f->slot);
	note(f, f->fp_slot);
	for (unsigned i = 0; i < FRAMES_MAX && verdict == GO_ON; i++) {
		verdict = step_out(f, &v, cache, stack, &known, &jump_bytes);
		f->fp_matters |= !saved && v.fp_used;
		saved |= v.fp_slot != 0;
		if (verdict == GO_ON && i + 1 >= FRAMES_ENOUGH && saved)
			return true;
	}
	return verdict != FAILS;
}

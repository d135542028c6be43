/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Nearly every frame of compiled code has rules of one simple form: the CFA is the
 * stack or frame pointer plus an offset, and the return address and frame pointer
 * were saved at offsets from it. Such rules fit into 48 bits and are cached by
 * address; a hit costs a few nanoseconds. The upper bits hold the object's number
 * (object.h): another library at the same address has another number, so the rules
 * of an unloaded one never match.
 *
 * All other frames take the general way through the tables, with all registers. The
 * simple steps do not track registers other than pc, sp and fp. When a general rule
 * needs one, the frames up to here are stepped through again, from the registers
 * that the walk began with (or that a signal frame held).
 */
#include "config.h"

#include "ompt_tool/unwind/unwind.h"

#include <stddef.h>

#include "ompt_tool/unwind/caller.h"
#include "ompt_tool/unwind/object.h"
#include "ompt_tool/unwind/unwind_frame.h"

/* packed: number << 48 | fp << 33 | frame << 18 | ra << 3 | kind, in words:
   the return address is at base + ra, the CFA at that + frame (1 at least), the
   frame pointer at CFA - fp (0: not saved).  The base is the stack pointer, or
   the frame pointer in a RULE_FP. */
enum rule_kind {
	RULE_SP = 0,
	RULE_FP = 1,
	RULE_OTHER = 2,	  /* a bit that is set in all kinds but simple ones: */
	RULE_GENERAL = 2, /* bits 3..47: the FDE, from its segment's start */
	RULE_END = 3,	  /* the outermost frame */
	RULE_GUESS = 6,	  /* no rules in the tables */
	RULE_LEAF = 7,	  /* bits 3..17: CFA - sp; the link register holds
				   the return address */
	RULE_KIND_BITS = 3,
	OFFSET_BITS = 15,
	NUMBER_SHIFT = 48,
};

enum { STILL_MAX = 8 }; /* steps in a walk that use no stack */

#define KIND_MASK ((UINT64_C(1) << RULE_KIND_BITS) - 1)
#define OFFSET_MASK ((UINT64_C(1) << OFFSET_BITS) - 1)
#define PLACE_MASK ((UINT64_C(1) << (NUMBER_SHIFT - RULE_KIND_BITS)) - 1)
#define WORD sizeof(uintptr_t)
#define unlikely(condition) __builtin_expect(condition, 0)

_Static_assert((int)ARCH_COLUMNS <= (int)UNWIND_REGS, "registers of a cursor");
_Static_assert(OBJECT_MAX <= 1 << (64 - NUMBER_SHIFT), "object numbers in a rule");

/* ---- registers of the walk ---------------------------------------------- */

static void take_registers(struct unwind_cursor *c)
{
	if (c->ucontext)
		arch_registers(c->ucontext, c->reg);
	c->ucontext = NULL;
}

static void frame_at_base(struct unwind_cursor *c, struct frame *f)
{
	take_registers(c);
	f->exact = c->reg_exact;
	f->known = c->known;
	for (unsigned n = 0; n < ARCH_COLUMNS; n++)
		f->reg[n] = c->reg[n];
}

/* The cursor's frame, with the registers that are known without a replay. */
static void frame_here(struct unwind_cursor *c, struct frame *f)
{
	if (!c->steps) {
		frame_at_base(c, f);
		return;
	}
	f->exact = c->exact;
	f->known = FRAME_BASIC;
	f->reg[ARCH_PC] = c->pc;
	f->reg[ARCH_SP] = c->sp;
	f->reg[ARCH_FP] = c->fp;
}

static void set_base(struct unwind_cursor *c, const struct frame *f)
{
	c->steps = 0;
	c->ucontext = NULL;
	c->reg_exact = f->exact;
	c->known = f->known;
	for (unsigned n = 0; n < ARCH_COLUMNS; n++)
		c->reg[n] = f->reg[n];
}

/* Steps from the base to the cursor's frame with all registers, and makes that frame
   the new base. */
static bool replay(struct unwind_cursor *c, struct frame *f, const struct unwind_stack *stack)
{
	struct frame next;
	struct rules r;
	bool missing;

	frame_at_base(c, f);
	for (uint32_t i = 0; i < c->steps; i++) {
		uintptr_t pc = f->reg[ARCH_PC];
		const struct object *o = object_find(rules_address(pc, f->exact));

		if (o)
			rules_find(o, pc, f->exact, &r);
		if (frame_step(o, &r, f, &next, stack, &missing) != UNWIND_OK)
			return false;
		f->exact = next.exact;
		f->known = next.known;
		for (unsigned n = 0; n < ARCH_COLUMNS; n++)
			f->reg[n] = next.reg[n];
	}
	if (f->reg[ARCH_PC] != c->pc || f->reg[ARCH_SP] != c->sp)
		return false;
	set_base(c, f);
	return true;
}

static enum unwind_step step_general(struct unwind_cursor *c, struct unwind_cache *cache,
				     const struct rules *r, const struct unwind_stack *stack)
{
	const struct object *o = c->object;
	enum unwind_step s, searched = UNWIND_NO_RULES;
	struct frame f, to;
	bool missing;

	if (!o || !r->found)
		searched = caller_find(c, cache, stack);
	if (searched == UNWIND_OK)
		return UNWIND_OK;
	frame_here(c, &f);
	s = frame_step(o, r, &f, &to, stack, &missing);
	if (missing && c->steps && replay(c, &f, stack))
		s = frame_step(o, r, &f, &to, stack, &missing);
	if (s != UNWIND_OK)
		return s == UNWIND_NO_RULES ? searched : s;
	if ((to.crossed && c->left_alternate) || (to.still && c->still == STILL_MAX))
		return UNWIND_BOUNDS;
	c->pc = to.reg[ARCH_PC];
	c->sp = to.reg[ARCH_SP];
	c->fp = to.known >> ARCH_FP & 1 ? to.reg[ARCH_FP] : 0;
	c->exact = to.exact;
	c->guessed = to.guessed;
	c->plain = to.plain;
	c->fp_used = true; /* may be false: the general way does not know */
	c->pc_slot = to.pc_slot;
	c->fp_slot = to.fp_slot;
	c->cfa = to.cfa;
	c->left_alternate |= to.crossed;
	c->still += to.still;
	if (to.exact)
		set_base(c, &to);
	else
		c->steps++;
	return UNWIND_OK;
}

/* ---- the cache --------------------------------------------------------- */

static uint64_t pack_place(const struct object *o, enum rule_kind kind, uintptr_t fde)
{
	return (uint64_t)o->number << NUMBER_SHIFT |
	       ((fde - o->eh_lo) & PLACE_MASK) << RULE_KIND_BITS | kind;
}

/* Packs an offset in words; false when it doesn't fit. */
static bool pack_offset(uint64_t offset, uint64_t *packed)
{
	*packed = offset / WORD;
	return offset % WORD == 0 && *packed <= OFFSET_MASK;
}

static bool pack_simple(const struct rules *r, uint64_t *packed)
{
	const struct cfi_row *row = &r->row;
	uint64_t down = 0 - (uint64_t)row->value[r->fde.ra_column];
	uint64_t ra, frame, fp = 0;

	if (!rules_are_plain(r) || !pack_offset((uint64_t)row->cfa_value - down, &ra) ||
	    !pack_offset(down, &frame) || !frame)
		return false;
	if (row->how[ARCH_FP] == CFI_OFFSET &&
	    (!pack_offset(0 - (uint64_t)row->value[ARCH_FP], &fp) || !fp))
		return false;
	*packed = fp << (RULE_KIND_BITS + 2 * OFFSET_BITS) |
		  frame << (RULE_KIND_BITS + OFFSET_BITS) | ra << RULE_KIND_BITS |
		  (row->cfa_register == ARCH_SP ? RULE_SP : RULE_FP);
	return true;
}

/* The rule of a function that has not saved the link register (yet), nor anything else. */
static bool pack_leaf(const struct rules *r, uint64_t *packed)
{
	const struct cfi_row *row = &r->row;
	uint64_t up;

	if (ARCH_LINK < 0 || r->fde.signal || row->cfa_expression || row->cfa_register != ARCH_SP ||
	    row->how[ARCH_SP] != CFI_UNSPECIFIED || row->how[ARCH_FP] != CFI_UNSPECIFIED ||
	    row->how[r->fde.ra_column] != CFI_UNSPECIFIED ||
	    !pack_offset((uint64_t)row->cfa_value, &up))
		return false;
	*packed = up << RULE_KIND_BITS | RULE_LEAF;
	return true;
}

static uint64_t pack(const struct object *o, const struct rules *r)
{
	uint64_t packed;

	if (!r->found)
		return pack_place(o, RULE_GUESS, o->eh_lo);
	if (r->row.how[r->fde.ra_column] == CFI_UNDEFINED)
		return pack_place(o, RULE_END, o->eh_lo);
	if (!pack_simple(r, &packed) && !pack_leaf(r, &packed))
		return pack_place(o, RULE_GENERAL, r->fde.address);
	return (uint64_t)o->number << NUMBER_SHIFT | packed;
}

static inline uintptr_t unpack(uint64_t packed, unsigned index)
{
	return packed >> (index * OFFSET_BITS) & OFFSET_MASK << RULE_KIND_BITS;
}

_Static_assert(1 << RULE_KIND_BITS == sizeof(uintptr_t), "unpack() yields bytes");

/* The first of the two entries that a PC's rule may be in. */
static inline struct unwind_rule *cached(struct unwind_cache *cache, uintptr_t pc)
{
	uintptr_t words = pc % (UNWIND_CACHE_ENTRIES * 2) & ~UINT64_C(3);

	return (struct unwind_rule *)((uint64_t *)cache + words);
}

static inline bool is_rule_of(const struct unwind_rule *rule, uintptr_t at, const struct object *o)
{
	return rule->pc == at && rule->packed >> NUMBER_SHIFT == o->number;
}

/* ---- the step ---------------------------------------------------------- */

/* The slots that a simple rule reads. */
struct slots {
	uintptr_t pc, fp, cfa; /* fp == cfa: the caller's was not saved */
};

static inline struct slots slots_of(const struct unwind_cursor *c, uint64_t packed)
{
	struct slots s;

	s.pc = (packed & RULE_FP ? c->fp : c->sp) + unpack(packed, 0);
	s.cfa = s.pc + unpack(packed, 1);
	s.fp = s.cfa - unpack(packed, 2);
	return s;
}

/* Steps by slots that are known to be readable. */
static inline __attribute__((always_inline)) enum unwind_step
step_to(struct unwind_cursor *c, uint64_t packed, const struct slots *s)
{
	uintptr_t pc = arch_strip(stack_word(s->pc));

	if (unlikely(!pc))
		return UNWIND_END;
	if (s->fp != s->cfa) {
		c->fp = stack_word(s->fp);
		c->fp_slot = s->fp;
	} else {
		c->fp_slot = 0;
	}
	c->pc = pc;
	c->sp = c->cfa = s->cfa;
	c->pc_slot = s->pc;
	c->exact = c->guessed = false;
	c->plain = true;
	c->fp_used = (packed & RULE_FP) != 0;
	c->steps++;
	return UNWIND_OK;
}

/* Steps where a slot lies in pages that have to be tested. The old frame pointer's slot
   is not tested where there is no caller. */
static __attribute__((noinline)) enum unwind_step
step_asking(struct unwind_cursor *c, uint64_t packed, const struct unwind_stack *stack)
{
	const struct slots s = slots_of(c, packed);

	if (!stack_has_word(stack, s.pc) || s.cfa <= c->sp)
		return UNWIND_BOUNDS;
	if (!arch_strip(stack_word(s.pc)))
		return UNWIND_END;
	if (s.fp != s.cfa && !stack_has_word(stack, s.fp))
		return UNWIND_BOUNDS;
	return step_to(c, packed, &s);
}

/* Both slots are whole words below the CFA. This function calls none, so it saves no
   registers: step_asking() tests pages. */
static inline __attribute__((always_inline)) enum unwind_step
step_simple(struct unwind_cursor *c, uint64_t packed, const struct unwind_stack *stack)
{
	const struct slots s = slots_of(c, packed);
	const uintptr_t lo = stack->lo;

	if (unlikely(s.cfa % WORD != 0 || s.cfa <= c->sp || s.cfa > stack->hi || s.pc < lo ||
		     s.pc >= s.cfa || s.fp - lo > s.cfa - lo))
		return step_asking(c, packed, stack);
	return step_to(c, packed, &s);
}

/* Only an interrupted function can still have its return address in a register. */
static enum unwind_step step_leaf(struct unwind_cursor *c, uint64_t packed)
{
	uintptr_t pc;

	take_registers(c);
	if (!arch_link(c->reg, &pc) || !pc)
		return UNWIND_END;
	if (c->still == STILL_MAX)
		return UNWIND_BOUNDS;
	c->pc = pc;
	c->sp = c->cfa = c->sp + unpack(packed, 0);
	c->pc_slot = c->fp_slot = 0;
	c->exact = c->guessed = c->plain = c->fp_used = false;
	c->still++;
	c->steps++;
	return UNWIND_OK;
}

static __attribute__((noinline)) enum unwind_step step_miss(struct unwind_cursor *c,
							    struct unwind_rule *rule,
							    struct unwind_cache *cache,
							    const struct unwind_stack *stack)
{
	struct rules r;

	rules_find(c->object, c->pc, c->exact, &r);
	rule[1] = rule[0];
	rule->pc = rules_address(c->pc, c->exact);
	rule->packed = pack(c->object, &r);
	return rule->packed & RULE_OTHER ? step_general(c, cache, &r, stack) :
					   step_simple(c, rule->packed, stack);
}

/* Steps by a rule that isn't simple; the cache holds the place of its entry at most. */
static __attribute__((noinline)) enum unwind_step step_other(struct unwind_cursor *c,
							     uint64_t packed,
							     struct unwind_cache *cache,
							     const struct unwind_stack *stack)
{
	const struct object *o = c->object;
	struct rules r;

	r.found = false;
	if ((packed & KIND_MASK) == RULE_END)
		return UNWIND_END;
	if ((packed & KIND_MASK) == RULE_LEAF) {
		if (c->exact)
			return step_leaf(c, packed);
		rules_find(o, c->pc, c->exact, &r);
	}
	if ((packed & KIND_MASK) == RULE_GENERAL)
		rules_read(o, o->eh_lo + (packed >> RULE_KIND_BITS & PLACE_MASK), c->pc, c->exact,
			   &r);
	return step_general(c, cache, &r, stack);
}

static inline __attribute__((always_inline)) enum unwind_step
step_in_object(struct unwind_cursor *c, struct unwind_cache *cache,
	       const struct unwind_stack *stack)
{
	struct unwind_rule *rule = cached(cache, c->pc);
	uintptr_t at = rules_address(c->pc, c->exact);

	if (unlikely(!is_rule_of(rule, at, c->object)) && !is_rule_of(++rule, at, c->object))
		return step_miss(c, rule - 1, cache, stack);
	if (unlikely(rule->packed & RULE_OTHER))
		return step_other(c, rule->packed, cache, stack);
	return step_simple(c, rule->packed, stack);
}

static inline bool lies_in(const struct object *o, uintptr_t at)
{
	return o && at - o->start < o->bytes;
}

/* Finds the object first. Objects that a walk has met stay loaded while it lasts: their
   frames are on the stack. */
static __attribute__((noinline)) enum unwind_step step_elsewhere(struct unwind_cursor *c,
								 struct unwind_cache *cache,
								 const struct unwind_stack *stack)
{
	uintptr_t at = rules_address(c->pc, c->exact);
	struct object *before = c->object;

	c->object = lies_in(c->other, at) ? c->other : object_find(at);
	if (before)
		c->other = before;
	if (!c->object)
		return step_other(c, RULE_GUESS, cache, stack);
	return step_in_object(c, cache, stack);
}

enum unwind_step unwind_step(struct unwind_cursor *c, struct unwind_cache *cache,
			     const struct unwind_stack *stack)
{
	if (unlikely(!lies_in(c->object, rules_address(c->pc, c->exact))))
		return step_elsewhere(c, cache, stack);
	return step_in_object(c, cache, stack);
}

/* ---- beginnings -------------------------------------------------------- */

static inline void begin(struct unwind_cursor *c)
{
	c->guessed = c->plain = c->proving = c->left_alternate = false;
	c->pc_slot = c->fp_slot = c->cfa = 0;
	c->steps = c->still = 0;
	c->object = c->other = NULL;
}

void unwind_begin_ucontext(struct unwind_cursor *c, const void *ucontext)
{
	arch_place(ucontext, &c->pc, &c->sp, &c->fp);
	c->ucontext = ucontext;
	c->known = FRAME_ALL;
	c->exact = c->reg_exact = true;
	begin(c);
}

void unwind_begin_at(struct unwind_cursor *c, uintptr_t pc, uintptr_t sp, uintptr_t fp)
{
	c->pc = c->reg[ARCH_PC] = pc;
	c->sp = c->reg[ARCH_SP] = sp;
	c->fp = c->reg[ARCH_FP] = fp;
	c->ucontext = NULL;
	c->known = FRAME_BASIC;
	c->exact = c->reg_exact = false;
	begin(c);
}

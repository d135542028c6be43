/*
 * unwind.c - one frame outward.
 *
 * Nearly every frame of compiled code has rules of one simple form: the CFA is
 * the stack or frame pointer plus an offset, and return address and frame
 * pointer were saved at offsets from it.  Such rules fit into 48 bits and are
 * kept in the cache, by address; a hit costs a few nanoseconds.  The upper bits
 * name the object (object.h): another library at the same address has another
 * number, so that rules of one that is gone never match.
 *
 * All else goes the general way through the tables, with all registers.  What
 * a general rule needs beside pc, sp and fp isn't tracked by the simple steps:
 * when it is needed, the frames up to here are stepped through once more from
 * the registers that the walk began with (or those that a signal frame gave).
 */
#include "config.h"

#include <errno.h>
#include <stddef.h>

#include "ompt_tool/core/arch.h"
#include "ompt_tool/core/cfi.h"
#include "ompt_tool/core/object.h"
#include "ompt_tool/core/prologue.h"
#include "ompt_tool/core/unwind.h"

/* packed: number << 48 | fp << 33 | frame << 18 | ra << 3 | kind, in words:
   the return address is at base + ra, the CFA at that + frame (1 at least), the
   frame pointer at CFA - fp (0: not saved).  The base is the stack pointer, or
   the frame pointer in a RULE_FP. */
enum rule_kind {
	RULE_SP = 0,
	RULE_FP = 1,
	RULE_OTHER = 2,		/* a bit that those that aren't simple have: */
	RULE_GENERAL = 2,	/* bits 3..47: the FDE, from the object's start */
	RULE_END = 3,		/* the outermost frame */
	RULE_GUESS = 6,		/* no rules in the tables */
	RULE_KIND_BITS = 3,
	OFFSET_BITS = 15,
	NUMBER_SHIFT = 48,
};

#define KIND_MASK ((UINT64_C(1) << RULE_KIND_BITS) - 1)
#define OFFSET_MASK ((UINT64_C(1) << OFFSET_BITS) - 1)
#define PLACE_MASK ((UINT64_C(1) << (NUMBER_SHIFT - RULE_KIND_BITS)) - 1)
#define WORD sizeof(uintptr_t)
#define unlikely(condition) __builtin_expect(condition, 0)

_Static_assert((int)ARCH_COLUMNS <= (int)UNWIND_REGS, "registers of a cursor");
_Static_assert(OBJECT_MAX <= 1 << (64 - NUMBER_SHIFT), "object numbers in a rule");

/* A frame with its registers, and how the step to it went. */
struct frame {
	uint32_t steps;		/* from a frame that is exact; not of a caller */
	bool exact, guessed, plain;
	bool crossed;		/* off the alternate stack */
	uintptr_t pc_slot, fp_slot, cfa;
	uint64_t known;
	uintptr_t reg[ARCH_COLUMNS];
};

/* What the tables say of one address. */
struct rules {
	struct cfi_tables tables;
	struct cfi_fde fde;
	struct cfi_row row;
	bool found;
};

/* ---- the stack -------------------------------------------------------- */

static bool readable(const struct unwind_stack *s, uintptr_t at, uintptr_t bytes)
{
	return (at >= s->lo && at < s->hi && s->hi - at >= bytes) ||
	       (at >= s->alt_lo && at < s->alt_hi && s->alt_hi - at >= bytes);
}

static inline bool has_word(const struct unwind_stack *s, uintptr_t at)
{
	if (unlikely(at % WORD))
		return false;
	if (unlikely(at < s->lo || at >= s->hi))
		return at >= s->alt_lo && at < s->alt_hi && s->alt_hi - at >= WORD;
	return s->hi - at >= WORD;
}

static inline uintptr_t word_at(uintptr_t at)
{
	return *(const uintptr_t *)at;
}

static bool read_stack(const void *arg, uintptr_t at, unsigned bytes, uint64_t *value)
{
	if (at % bytes || !readable(arg, at, bytes))
		return false;
	*value = bytes == 8 ? *(const uint64_t *)at : bytes == 4 ? *(const uint32_t *)at :
		 bytes == 2 ? *(const uint16_t *)at : *(const uint8_t *)at;
	return true;
}

static bool on_alternate(const struct unwind_stack *s, uintptr_t sp)
{
	return sp >= s->alt_lo && sp < s->alt_hi;
}

/* A walk goes upward, or once off the alternate stack.  A function that was
   interrupted may not have touched the stack yet, nor its caller, if that keeps
   its return address in a register. */
static enum unwind_step check_direction(const struct frame *f, struct frame *to,
					const struct unwind_stack *s)
{
	uintptr_t sp = f->reg[ARCH_SP], next = to->reg[ARCH_SP];

	to->crossed = on_alternate(s, sp) && !on_alternate(s, next);
	if (next > sp || (next == sp && !to->exact &&
			  (f->exact || (!to->pc_slot && f->steps < 2))))
		return UNWIND_OK;
	return to->crossed && to->exact ? UNWIND_OK : UNWIND_BOUNDS;
}

/* ---- by the rules ----------------------------------------------------- */

static uintptr_t looked_up(uintptr_t pc, bool exact)
{
	return exact ? pc : pc - 1;
}

static void read_rules(const struct object *o, uintptr_t pc, bool exact, struct rules *r)
{
	uintptr_t at = looked_up(pc, exact);

	if (at < r->fde.begin)
		at = pc;
	r->found = !cfi_rules(&r->tables, &r->fde, at, &r->row);
	if (r->found && cfi_is_empty(&r->fde) && object_has_text(o, r->fde.begin) &&
	    object_has_text(o, at + 3))
		prologue_rules(r->fde.begin, at, &r->row);
}

/* Code that was made to be returned to, and never called, begins right at the
   return address: the instruction before is another function's, or none's. */
static void look_up(const struct object *o, uintptr_t pc, bool exact, struct rules *r)
{
	r->tables = (struct cfi_tables){ o->eh_lo, o->eh_hi, o->eh_hdr };
	r->found = false;
	if (!o->eh_hdr)
		return;
	if (!cfi_find(&r->tables, looked_up(pc, exact), &r->fde) ||
	    (!exact && !cfi_find(&r->tables, pc, &r->fde) && r->fde.begin == pc))
		read_rules(o, pc, exact, r);
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
	if (!has_word(m->arg, slot))
		return -EFAULT;
	*value = word_at(slot);
	return 0;
}

static int copy_register(const struct cfi_machine *m, uint64_t from, uintptr_t *value)
{
	if (from >= ARCH_COLUMNS || !(m->known >> from & 1))
		return -ENODATA;
	*value = m->reg[from];
	return 0;
}

/* The caller's value of register n; *slot: where it was loaded from, else 0.
   0, -ENODATA when it can't be known, -EFAULT, -EINVAL. */
static int find_register(const struct rules *r, unsigned n, const struct cfi_machine *m,
			 uintptr_t cfa, uintptr_t *value, uintptr_t *slot)
{
	uintptr_t offset = (uintptr_t)r->row.value[n];
	int err;

	*slot = 0;
	switch (r->row.how[n]) {
	case CFI_UNSPECIFIED:
		if (n == ARCH_SP) {
			*value = cfa;
			return 0;
		}
		if (n != r->fde.ra_column && !((uint64_t)ARCH_CALLEE_SAVED >> n & 1))
			return -ENODATA;
		return n == ARCH_PC ? -ENODATA : copy_register(m, n, value);
	case CFI_SAME:
		return copy_register(m, n, value);
	case CFI_REGISTER:
		return copy_register(m, offset, value);
	case CFI_OFFSET:
		*slot = cfa + offset;
		return load(m, *slot, value);
	case CFI_VAL_OFFSET:
		*value = cfa + offset;
		return 0;
	case CFI_EXPRESSION:
		err = cfi_evaluate(&r->tables, offset, &cfa, m, slot);
		return err ? err : load(m, *slot, value);
	case CFI_VAL_EXPRESSION:
		return cfi_evaluate(&r->tables, offset, &cfa, m, value);
	default:
		return -ENODATA;
	}
}

static bool is_plain(const struct rules *r)
{
	const struct cfi_row *row = &r->row;
	uint8_t fp = row->how[ARCH_FP];

	return !r->fde.signal && !row->cfa_expression &&
	       (row->cfa_register == ARCH_SP || row->cfa_register == ARCH_FP) &&
	       row->how[ARCH_SP] == CFI_UNSPECIFIED &&
	       row->how[r->fde.ra_column] == CFI_OFFSET &&
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
	to->plain = is_plain(r);
	return 0;
}

/* ---- signal frames without rules --------------------------------------- */

static bool find_sigreturn(const struct object *o, const struct frame *f, uintptr_t *ucontext)
{
	uintptr_t pc = f->reg[ARCH_PC];

	return object_has_text(o, pc) &&
	       arch_sigreturn(pc, o->text_hi - pc, f->reg[ARCH_SP], ucontext);
}

static enum unwind_step step_signal(uintptr_t ucontext, const struct frame *f, struct frame *to,
				    const struct unwind_stack *stack)
{
	if (ucontext % WORD || !readable(stack, ucontext, arch_ucontext_bytes))
		return UNWIND_BOUNDS;
	arch_registers((const void *)ucontext, to->reg);
	to->known = (UINT64_C(1) << ARCH_COLUMNS) - 1;
	to->exact = true;
	to->guessed = to->plain = false;
	to->pc_slot = to->fp_slot = 0;
	to->cfa = to->reg[ARCH_SP];
	return check_direction(f, to, stack);
}

/* ---- without rules ----------------------------------------------------- */

/* Whether pc can be a return address: after a call in a loaded object.  Code
   that lies in none (made at run time) calls its like too. */
static bool is_return_address(uintptr_t pc, bool from_object)
{
	const struct object *o = object_find(pc - 1);

	if (!o)
		return !from_object && pc > 4096 && arch_strip(pc) == pc;
	return object_has_text(o, pc - 1) && arch_after_call(pc, pc - o->text_lo);
}

static enum unwind_step guessed(const struct frame *f, struct frame *to, uintptr_t pc_slot,
				uintptr_t fp_slot, uintptr_t cfa, const struct unwind_stack *stack)
{
	to->known = UINT64_C(1) << ARCH_PC | UINT64_C(1) << ARCH_SP | UINT64_C(1) << ARCH_FP;
	to->reg[ARCH_PC] = arch_strip(word_at(pc_slot));
	to->reg[ARCH_FP] = fp_slot ? word_at(fp_slot) : f->reg[ARCH_FP];
	to->reg[ARCH_SP] = to->cfa = cfa;
	to->pc_slot = pc_slot;
	to->fp_slot = fp_slot;
	to->exact = false;
	to->guessed = to->plain = true;
	return check_direction(f, to, stack);
}

/* A leaf, as stubs of the linkage table and most of the kernel's own code are:
   the link register leads out of it, to code that has rules.  Else it may be
   left over from a call that the function itself made. */
static bool returns_by_link(const struct frame *f, uintptr_t *pc)
{
	struct rules r;
	const struct object *o;

	if (!f->exact || !arch_link(f->reg, pc) || !is_return_address(*pc, true))
		return false;
	o = object_find(*pc - 1);
	look_up(o, *pc, false, &r);
	return r.found;
}

static enum unwind_step step_by_link(uintptr_t pc, const struct frame *f, struct frame *to,
				     const struct unwind_stack *stack)
{
	for (unsigned n = 0; n < ARCH_COLUMNS; n++)
		to->reg[n] = f->reg[n];
	to->known = f->known & ((uint64_t)ARCH_CALLEE_SAVED | UINT64_C(1) << ARCH_SP |
				UINT64_C(1) << ARCH_PC);
	to->reg[ARCH_PC] = pc;
	to->cfa = f->reg[ARCH_SP];
	to->pc_slot = to->fp_slot = 0;
	to->exact = to->plain = false;
	to->guessed = true;
	return check_direction(f, to, stack);
}

/*
 * By the frame pointer, when it points into the stack at what can be a frame.
 * An interrupted function may not have pushed it yet: its return address is
 * then the last thing, or the last but one, that lies on the stack.
 */
static enum unwind_step step_guessed(bool in_object, const struct frame *f, struct frame *to,
				     const struct unwind_stack *stack)
{
	uintptr_t sp = f->reg[ARCH_SP], fp = f->reg[ARCH_FP], link;

	if (returns_by_link(f, &link))
		return step_by_link(link, f, to, stack);
	if (ARCH_LINK < 0 && f->exact && has_word(stack, sp)) {
		if (is_return_address(word_at(sp), true))
			return guessed(f, to, sp, 0, sp + WORD, stack);
		if (word_at(sp) == fp && has_word(stack, sp + WORD) &&
		    is_return_address(word_at(sp + WORD), true))
			return guessed(f, to, sp + WORD, sp, sp + 2 * WORD, stack);
	}
	/* AAPCS64, 6.4.6: the outermost frame's. */
	if (ARCH_LINK >= 0 && f->known >> ARCH_FP & 1 && !fp)
		return UNWIND_END;
	if (!(f->known >> ARCH_FP & 1) || fp < sp || !has_word(stack, fp) ||
	    !has_word(stack, fp + WORD))
		return UNWIND_NO_RULES;
	if (!word_at(fp + WORD))
		return UNWIND_END;
	if (!is_return_address(arch_strip(word_at(fp + WORD)), in_object))
		return UNWIND_NO_RULES;
	return guessed(f, to, fp + WORD, fp, fp + 2 * WORD, stack);
}

/* ---- a step with all registers ---------------------------------------- */

/* The link register can't still hold the return address of a function that
   called another: an assembler's rules, which nobody wrote. */
static bool is_false(const struct rules *r, const struct frame *f)
{
	uint8_t how = r->row.how[r->fde.ra_column];

	return ARCH_LINK >= 0 && !f->exact && how == CFI_UNSPECIFIED;
}

/* *missing: a register that the rules need isn't known in *f. */
static enum unwind_step step_frame(const struct object *o, const struct rules *r,
				   const struct frame *f, struct frame *to,
				   const struct unwind_stack *stack, bool *missing)
{
	uintptr_t ucontext;
	int err;

	*missing = false;
	if (o && !r->found && find_sigreturn(o, f, &ucontext))
		return step_signal(ucontext, f, to, stack);
	if (!o || !r->found)
		return step_guessed(o != NULL, f, to, stack);
	if (r->row.how[r->fde.ra_column] == CFI_UNDEFINED)
		return UNWIND_END;
	err = follow(r, f, to, stack);
	if (err == -ENODATA && is_false(r, f))
		return step_guessed(true, f, to, stack);
	if (err) {
		*missing = err == -ENODATA;
		return err == -EFAULT ? UNWIND_BOUNDS : UNWIND_NO_RULES;
	}
	if (!to->reg[ARCH_PC])
		return UNWIND_END;
	return check_direction(f, to, stack);
}

static void frame_at_base(const struct unwind_cursor *c, struct frame *f)
{
	f->steps = 0;
	f->exact = c->reg_exact;
	f->known = c->known;
	for (unsigned n = 0; n < ARCH_COLUMNS; n++)
		f->reg[n] = c->reg[n];
}

/* What is known of the cursor's frame without going back to its base. */
static void frame_here(const struct unwind_cursor *c, struct frame *f)
{
	if (!c->steps) {
		frame_at_base(c, f);
		return;
	}
	f->steps = c->steps;
	f->exact = c->exact;
	f->known = UINT64_C(1) << ARCH_PC | UINT64_C(1) << ARCH_SP | UINT64_C(1) << ARCH_FP;
	f->reg[ARCH_PC] = c->pc;
	f->reg[ARCH_SP] = c->sp;
	f->reg[ARCH_FP] = c->fp;
}

static void set_base(struct unwind_cursor *c, const struct frame *f)
{
	c->steps = 0;
	c->reg_exact = f->exact;
	c->known = f->known;
	for (unsigned n = 0; n < ARCH_COLUMNS; n++)
		c->reg[n] = f->reg[n];
}

/* Steps from the base to the cursor's frame with all registers, and makes that
   frame the base. */
static bool replay(struct unwind_cursor *c, struct frame *f, const struct unwind_stack *stack)
{
	struct frame next;
	struct rules r;
	bool missing;

	frame_at_base(c, f);
	for (uint32_t i = 0; i < c->steps; i++) {
		uintptr_t pc = f->reg[ARCH_PC];
		const struct object *o = object_find(looked_up(pc, f->exact));

		if (o)
			look_up(o, pc, f->exact, &r);
		if (step_frame(o, &r, f, &next, stack, &missing) != UNWIND_OK)
			return false;
		f->steps = i + 1;
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

static void commit(struct unwind_cursor *c, const struct frame *to)
{
	c->pc = to->reg[ARCH_PC];
	c->sp = to->reg[ARCH_SP];
	c->fp = to->known >> ARCH_FP & 1 ? to->reg[ARCH_FP] : 0;
	c->exact = to->exact;
	c->guessed = to->guessed;
	c->plain = to->plain;
	c->fp_used = true;	/* or may be: the general way doesn't tell */
	c->pc_slot = to->pc_slot;
	c->fp_slot = to->fp_slot;
	c->cfa = to->cfa;
	c->left_alternate |= to->crossed;
	c->regs_valid = to->exact;
	if (to->exact)
		set_base(c, to);
	else
		c->steps++;
}

static enum unwind_step step_general(struct unwind_cursor *c, const struct object *o,
				     const struct rules *r, const struct unwind_stack *stack)
{
	struct frame f, to;
	enum unwind_step s;
	bool missing;

	frame_here(c, &f);
	s = step_frame(o, r, &f, &to, stack, &missing);
	if (missing && c->steps && replay(c, &f, stack))
		s = step_frame(o, r, &f, &to, stack, &missing);
	if (s != UNWIND_OK)
		return s;
	if (to.crossed && c->left_alternate)
		return UNWIND_BOUNDS;
	commit(c, &to);
	return UNWIND_OK;
}

/* ---- the cache --------------------------------------------------------- */

static uint64_t pack_place(const struct object *o, enum rule_kind kind, uintptr_t fde)
{
	return (uint64_t)o->number << NUMBER_SHIFT |
	       ((fde - o->start) & PLACE_MASK) << RULE_KIND_BITS | kind;
}

/* An offset in words, or false when it doesn't fit. */
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

	if (!is_plain(r) || !pack_offset((uint64_t)row->cfa_value - down, &ra) ||
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

static uint64_t pack(const struct object *o, const struct rules *r)
{
	uint64_t packed;

	if (!r->found)
		return pack_place(o, RULE_GUESS, o->start);
	if (r->row.how[r->fde.ra_column] == CFI_UNDEFINED)
		return pack_place(o, RULE_END, o->start);
	if (!pack_simple(r, &packed))
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

static inline bool is_rule_of(const struct unwind_rule *rule, uintptr_t at,
			      const struct object *o)
{
	return rule->pc == at && rule->packed >> NUMBER_SHIFT == o->number;
}

/* ---- the step ---------------------------------------------------------- */

static inline __attribute__((always_inline)) enum unwind_step
step_simple(struct unwind_cursor *c, uint64_t packed, const struct unwind_stack *stack)
{
	uintptr_t pc_slot = (packed & RULE_FP ? c->fp : c->sp) + unpack(packed, 0);
	uintptr_t cfa = pc_slot + unpack(packed, 1);
	uintptr_t fp_slot = cfa - unpack(packed, 2);
	uintptr_t pc;

	if (unlikely(!has_word(stack, pc_slot) || cfa <= c->sp))
		return UNWIND_BOUNDS;
	pc = arch_strip(word_at(pc_slot));
	if (unlikely(!pc))
		return UNWIND_END;
	if (fp_slot != cfa) {
		if (unlikely(!has_word(stack, fp_slot)))
			return UNWIND_BOUNDS;
		c->fp = word_at(fp_slot);
		c->fp_slot = fp_slot;
	} else {
		c->fp_slot = 0;
	}
	c->pc = pc;
	c->sp = c->cfa = cfa;
	c->pc_slot = pc_slot;
	c->exact = c->guessed = c->regs_valid = false;
	c->plain = true;	/* these four by one store */
	c->fp_used = packed & RULE_FP;
	c->steps++;
	return UNWIND_OK;
}

static __attribute__((noinline)) enum unwind_step
step_miss(struct unwind_cursor *c, struct unwind_rule *rule, const struct unwind_stack *stack)
{
	struct rules r;

	look_up(c->object, c->pc, c->exact, &r);
	rule[1] = rule[0];
	rule->pc = looked_up(c->pc, c->exact);
	rule->packed = pack(c->object, &r);
	return rule->packed & RULE_OTHER ? step_general(c, c->object, &r, stack) :
	       step_simple(c, rule->packed, stack);
}

/* What is cached isn't simple: the place of the rules at most. */
static __attribute__((noinline)) enum unwind_step
step_other(struct unwind_cursor *c, uint64_t packed, const struct unwind_stack *stack)
{
	const struct object *o = c->object;
	struct rules r;

	r.found = false;
	if ((packed & KIND_MASK) == RULE_END)
		return UNWIND_END;
	if ((packed & KIND_MASK) == RULE_GENERAL) {
		uintptr_t fde = o->start + (packed >> RULE_KIND_BITS & PLACE_MASK);

		r.tables = (struct cfi_tables){ o->eh_lo, o->eh_hi, o->eh_hdr };
		if (!cfi_parse(&r.tables, fde, &r.fde))
			read_rules(o, c->pc, c->exact, &r);
	}
	return step_general(c, o, &r, stack);
}

static inline __attribute__((always_inline)) enum unwind_step
step_in_object(struct unwind_cursor *c, struct unwind_cache *cache,
	       const struct unwind_stack *stack)
{
	struct unwind_rule *rule = cached(cache, c->pc);
	uintptr_t at = looked_up(c->pc, c->exact);

	if (unlikely(!is_rule_of(rule, at, c->object)) &&
	    !is_rule_of(++rule, at, c->object))
		return step_miss(c, rule - 1, stack);
	if (unlikely(rule->packed & RULE_OTHER))
		return step_other(c, rule->packed, stack);
	return step_simple(c, rule->packed, stack);
}

static inline bool lies_in(const struct object *o, uintptr_t at)
{
	return o && at - o->start < o->bytes;
}

/* What a walk has met stays loaded while it lasts: its frames are there. */
static __attribute__((noinline)) enum unwind_step
step_elsewhere(struct unwind_cursor *c, struct unwind_cache *cache,
	       const struct unwind_stack *stack)
{
	uintptr_t at = looked_up(c->pc, c->exact);
	struct object *before = c->object;

	c->object = lies_in(c->other, at) ? c->other : object_find(at);
	if (before)
		c->other = before;
	if (!c->object)
		return step_other(c, RULE_GUESS, stack);
	return step_in_object(c, cache, stack);
}

enum unwind_step unwind_step(struct unwind_cursor *c, struct unwind_cache *cache,
			     const struct unwind_stack *stack)
{
	if (unlikely(!lies_in(c->object, looked_up(c->pc, c->exact))))
		return step_elsewhere(c, cache, stack);
	return step_in_object(c, cache, stack);
}

/* ---- beginnings -------------------------------------------------------- */

void unwind_begin_ucontext(struct unwind_cursor *c, const void *ucontext)
{
	arch_registers(ucontext, c->reg);
	c->known = (UINT64_C(1) << ARCH_COLUMNS) - 1;
	c->pc = c->reg[ARCH_PC];
	c->sp = c->reg[ARCH_SP];
	c->fp = c->reg[ARCH_FP];
	c->exact = c->reg_exact = c->regs_valid = true;
	c->guessed = c->plain = c->left_alternate = false;
	c->pc_slot = c->fp_slot = c->cfa = 0;
	c->steps = 0;
	c->object = c->other = NULL;
}

void unwind_begin_at(struct unwind_cursor *c, uintptr_t pc, uintptr_t sp, uintptr_t fp)
{
	c->pc = c->reg[ARCH_PC] = pc;
	c->sp = c->reg[ARCH_SP] = sp;
	c->fp = c->reg[ARCH_FP] = fp;
	c->known = UINT64_C(1) << ARCH_PC | UINT64_C(1) << ARCH_SP | UINT64_C(1) << ARCH_FP;
	c->exact = c->reg_exact = c->regs_valid = false;
	c->guessed = c->plain = c->left_alternate = false;
	c->pc_slot = c->fp_slot = c->cfa = 0;
	c->steps = 0;
	c->object = c->other = NULL;
}

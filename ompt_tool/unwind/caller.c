/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * caller.c - see caller.h. For machines whose calls push the return address: the caller's stack
 * pointer is then right above it.
 */
#include "config.h"

#include "ompt_tool/unwind/caller.h"

#include <elf.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

#include "ompt_tool/machine/ticks.h"
#include "ompt_tool/unwind/caller_parts.h"
#include "ompt_tool/unwind/find_object.h"
#include "ompt_tool/unwind/object.h"
#include "ompt_tool/unwind/pages.h"
#include "ompt_tool/unwind/unwind.h"
#include "ompt_tool/unwind/unwind_frame.h"
#include "src/code/callsite_code.h"

enum {
	SEARCH_WORDS = 8192, /* of the stack: kernels of linear algebra keep 32 KiB there */
	TRIES_MAX = 24,	     /* return addresses whose frames are examined in a search */
	DEPTHS_MAX = 4,	     /* functions whose code is read in a search */
	YIELDS_MAX = 1000,
	SAVED_WORDS = 16,     /* below the return address: where the function may have saved
				the frame pointer */
	REST = 15,	      /* searches that are left out after one without a result */
	JUMP_BYTES = 8192,    /* of called functions that are searched for jumps */
	MADE_BYTES = 1 << 20, /* code made at run time belongs together so far */
	COPY_BYTES = 512,     /* of it that are read at once */
	ADDRESS_BITS = 47,
	PAGE_BITS = 12,
};

#define WORD sizeof(uintptr_t)

struct caller_search {
	struct unwind_cache *cache;
	const struct unwind_stack *stack;
	const struct unwind_cursor *from;
	struct leads_to code; /* of the function, up to its PC */
	uintptr_t hi;	      /* the end of the code without rules */
	unsigned tries;
	uintptr_t no_code; /* a page that lies in no object */
	const struct object *object;
	unsigned depths;
	uintptr_t entry;	  /* the last one whose code was read */
	struct epilogue epilogue; /* what was read last */
	bool reached;		  /* from there the PC, this deep: */
	uintptr_t least, most;
	uintptr_t same_lo, same_hi; /* the code for which the result holds as well */
};

/* ---- the function ----------------------------------------------------- */

/* The code around the PC that has no rules. */
static void code_range(const struct unwind_cursor *c, uintptr_t *lo, uintptr_t *hi)
{
	const struct object *o = c->object;
	const uintptr_t at = rules_address(c->pc, c->exact);
	const struct object_text *text = o ? object_text_of(o, at) : NULL;
	uintptr_t from, to;

	*lo = text ? text->start : at - MADE_BYTES;
	*hi = text ? text->start + text->bytes : at + MADE_BYTES;
	if (!text || !o->eh_hdr ||
	    cfi_gap(&(const struct cfi_tables){ o->eh_lo, o->eh_hi, o->eh_hdr }, at, &from, &to))
		return;
	*lo = from > *lo ? from : *lo;
	*hi = to < *hi ? to : *hi;
}

static bool returns_from_signal(const struct unwind_cursor *c)
{
	const struct object_text *text = c->object ? object_text_of(c->object, c->pc) : NULL;
	uintptr_t unused;

	return text && arch_sigreturn(c->pc, text->start + text->bytes - c->pc, c->sp, &unused);
}

/* ---- one word --------------------------------------------------------- */

/* The object that a word of the stack points into as a return address may; NULL: none. */
static const struct object *object_of(struct caller_search *s, uintptr_t word)
{
	if (word >> ADDRESS_BITS != 0 || word >> PAGE_BITS == s->no_code ||
	    word - s->stack->lo < s->stack->hi - s->stack->lo)
		return NULL;
	if (s->object && word - 1 - s->object->start < s->object->bytes)
		return s->object;
	const struct object *o = object_find(word - 1);

	if (o)
		s->object = o;
	else
		s->no_code = word >> PAGE_BITS;
	return o;
}

/* With the same stack pointer, another function has its return address elsewhere. What is known to
   be one function is the code from its entry to the PC. */
static void holds_from(struct caller_search *s, uintptr_t lo, uintptr_t hi)
{
	s->same_lo = lo < s->code.hi ? lo : s->code.hi - 1;
	s->same_hi = hi > s->code.hi ? hi : s->code.hi;
}

static bool try_fp(struct caller_search *s, struct caller_found *f, uintptr_t fp, uintptr_t fp_slot,
		   bool known)
{
	f->fp = fp;
	f->fp_slot = fp_slot;
	return caller_chain_holds(f, s->cache, s->stack, known);
}

/* Whether the frames from this return address outward fit, with a frame pointer that the
   function has in the register still, or has saved below its return address. */
static bool fits(struct caller_search *s, struct caller_found *f, bool known)
{
	if (s->tries == TRIES_MAX)
		return false;
	s->tries++;
	if (try_fp(s, f, s->from->fp, 0, known))
		return true;
	if (!f->fp_matters)
		return false;
	for (unsigned i = 1; i <= SAVED_WORDS; i++) {
		const uintptr_t at = f->slot - i * WORD;
		uintptr_t fp;

		if (at < s->from->sp || !stack_has_word(s->stack, at))
			break;
		fp = stack_word(at);
		if (fp % WORD == 0 && fp > f->slot && fp != s->from->fp &&
		    stack_has_word(s->stack, fp) && try_fp(s, f, fp, at, known))
			return true;
	}
	return false;
}

/* ---- the frame record ------------------------------------------------- */

/* A function that has built a frame record: its return address is found by its frame pointer. */
static bool by_record(struct caller_search *s, struct caller_found *f)
{
	const uintptr_t fp = s->from->fp;
	const struct object *o;
	uintptr_t entry;

	if (fp < s->from->sp || !stack_has_word(s->stack, fp) ||
	    !stack_has_word(s->stack, fp + WORD))
		return false;
	*f = (struct caller_found){ .slot = fp + WORD, .pc = stack_word(fp + WORD) };
	o = object_of(s, f->pc);
	if (!o || leads(o, f->pc, &s->code, &entry) != LEADS_THERE ||
	    !try_fp(s, f, stack_word(fp), fp, false))
		return false;
	f->fp_used = f->fp_matters = true;
	holds_from(s, entry, 0);
	return true;
}

/* ---- the function's code ----------------------------------------------- */

/* Code that may be read: an object's, or code that was made at run time. Of the latter a copy is
   read, since another thread may free it at any time. */
struct readable {
	uintptr_t lo, hi; /* of the object, or of the copy */
	bool made;
	bool ends; /* behind the copy nothing can be read */
	unsigned char copy[COPY_BYTES];
};

static const unsigned char *copy_at(struct readable *r, uintptr_t address, uintptr_t n)
{
	if (address < r->lo || address >= r->hi || (n > r->hi - address && !r->ends)) {
		r->lo = address;
		r->hi = address + pages_copy(r->copy, address, sizeof(r->copy));
		r->ends = r->hi - r->lo < sizeof(r->copy);
	}
	return n <= r->hi - address ? r->copy + (address - r->lo) : NULL;
}

static const unsigned char *code_at(void *self, uint64_t address, uint64_t n)
{
	struct readable *r = self;

	if (r->made)
		return copy_at(r, address, n);
	return address >= r->lo && address + n <= r->hi ? (const unsigned char *)address : NULL;
}

static void readable_begin(struct readable *r, const struct caller_search *s)
{
	r->made = !s->from->object;
	r->ends = false;
	r->lo = r->made ? 0 : s->code.lo;
	r->hi = r->made ? 0 : s->hi;
}

/* Results of code that was unloaded since are forgotten. */
static void forget_unloaded(struct unwind_cache *cache)
{
	if (cache->caller.epoch == object_epoch())
		return;
	for (unsigned i = 0; i < UNWIND_EPILOGUES; i++)
		cache->epilogue[i].until = 0;
	cache->caller.slot = 0;
	cache->caller.epoch = object_epoch();
}

/* What the code shows at pc: a known result, or a new one, which takes the place of the oldest.
   Code that was made at run time may be other code the next time. */
static const struct epilogue *epilogue_of(struct caller_search *s, uintptr_t pc)
{
	struct unwind_cache *cache = s->cache;
	const unsigned known = s->from->object ? UNWIND_EPILOGUES : 0;
	struct readable r;
	const struct callsite_code code = { .at = code_at, .self = &r, .machine = EM_X86_64 };
	struct epilogue *e;

	readable_begin(&r, s);
	for (unsigned i = 0; i < known; i++)
		if (pc - cache->epilogue[i].from <
		    cache->epilogue[i].until - cache->epilogue[i].from)
			return cache->epilogue[i].known ? &cache->epilogue[i] : NULL;
	e = epilogue_read(&code, pc, cache->epilogue, known, &s->epilogue);
	if (!e && known != 0) {
		e = &cache->epilogue[cache->epilogues++ % UNWIND_EPILOGUES];
		*e = s->epilogue;
	}
	e = e ? e : &s->epilogue;
	return e->known ? e : NULL;
}

/* The function's depth at the PC, if it was entered at entry. */
static bool depth_from(struct caller_search *s, uintptr_t entry)
{
	struct readable r;
	const struct callsite_code code = { .at = code_at, .self = &r, .machine = EM_X86_64 };

	if (entry == s->entry)
		return s->reached;
	if (s->depths == DEPTHS_MAX)
		return false;
	s->depths++;
	s->entry = entry;
	readable_begin(&r, s);
	s->reached = epilogue_depth(&code, entry, s->from->pc, &s->least, &s->most);
	return s->reached;
}

/* Whether the function, if it was entered at entry, is as deep as its return address says. */
static bool is_as_deep(struct caller_search *s, const struct caller_found *f, uintptr_t entry)
{
	const uintptr_t depth = f->slot - s->from->sp;

	return depth_from(s, entry) && depth >= s->least && depth <= s->most;
}

/* A caller without rules. No frames beyond it prove it: so the code up to the PC, from the entry
   that the caller calls, must give the same place as the code ahead. */
static bool calls_here(struct caller_search *s, struct caller_found *f, const struct object *o,
		       uintptr_t entry)
{
	struct rules r;

	rules_find(o, f->pc, false, &r);
	if (r.found || !is_as_deep(s, f, entry))
		return false;
	f->fp_used = s->from->fp == f->slot - WORD;
	f->fp_slot = f->fp_used ? s->from->fp : 0;
	f->fp = f->fp_used ? stack_word(f->fp_slot) : s->from->fp;
	f->fp_matters = false;
	f->words = 1;
	f->word[0].slot = f->slot;
	f->word[0].value = f->pc;
	return true;
}

static bool register_value(const struct unwind_cursor *c, unsigned n, uintptr_t *value)
{
	uintptr_t reg[ARCH_COLUMNS];

	if (n == ARCH_SP || n == ARCH_FP) {
		*value = n == ARCH_SP ? c->sp : c->fp;
		return true;
	}
	if (c->steps || !(c->known >> n & 1))
		return false;
	if (c->ucontext)
		arch_registers(c->ucontext, reg);
	*value = c->ucontext ? reg[n] : c->reg[n];
	return true;
}

/* Finds the return address by the code up to the function's return. */
static bool by_code(struct caller_search *s, struct caller_found *f)
{
	const struct epilogue *e = epilogue_of(s, s->from->pc);
	const struct object *o;
	uintptr_t slot, entry;
	enum leads l;

	if (!e || !register_value(s->from, e->base, &slot))
		return false;
	if (e->loads) {
		slot += (uintptr_t)(intptr_t)e->before;
		if (!stack_has_word(s->stack, slot))
			return false;
		slot = stack_word(slot);
	}
	slot += (uintptr_t)(intptr_t)e->after;
	if (slot < s->from->sp || !stack_has_word(s->stack, slot))
		return false;
	*f = (struct caller_found){ .slot = slot, .pc = stack_word(slot) };
	o = object_of(s, f->pc);
	l = o ? leads(o, f->pc, &s->code, &entry) : LEADS_NO_CALL;
	holds_from(s, e->from, e->until);
	return (l >= LEADS_UNKNOWN && fits(s, f, true)) ||
	       (l == LEADS_THERE && calls_here(s, f, o, entry));
}

/* ---- the stack --------------------------------------------------------- */

/* A call that leads to an entry from which the code up to the PC puts the stack pointer where it
   is. */
static bool examine(struct caller_search *s, uintptr_t slot, struct caller_found *f)
{
	const struct object *o;
	uintptr_t entry;

	*f = (struct caller_found){ .slot = slot, .pc = stack_word(slot) };
	o = object_of(s, f->pc);
	if (!o || leads(o, f->pc, &s->code, &entry) != LEADS_THERE || !is_as_deep(s, f, entry) ||
	    !fits(s, f, false))
		return false;
	holds_from(s, entry, 0);
	return true;
}

/* ---- the search ------------------------------------------------------- */

/* Whether the last searches of the stack for this frame found nothing: they are not repeated each
   time. */
static bool is_resting(const struct caller_search *s, struct caller_found *f)
{
	if (f->slot || !f->rest || f->sp != s->from->sp || f->object != s->from->object ||
	    f->lo != s->code.lo)
		return false;
	f->rest--;
	return true;
}

/* Returns whether the stack that may be read ended too early. */
static bool search(struct caller_search *s, struct caller_found *found)
{
	struct caller_found f;
	unsigned i = 0;

	if (by_code(s, &f) || by_record(s, &f)) {
		*found = f;
		return false;
	}
	if (is_resting(s, found))
		return false;
	found->slot = 0;
	found->rest = REST;
	for (; i < SEARCH_WORDS && stack_has_word(s->stack, s->from->sp + i * WORD); i++)
		if (examine(s, s->from->sp + i * WORD, &f)) {
			*found = f;
			return false;
		}
	return s->from->sp + i * WORD == s->stack->alt_hi && i <= (1 << PAGE_BITS) / WORD;
}

static void arrive(struct unwind_cursor *c, const struct caller_found *f)
{
	c->pc = c->reg[ARCH_PC] = f->pc;
	c->sp = c->cfa = c->reg[ARCH_SP] = f->slot + WORD;
	if (f->fp_matters || f->fp_slot)
		c->fp = f->fp;
	c->reg[ARCH_FP] = c->fp;
	c->pc_slot = f->slot;
	c->fp_slot = f->fp_slot;
	c->exact = c->reg_exact = false;
	c->guessed = c->plain = true;
	c->fp_used = f->fp_used;
	c->steps = 0;
	c->ucontext = NULL;
	c->known = FRAME_BASIC;
}

/* Whether the last result holds for this frame: the same function with the same stack pointer,
   and none of the words has changed. */
static bool is_found_again(const struct unwind_cursor *c, const struct caller_found *f,
			   const struct unwind_stack *stack)
{
	if (!f->slot || f->sp != c->sp || f->object != c->object ||
	    rules_address(c->pc, c->exact) - f->lo >= f->hi - f->lo || f->epoch != object_epoch() ||
	    (f->fp_used && f->fp_slot != c->fp) || (f->fp_matters && !f->fp_slot && f->fp != c->fp))
		return false;
	for (unsigned i = 0; i < f->words; i++)
		if (!stack_has_word(stack, f->word[i].slot) ||
		    stack_word(f->word[i].slot) != f->word[i].value)
			return false;
	return true;
}

/* ---- while objects are unloaded ------------------------------------------ */

static _Atomic uint32_t under_way;

static bool search_begin(void)
{
	atomic_fetch_add(&under_way, 1);
	if (!find_object_is_unloading())
		return true;
	atomic_fetch_sub(&under_way, 1);
	return false;
}

enum {
	TICKS_SAVED = 1 << 24,	 /* of searching: some 6 ms */
	TICKS_SHARE = 20,	 /* a twentieth of the time since the last one is added to them, */
	TICKS_PAST = 1 << 22,	 /* of which so much counts: the thread may have slept */
	TICKS_CHARGED = 1 << 23, /* for a search, at most: some 3 ms, longer than any takes */
};

bool caller_budget_allows(struct caller_budget *b, uint64_t now)
{
	const uint64_t past = now - b->searched;

	if (b->searched == 0)
		b->credit = TICKS_SAVED;
	b->credit += (int64_t)(past < TICKS_PAST ? past : TICKS_PAST) / TICKS_SHARE;
	if (b->credit > TICKS_SAVED)
		b->credit = TICKS_SAVED;
	b->searched = now;
	return b->credit > 0;
}

/* The clock also runs while the thread is preempted, for any time. */
void caller_budget_charge(struct caller_budget *b, uint64_t ticks)
{
	b->credit -= (int64_t)(ticks < TICKS_CHARGED ? ticks : TICKS_CHARGED);
}

/* The wait is bounded: after a fork, a search of the parent's other thread never ends. */
void caller_wait(void)
{
	for (unsigned i = 0; i < YIELDS_MAX && atomic_load(&under_way) != 0; i++)
		sched_yield();
}

/* ---- the interface -------------------------------------------------------- */

enum unwind_step caller_find(struct unwind_cursor *c, struct unwind_cache *cache,
			     const struct unwind_stack *stack)
{
	struct caller_found *f = &cache->caller;
	struct caller_search s = {
		.cache = cache, .stack = stack, .from = c, .no_code = UINTPTR_MAX
	};
	const uint64_t now = ticks_now();
	bool early;

	if (c->proving || returns_from_signal(c))
		return UNWIND_NO_RULES;
	if (is_found_again(c, f, stack)) {
		arrive(c, f);
		return UNWIND_OK;
	}
	if (!caller_budget_allows(&cache->budget, now) || !search_begin())
		return UNWIND_NO_RULES;
	forget_unloaded(cache);
	code_range(c, &s.code.lo, &s.hi);
	s.code.object = c->object;
	s.code.jump_bytes = JUMP_BYTES;
	s.code.hi = rules_address(c->pc, c->exact) + 1;
	early = search(&s, f);
	atomic_fetch_sub(&under_way, 1);
	caller_budget_charge(&cache->budget, ticks_now() - now);
	f->sp = c->sp;
	f->object = c->object;
	f->lo = f->slot ? s.same_lo : s.code.lo;
	f->hi = f->slot ? s.same_hi : s.hi;
	f->epoch = object_epoch();
	f->rest = early ? 0 : f->rest;
	if (!f->slot)
		return early ? UNWIND_BOUNDS : UNWIND_NO_RULES;
	arrive(c, f);
	return UNWIND_OK;
}

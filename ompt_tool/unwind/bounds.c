/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/unwind/bounds.h"

#include <signal.h>
#include <stddef.h>
#include <ucontext.h>

#include "ompt_tool/machine/arch.h"
#include "ompt_tool/unwind/pages.h"

enum {
	PAGES_MOST = 256, /* pages tested in one walk */
	LEARN_BYTES = 1 << 14,
};

uintptr_t bounds_foot;

static bool on_alternate(const ucontext_t *uc, uintptr_t sp, uintptr_t *end)
{
	uintptr_t lo = uc ? (uintptr_t)uc->uc_stack.ss_sp : 0;

	if (!uc || (uc->uc_stack.ss_flags & SS_DISABLE) != 0 || sp < lo ||
	    sp - lo >= uc->uc_stack.ss_size)
		return false;
	*end = lo + uc->uc_stack.ss_size;
	return true;
}

/* Begins a walk on the thread's own stack. */
static __attribute__((noinline)) void begin_anew(struct bounds *b, const struct own_stack *own,
						 uintptr_t sp, uintptr_t lo)
{
	struct pages *pages = b->stack.pages;

	b->steady = pages_begin(pages, own->lo, own->hi, sp);
	b->stack.lo = lo > own->lo && lo < own->hi ? lo : own->lo;
	b->stack.hi = pages->known_hi < own->hi ? pages->known_hi : own->hi;
	/* The red zone may begin on the page below. */
	if (b->stack.lo < pages->known_lo && !pages_have(pages, b->stack.lo, 1))
		b->stack.lo = pages->known_lo;
}

static __attribute__((noinline)) void begin_elsewhere(struct bounds *b, const struct own_stack *own,
						      uintptr_t sp, uintptr_t lo,
						      const void *ucontext)
{
	/* A signal's frame may lead to any place on the thread's own stack. */
	b->stack.lo = b->stack.hi = own->lo;
	b->steady = false;
	pages_begin(b->stack.pages, own->lo, own->hi, own->hi - 1);
	/* The signal frame lies below it: all of it can be read. */
	b->stack.alt_lo = lo;
	b->alt_end = UINTPTR_MAX;
	on_alternate(ucontext, sp, &b->alt_end);
	b->stack.alt_hi = (sp | (PAGES_BYTES - 1)) + 1;
	if (b->stack.alt_hi > b->alt_end)
		b->stack.alt_hi = b->alt_end;
	b->pages_left = PAGES_MOST;
}

/* Each sample, region and task comes through here: nothing is called where all is known. */
void bounds_begin(struct bounds *b, struct own_stack *own, uintptr_t sp, const void *ucontext)
{
	struct pages *pages = &own->pages;

	/* An interrupted function has its red zone: after the epilogue's last pop, the
	   rules still find the popped register there. */
	const uintptr_t lo = ucontext ? sp - ARCH_RED_ZONE : sp;

	b->stack.pages = pages;
	b->stack.alt_lo = b->stack.alt_hi = 0;
	b->pages_left = 0;
	if (sp < own->lo || sp >= own->hi) {
		begin_elsewhere(b, own, sp, lo, ucontext);
	} else if (pages_known(pages, own->lo, own->hi, lo, sp)) {
		b->stack.lo = lo;
		b->stack.hi = pages->known_hi < own->hi ? pages->known_hi : own->hi;
		b->steady = true;
	} else {
		begin_anew(b, own, sp, lo);
	}
}

enum unwind_step bounds_step_further(struct unwind_cursor *c, struct unwind_cache *cache,
				     struct bounds *b)
{
	enum unwind_step step = UNWIND_BOUNDS;

	while (step == UNWIND_BOUNDS && b->pages_left != 0) {
		b->pages_left--;
		if (b->stack.alt_hi >= b->alt_end || !pages_readable(b->stack.alt_hi)) {
			b->pages_left = 0;
			break;
		}
		b->stack.alt_hi += PAGES_BYTES;
		if (b->stack.alt_hi > b->alt_end)
			b->stack.alt_hi = b->alt_end;
		step = unwind_step(c, cache, &b->stack);
	}
	return step;
}

static void nothing(void)
{
}

void bounds_learn(void)
{
	static char stack[LEARN_BYTES];
	uintptr_t reg[ARCH_COLUMNS];
	ucontext_t uc;

	if (getcontext(&uc) != 0)
		return;
	uc.uc_stack.ss_sp = stack;
	uc.uc_stack.ss_size = sizeof(stack);
	uc.uc_link = NULL;
	makecontext(&uc, nothing, 0);
	arch_registers(&uc, reg);
	bounds_foot = ARCH_LINK < 0 ? *(const uintptr_t *)reg[ARCH_SP] :
				      reg[ARCH_LINK < 0 ? 0 : ARCH_LINK];
}

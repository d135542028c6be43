/*
 * bounds.c - see bounds.h.
 */
#include "config.h"

#include "ompt_tool/core/bounds.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "ompt_tool/core/arch.h"
#include "ompt_tool/core/thread.h"

enum {
	PAGE = 4096,		/* the least that a page can be */
	PAGES_MOST = 256,	/* asked for in one walk */
	LEARN_BYTES = 1 << 14,
};

uintptr_t bounds_foot;

static bool on_alternate(const ucontext_t *uc, uintptr_t sp, uintptr_t *end)
{
	uintptr_t lo = uc != NULL ? (uintptr_t)uc->uc_stack.ss_sp : 0;

	if (uc == NULL || (uc->uc_stack.ss_flags & SS_DISABLE) != 0 || sp < lo ||
	    sp - lo >= uc->uc_stack.ss_size)
		return false;
	*end = lo + uc->uc_stack.ss_size;
	return true;
}

void bounds_begin(struct bounds *b, const struct thread *t, uintptr_t sp, const void *ucontext)
{
	/* What was interrupted has its red zone: after its epilogue's last pop, the
	   rules still find the popped register there. */
	uintptr_t lo = ucontext != NULL ? sp - ARCH_RED_ZONE : sp;

	b->stack.lo = t->stack_lo;
	b->stack.hi = t->stack_hi;
	b->stack.alt_lo = b->stack.alt_hi = 0;
	b->pages_left = 0;
	if (sp >= t->stack_lo && sp < t->stack_hi) {
		if (lo > t->stack_lo)
			b->stack.lo = lo;
		return;
	}
	/* The signal's own frame lies below it: all of it is there. */
	b->stack.alt_lo = lo;
	if (on_alternate(ucontext, sp, &b->stack.alt_hi))
		return;
	b->stack.alt_hi = (sp | (PAGE - 1)) + 1;
	b->pages_left = PAGES_MOST;
}

/* The kernel reads the mask before it looks at what to do with it. */
static bool readable(uintptr_t address)
{
	int saved = errno;
	bool good = syscall(SYS_rt_sigprocmask, ~0L, address, NULL, 8L) != 0 && errno == EINVAL;

	errno = saved;
	return good;
}

enum unwind_step bounds_step_further(struct unwind_cursor *c, struct unwind_cache *cache,
				     struct bounds *b)
{
	enum unwind_step step = UNWIND_BOUNDS;

	while (step == UNWIND_BOUNDS && b->pages_left != 0) {
		b->pages_left--;
		if (!readable(b->stack.alt_hi)) {
			b->pages_left = 0;
			break;
		}
		b->stack.alt_hi += PAGE;
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
	bounds_foot = ARCH_LINK < 0 ? *(const uintptr_t *)reg[ARCH_SP]
				    : reg[ARCH_LINK < 0 ? 0 : ARCH_LINK];
}

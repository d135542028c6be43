/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/program/stacks.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "ompt_tool/program/next.h"
#include "ompt_tool/program/program.h"
#include "ompt_tool/program/witness.h"

#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ 51
#endif

enum {
	FRAME_LEAST = 2048,   /* the kernel's signal frame, where the kernel does not say */
	HANDLER_BYTES = 8192, /* for our handler, with room to spare, or the program's */
	OWN_BYTES = 65536,
	SMALL_BYTES = 131072, /* a thread's stack is small below that */
};

/* The calling thread's alternate stacks. */
static __thread struct {
	void *own; /* our stack; NULL: none yet */
	bool sampled;
	bool instead;	 /* the kernel uses ours in the place of the program's */
	stack_t program; /* the program's, where `instead' is set */
} mine __attribute__((tls_model("initial-exec")));

static size_t frame_bytes(void)
{
	const size_t least = getauxval(AT_MINSIGSTKSZ);

	return least > FRAME_LEAST ? least : FRAME_LEAST;
}

/* Room for a sample that interrupts a handler of the program's. */
static bool is_large_enough(const stack_t *s)
{
	return s->ss_size >= 2 * frame_bytes() + HANDLER_BYTES;
}

static bool is_on_own(void)
{
	const char here = 0, *at = &here;

	return mine.own && (uintptr_t)at - (uintptr_t)mine.own < OWN_BYTES;
}

static bool install_own(void)
{
	if (!mine.own) {
		void *p = mmap(NULL, OWN_BYTES, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);

		if (p == MAP_FAILED)
			return false;
		mine.own = p;
	}
	const stack_t own = { .ss_sp = mine.own, .ss_size = OWN_BYTES };

	return next.sigaltstack(&own, NULL) == 0;
}

/* Installs our stack in the place of the program's. */
static void put_own_instead(void)
{
	stack_t now;

	if (mine.instead || next.sigaltstack(NULL, &now) != 0 || (now.ss_flags & SS_ONSTACK) != 0 ||
	    ((now.ss_flags & SS_DISABLE) == 0 && is_large_enough(&now)))
		return;
	mine.program = now;
	mine.instead = install_own();
}

void stacks_begin(size_t stack_bytes)
{
	stack_t now;

	mine.sampled = true;
	if (next.sigaltstack(NULL, &now) == 0 &&
	    (stack_bytes < SMALL_BYTES || (now.ss_flags & SS_DISABLE) == 0))
		put_own_instead();
}

void stacks_enter(size_t bytes)
{
	if (mine.sampled && !mine.instead && bytes != 0 && bytes < SMALL_BYTES)
		put_own_instead();
}

void stacks_end(void)
{
	mine.sampled = false;
	if (!mine.own || is_on_own())
		return;
	if (mine.instead && next.sigaltstack(&mine.program, NULL) != 0)
		return;
	mine.instead = false;
	munmap(mine.own, OWN_BYTES);
	mine.own = NULL;
}

/* What sigaltstack() reports to the program while our stack is installed. */
static void see(stack_t *old)
{
	*old = mine.program;
	if ((old->ss_flags & SS_DISABLE) == 0 && is_on_own())
		old->ss_flags |= SS_ONSTACK;
}

/* Installs the program's stack, and ours in its place where a sample needs more room.
   All signals are blocked meanwhile: a sample must not run on a stack that is too
   small. */
static bool change(const stack_t *stack, stack_t *old)
{
	const bool none = (stack->ss_flags & SS_DISABLE) != 0;
	const uint64_t all = ~UINT64_C(0), before = mask_change(SIG_SETMASK, &all);

	/* The kernel checks the arguments and sets errno. */
	const bool changed = next.sigaltstack(stack, old) == 0;
	const int saved = errno;

	if (changed) {
		mine.program = *stack;
		mine.program.ss_flags &= SS_DISABLE;
		mine.instead = none ? mine.instead && install_own() :
				      !is_large_enough(stack) &&
					       (stack->ss_flags & ~SS_ONSTACK) == 0 &&
					       install_own();
	}
	mask_change(SIG_SETMASK, &before);
	errno = saved;
	return changed;
}

int stacks_change(const stack_t *stack, stack_t *old)
{
	stack_t seen;

	if (!mine.sampled)
		return next.sigaltstack(stack, old);
	if (!program_is_ours()) {
		/* A child that shares our memory, or was forked by a bare system call, has
		   inherited our stack. What it sets is its own, and `mine' is its parent's. */
		stack_t was;

		if (next.sigaltstack(stack, &was) != 0)
			return -1;
		if (mine.instead && was.ss_sp == mine.own) {
			const int on = was.ss_flags & SS_ONSTACK;

			was = mine.program;
			was.ss_flags |= (was.ss_flags & SS_DISABLE) == 0 ? on : 0;
		}
		if (old)
			*old = was;
		return 0;
	}
	if (!mine.instead && !stack)
		return next.sigaltstack(stack, old);
	const bool instead = mine.instead;

	if (instead) {
		see(&seen);
		if (stack && (seen.ss_flags & SS_ONSTACK) != 0) {
			errno = EPERM;
			return -1;
		}
	}
	if (stack && !change(stack, instead ? NULL : &seen))
		return -1;
	if (old)
		*old = seen;
	return 0;
}

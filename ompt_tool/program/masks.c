/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Limits: a system call instruction of the program's own, and the ucontext_t of getcontext()
 * or of a handler that the kernel calls itself (handlers.h), show the program witnesses in
 * place of open signals that it blocked, and can't unblock such a signal alone. A bare exec
 * passes the encoded mask on.
 */
#include "config.h"

#include "ompt_tool/program/masks.h"

#include <errno.h>
#include <stddef.h>

#include "ompt_tool/program/program.h"
#include "ompt_tool/program/shared.h"
#include "ompt_tool/program/witness.h"

/* The calling thread sleeps with this mask of the program's. Only a mark in the mask that
   the kernel restores says that it still does: siglongjmp() may have left the call. */
static __thread volatile bool sleeping __attribute__((tls_model("initial-exec")));
static __thread uint64_t sleeping_mask __attribute__((tls_model("initial-exec")));

static uint64_t uc_mask(const ucontext_t *uc)
{
	return mask_get(&uc->uc_sigmask);
}

void masks_show(sigset_t *set)
{
	mask_put(set, witness_decode(mask_get(set)));
}

/* ---- changes ---------------------------------------------------------------- */

static bool is_partial(uint64_t set)
{
	const struct witness *w = witness_now();

	return w && (set & w->group) != 0 && (set & w->group) != w->group;
}

static void name(uint64_t bits)
{
	sigset_t set;

	if (shared_names(bits) == 0 || !program_is_ours())
		return;
	sigemptyset(&set);
	mask_put(&set, bits);
	/* A number that follows another may be named, too. */
	while (shared_names(bits) != 0)
		shared_named_in(&set);
}

/* The mask that the program asks for. Of some numbers of the group it means just these, which
   then leave the group. */
static uint64_t literal(const sigset_t *set)
{
	const uint64_t bits = mask_get(set);

	name(bits);
	return bits;
}

/*
 * The same of a mask that it sets as a whole: it may be an encoded one that it has read in the
 * ucontext_t of a fault's handler. If the numbers are witnesses that masks were made with, and no
 * open signal is there, it is taken for that. In a program that blocks open signals, and then
 * sets a mask of a witness as a number of its own, the signal is blocked in the number's place.
 */
static uint64_t asked(const sigset_t *set)
{
	const struct witness *w = witness_now();
	const uint64_t bits = mask_get(set);

	/* Where the whole group was blocked, nearly all numbers were. */
	if (w && (bits & w->whole) != 0 && !shared_are_most(bits | w->group))
		return literal(set);
	if (is_partial(bits) && (bits & w->group & ~witness_emitted()) == 0 &&
	    (bits & w->open) == 0)
		return witness_decode(bits);
	return literal(set);
}

void masks_hide(sigset_t *set)
{
	mask_put(set, witness_encode(literal(set)));
}

void masks_named(const sigset_t *set, bool may_be_encoded)
{
	const struct witness *w = witness_now();
	const uint64_t bits = mask_get(set);

	if (!w || (may_be_encoded && shared_are_most(bits)))
		return;
	name(may_be_encoded ? bits & ~(w->group & witness_emitted()) : bits);
}

/* Counters must have left the numbers before the kernel blocks them. */
static void settle(uint64_t set)
{
	uint64_t all = ~UINT64_C(0), before;

	if ((set & shared_left()) == 0 || !program_hooks.settles || !program_is_ours())
		return;
	before = mask_change(SIG_SETMASK, &all);
	program_hooks.settles();
	mask_change(SIG_SETMASK, &before);
}

static uint64_t changed(uint64_t from, int how, uint64_t set)
{
	if (how == SIG_BLOCK)
		return from | set;
	return how == SIG_UNBLOCK ? from & ~set : set;
}

int masks_change(int (*native)(int, const sigset_t *, sigset_t *), int how, const sigset_t *set,
		 sigset_t *old)
{
	sigset_t to, before;
	uint64_t bits, was;
	int result;

	if (!witness_now() || !set) {
		result = native(how, set, old);
		if (result == 0 && old)
			masks_show(old);
		return result;
	}
	sleeping = false;
	bits = how == SIG_UNBLOCK ? mask_get(set) : how == SIG_BLOCK ? literal(set) : asked(set);
	if (how != SIG_UNBLOCK)
		settle(bits);
	/* One call of the kernel's, so that no handler's change of the mask is lost. */
	const bool partial = how != SIG_SETMASK && is_partial(bits);

	to = *set;
	mask_put(&to, partial		 ? 0 :
		      how == SIG_UNBLOCK ? witness_unblock(bits) :
					   witness_encode(bits));
	result = native(how, &to, &before);
	if (result != 0)
		return result;
	was = mask_get(&before);
	/* But for masks that are literal, or were until now. */
	if (partial || (how != SIG_SETMASK && (witness_is_literal(was) || witness_is_old(was)))) {
		bits = changed(witness_decode(was), how, bits);
		name(bits);
		settle(bits);
		bits = witness_encode(bits);
		mask_change(SIG_SETMASK, &bits);
	}
	if (old)
		mask_put(old, witness_decode(was));
	return 0;
}

/* Encodes the thread's mask anew. What is only removed is removed in one call. */
static void encode_again(void)
{
	const uint64_t was = mask_change(SIG_BLOCK, NULL);
	const uint64_t now = witness_encode(witness_decode(was)), removed = was & ~now;

	settle(now & ~was);
	if ((now & ~was) != 0)
		mask_change(SIG_SETMASK, &now);
	else if (removed != 0)
		mask_change(SIG_UNBLOCK, &removed);
}

void masks_open(void)
{
	if (witness_now())
		encode_again();
}

void masks_true(sigset_t *before)
{
	const uint64_t was = mask_change(SIG_BLOCK, NULL), now = witness_decode(was);

	sigemptyset(before);
	mask_put(before, was);
	if (now != was)
		mask_change(SIG_SETMASK, &now);
}

void masks_back(const sigset_t *before)
{
	const uint64_t bits = mask_get(before);

	mask_change(SIG_SETMASK, &bits);
}

/* ---- in our handlers ---------------------------------------------------------- */

/* A signal that comes though the mask to be restored blocks it came in a call with a mask
   of its own. */
bool masks_blocks(int signo, const ucontext_t *uc)
{
	const uint64_t bit = mask_bit(signo), kernel = uc_mask(uc);

	return (kernel & bit) == 0 && (witness_decode(kernel) & bit) != 0;
}

/* Counters leave a number before the kernel blocks it. All signals are blocked here. */
static void set_uc_mask(ucontext_t *uc, uint64_t kernel)
{
	if ((shared_left() & kernel & ~uc_mask(uc)) != 0 && program_hooks.settles &&
	    program_is_ours())
		program_hooks.settles();
	mask_put(&uc->uc_sigmask, kernel);
}

void masks_hold(int signo, ucontext_t *uc)
{
	set_uc_mask(uc, witness_encode(witness_decode(uc_mask(uc))) | mask_bit(signo));
}

void masks_refresh(ucontext_t *uc)
{
	if (witness_is_old(uc_mask(uc)))
		set_uc_mask(uc, witness_encode(witness_decode(uc_mask(uc))));
}

/* What the interrupted system call returned. */
static long call_result(const ucontext_t *uc)
{
#if defined(__x86_64__)
	return (long)uc->uc_mcontext.gregs[REG_RAX];
#elif defined(__aarch64__)
	return (long)uc->uc_mcontext.regs[0];
#else
	return (long)uc->uc_mcontext.__gregs[10];
#endif
}

void masks_hide_interrupted(ucontext_t *uc)
{
	const uint64_t kernel = witness_encode(literal(&uc->uc_sigmask));

	settle(kernel);
	mask_put(&uc->uc_sigmask, kernel);
}

uint64_t masks_interrupted(const ucontext_t *uc)
{
	const uint64_t kernel = uc_mask(uc);
	const bool asleep = sleeping && witness_is_literal(kernel) && call_result(uc) == -EINTR;

	if (asleep)
		sleeping = false;
	return asleep ? sleeping_mask : witness_decode(kernel);
}

/* ---- waits -------------------------------------------------------------------- */

void masks_taken(int signo)
{
	const uint64_t bit = mask_bit(signo), kernel = mask_change(SIG_BLOCK, NULL);
	sigset_t pending;

	if ((kernel & bit & ~witness_encode(witness_decode(kernel))) != 0 &&
	    sigpending(&pending) == 0 && sigismember(&pending, signo) == 0)
		mask_change(SIG_UNBLOCK, &bit);
}

/* The numbers to shield a sleep from, without those that have a handler of the program's
   and that the sleeping call accepts: these may interrupt it. blocked: what the call's
   mask blocks; NULL: the thread's. */
static uint64_t to_shield(const uint64_t *blocked)
{
	uint64_t bits = shared_shielded_bits();

	for (int i = 0; bits != 0 && i < SHARED_SLOTS; i++) {
		const uint64_t bit = shared_signo(i) != 0 ? mask_bit(shared_signo(i)) : 0;
		struct sigaction a;

		if ((bits & bit) == 0)
			continue;
		shared_disposition(i, &a);
		if (!shared_has_handler(&a))
			continue;
		const uint64_t mask = blocked ? *blocked :
						witness_decode(mask_change(SIG_BLOCK, NULL));

		if ((mask & bit) == 0)
			bits &= ~bit;
	}
	return bits;
}

/* The number beside them by which SIGTRAP is known not to be the program's. Of the queued
   number's group no number is the program's alone. */
static uint64_t shield(uint64_t bits)
{
	const struct witness *w = witness_now();

	return w && (bits & w->shielded) != 0 ? bits | w->shield : bits;
}

uint64_t masks_shield(void)
{
	sigset_t none;

	sigemptyset(&none);
	return masks_shield_but(&none);
}

uint64_t masks_shield_but(const sigset_t *but)
{
	if (shared_shielded() == 0 || !program_is_ours())
		return 0;
	const uint64_t bits = shield(to_shield(NULL) & ~mask_get(but));

	return bits != 0 ? bits & ~mask_change(SIG_BLOCK, &bits) : 0;
}

void masks_unshield(uint64_t blocked)
{
	mask_change(SIG_UNBLOCK, &blocked);
}

/* ---- calls that sleep with a mask of their own ---------------------------------- */

/*
 * The mask to be restored is literal meanwhile. So a signal that the program blocks
 * before the call, and accepts in it, waits for the call, as it would without us.
 */
const sigset_t *masks_swap(struct masks_swap *s, const sigset_t *mask)
{
	uint64_t bits, own;

	s->swapped = mask && witness_now();
	if (!s->swapped)
		return mask;
	bits = asked(mask);
	settle(bits);
	own = witness_literal(witness_decode(mask_change(SIG_BLOCK, NULL)), true);
	mask_change(SIG_SETMASK, &own);
	sleeping_mask = bits;
	sleeping = true;
	s->native = *mask;
	mask_put(&s->native, witness_literal(bits, false) |
				     (program_is_ours() ? shield(to_shield(&bits) & ~bits) : 0));
	return &s->native;
}

void masks_swap_back(const struct masks_swap *s)
{
	if (!s->swapped)
		return;
	sleeping = false;
	encode_again();
}

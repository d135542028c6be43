/*
 * masks.c - see masks.h.
 *
 * A limit: siglongjmp(), setcontext() and swapcontext() restore the kernel's mask
 * without calling us. The virtual mask stays as it was.
 */
#include "config.h"

#include "ompt_tool/program/masks.h"

#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ompt_tool/program/next.h"
#include "ompt_tool/program/owner.h"
#include "ompt_tool/program/program.h"
#include "ompt_tool/program/shared.h"

/* The calling thread's virtual mask and held signals. Handlers of the thread read and
   change both at any instruction, so each change is one atomic operation. */
static __thread volatile uint32_t blocked __attribute__((tls_model("initial-exec")));
static __thread volatile uint32_t held __attribute__((tls_model("initial-exec")));
/* The slots whose numbers the thread's kernel mask has been cleared of. */
static __thread volatile uint32_t opened __attribute__((tls_model("initial-exec")));
/* The thread sleeps in a call with this mask. */
static __thread volatile bool swapped __attribute__((tls_model("initial-exec")));
static __thread uint64_t swapped_mask __attribute__((tls_model("initial-exec")));
/* The vfork's child whose kernel mask is the program's already. */
static __thread volatile pid_t true_in __attribute__((tls_model("initial-exec")));

static void set_bits(volatile uint32_t *of, uint32_t bits)
{
	__atomic_fetch_or(of, bits, __ATOMIC_RELAXED);
}

static void clear_bits(volatile uint32_t *of, uint32_t bits)
{
	__atomic_fetch_and(of, ~bits, __ATOMIC_RELAXED);
}

static uint32_t blocked_after(int how, const sigset_t *set, uint32_t now, uint32_t open)
{
	if (how == SIG_BLOCK)
		return now | shared_in(set, open);
	if (how == SIG_UNBLOCK)
		return now & ~shared_in(set, SHARED_ALL);
	return shared_in(set, open);
}

static void add_blocked(sigset_t *old, uint32_t slots)
{
	if (old)
		shared_add(old, slots);
}

/* A vfork's child shares our thread's memory, but has a kernel mask of its own. That
   mask becomes the program's before the first change, and the virtual mask of the
   parent stays. */
static int change_in_child(int (*native)(int, const sigset_t *, sigset_t *), int how,
			   const sigset_t *set, sigset_t *old)
{
	const pid_t me = (pid_t)syscall(SYS_getpid);

	if (true_in != me && set) {
		masks_true(NULL);
		true_in = me;
	}
	int result = native(how, set, old);

	if (result == 0 && true_in != me)
		add_blocked(old, blocked);
	return result;
}

int masks_change(int (*native)(int, const sigset_t *, sigset_t *), int how, const sigset_t *set,
		 sigset_t *old)
{
	uint32_t before, held_before;
	sigset_t copy;

	if (owner_is_shared())
		return change_in_child(native, how, set, old);
	masks_settle();
	before = blocked;
	held_before = held;
	if (shared_open() == 0 && before == 0)
		return native(how, set, old);
	if (set) {
		swapped = false; /* a handler may have left the call by siglongjmp() */
		if (how != SIG_UNBLOCK)
			shared_named_in(set);
		masks_settle();
		const uint32_t open =
			shared_open(); /* another thread may take a number meanwhile */
		blocked = blocked_after(how, set, before, open);
		clear_bits(&held, ~blocked);
		copy = *set;
		if (how != SIG_UNBLOCK)
			shared_remove(&copy, open & ~held);
		set = &copy;
	}
	int result = native(how, set, old);

	if (result != 0) {
		blocked = before;
		set_bits(&held, held_before);
	} else {
		add_blocked(old, before);
	}
	return result;
}

bool masks_blocks(int slot)
{
	return (blocked & SHARED_BIT(slot)) != 0;
}

void masks_hold(int slot, sigset_t *kernel)
{
	shared_add(kernel, SHARED_BIT(slot));
	if ((shared_open() & SHARED_BIT(slot)) != 0) {
		set_bits(&held, SHARED_BIT(slot));
		return;
	}
	clear_bits(&blocked, SHARED_BIT(slot));
	if (program_hooks.settles)
		program_hooks.settles();
}

void masks_settle(void)
{
	const uint32_t left = blocked & ~shared_open();
	sigset_t all, before;

	if (left == 0)
		return;
	memset(&all, 0xff, sizeof(all));
	next.pthread_sigmask(SIG_SETMASK, &all, &before);
	if (program_hooks.settles)
		program_hooks.settles();
	clear_bits(&blocked, left);
	clear_bits(&held, left);
	shared_add(&before, left);
	next.pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Unblocks the held signals that pend no more. */
static void release(void)
{
	sigset_t pending, set;
	const uint32_t over = held != 0 && sigpending(&pending) == 0 ?
				      held & ~shared_in(&pending, held) & shared_open() :
				      0;

	if (over == 0)
		return;
	clear_bits(&held, over);
	sigemptyset(&set);
	shared_add(&set, over);
	next.pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

void masks_taken(int slot)
{
	if ((held & SHARED_BIT(slot)) != 0)
		release();
}

uint32_t masks_virtual(void)
{
	return blocked;
}

/* A signal that pends is delivered by the unblocking: `blocked' must be right before. */
void masks_open(void)
{
	const uint32_t open = shared_open(); /* another thread may take a number meanwhile */
	sigset_t set;

	if (next.pthread_sigmask(SIG_BLOCK, NULL, &set) != 0)
		return;
	set_bits(&blocked, shared_in(&set, open));
	set_bits(&opened, open);
	sigemptyset(&set);
	shared_add(&set, open);
	next.pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

bool masks_open_fresh(sigset_t *kernel)
{
	const uint32_t fresh = shared_open() & ~opened;

	/* A thread that is not sampled needs none. */
	if (fresh == 0 || opened == 0 || owner_is_shared())
		return false;
	set_bits(&blocked, shared_in(kernel, fresh));
	set_bits(&opened, fresh);
	shared_remove(kernel, fresh);
	return true;
}

/* The shielded slots, without those that have a handler of the program's and that the
   sleeping call accepts: these may interrupt it. */
static uint32_t shield(uint32_t accepted)
{
	uint32_t slots = shared_shielded();

	for (int i = 0; i < SHARED_SLOTS; i++) {
		struct sigaction a;

		if ((slots & accepted & SHARED_BIT(i)) == 0)
			continue;
		shared_disposition(i, &a);
		if (a.sa_handler != SIG_DFL && a.sa_handler != SIG_IGN)
			slots &= ~SHARED_BIT(i);
	}
	return slots;
}

const sigset_t *masks_swap(struct masks_swap *s, const sigset_t *mask)
{
	s->before = blocked;
	if (!mask || !program_is_ours())
		return mask;
	shared_named_in(mask);
	const uint32_t open = shared_open();
	s->native = *mask;
	blocked = shared_in(mask, open);
	shared_remove(&s->native, open & ~held);
	shared_add(&s->native, shield(~blocked));
	memcpy(&swapped_mask, &s->native, sizeof(swapped_mask));
	swapped = true;
	return &s->native;
}

void masks_swap_back(const struct masks_swap *s)
{
	swapped = false;
	blocked = s->before;
	release();
}

sigset_t masks_interrupted(const sigset_t *saved)
{
	sigset_t mask = *saved;

	if (swapped)
		memcpy(&mask, &swapped_mask, sizeof(swapped_mask));
	return mask;
}

bool masks_shield(void)
{
	sigset_t none;

	sigemptyset(&none);
	return masks_shield_but(&none);
}

bool masks_shield_but(const sigset_t *but)
{
	sigset_t set, before;
	uint32_t slots;

	if (shared_shielded() == 0 || !program_is_ours())
		return false;
	slots = shield(~blocked) & ~shared_in(but, SHARED_ALL);
	sigemptyset(&set);
	shared_add(&set, slots);
	return slots != 0 && next.pthread_sigmask(SIG_BLOCK, &set, &before) == 0 &&
	       shared_in(&before, slots) != slots;
}

void masks_unshield(void)
{
	sigset_t set;

	sigemptyset(&set);
	shared_add(&set, shared_shielded() & ~held);
	next.pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

void masks_true(sigset_t *before)
{
	sigset_t set;

	sigemptyset(&set);
	if (true_in != (pid_t)syscall(SYS_getpid))
		shared_add(&set, blocked);
	next.pthread_sigmask(SIG_BLOCK, &set, before);
}

void masks_back(const sigset_t *before)
{
	next.pthread_sigmask(SIG_SETMASK, before, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wrap_signals.c - wrappers of libc's functions on signals.
 *
 * Each wrapper asks whether the process is ours, and leaves the work to the file
 * that owns it (shared.c, masks.c, waits.c, stacks.c).
 */
#include "config.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/signalfd.h>
#include <ucontext.h>

#include "ompt_tool/program/handlers.h"
#include "ompt_tool/program/masks.h"
#include "ompt_tool/program/next.h"
#include "ompt_tool/program/program.h"
#include "ompt_tool/program/shared.h"
#include "ompt_tool/program/stacks.h"
#include "ompt_tool/program/waits.h"
#include "ompt_tool/program/witness.h"
#include "ompt_tool/program/wrappers.h"

/* ---- dispositions --------------------------------------------------------- */

/* The handler's mask is in the kernel as the program's own is (witness.h), and handlers.h's
   function may be there in the handler's place. routed: it may be from here on. */
static int native_action(int signo, const struct sigaction *act, struct sigaction *old, bool routed)
{
	struct sigaction copy;

	if (act) {
		copy = *act;
		masks_hide(&copy.sa_mask);
		act = &copy;
	}
	const int result = (routed && handlers_may_route(signo) ? handlers_change :
								  next.sigaction)(signo, act, old);

	if (result == 0 && old) {
		masks_show(&old->sa_mask);
		handlers_show(signo, old);
	}
	return result;
}

/* A vfork's child has kernel dispositions of its own. Where it has not replaced our
   handler, `old' is the parent's disposition. */
static int action_in_child(int signo, const struct sigaction *act, struct sigaction *old)
{
	const int slot = shared_slot(signo);
	struct sigaction was;
	int result = native_action(signo, act, &was, false);

	if (result == 0 && slot != SHARED_NONE && shared_is_own(&was))
		shared_disposition(slot, &was);
	if (result == 0 && old)
		*old = was;
	return result;
}

/* sigaction(), for all wrappers below. */
static int action(int signo, const struct sigaction *act, struct sigaction *old)
{
	next_find();
	if (owner_is_shared())
		return action_in_child(signo, act, old);
	if (!program_is_ours())
		return native_action(signo, act, old, false);
	if (act)
		shared_named(signo);
	const int slot = shared_slot(signo);

	if (slot == SHARED_NONE)
		return native_action(signo, act, old, true);
	shared_dispose(slot, act, old);
	return 0;
}

static __sighandler_t handle(int signo, __sighandler_t handler, int flags, bool blocks)
{
	struct sigaction act = { .sa_flags = flags }, old;

	/* SIG_ERR is no handler: libc's functions fail with EINVAL too. */
	if (handler == SIG_ERR) {
		errno = EINVAL;
		return SIG_ERR;
	}
	act.sa_handler = handler;
	if (blocks) /* as by libc's signal(): sigaction() shows it */
		sigaddset(&act.sa_mask, signo);
	return action(signo, &act, &old) == 0 ? old.sa_handler : SIG_ERR;
}

/* The numbers for which the program has called siginterrupt(): libc applies that to
   later calls of signal(), and so do we. */
static _Atomic uint64_t interrupting;

/* Whether its disposition is kept here, in part at least: libc's own functions would show ours. */
static int is_ours(int signo)
{
	next_find();
	if (program_is_ours())
		shared_named(signo);
	return handlers_may_route(signo) ||
	       ((program_is_ours() || owner_is_shared()) && shared_slot(signo) != SHARED_NONE);
}

WRAPS(int, sigaction, (int signo, const struct sigaction *act, struct sigaction *old),
      action(signo, act, old))

int __sigaction(int signo, const struct sigaction *act, struct sigaction *old);
WRAPS(int, __sigaction, (int signo, const struct sigaction *act, struct sigaction *old),
      action(signo, act, old))

static __sighandler_t handle_again(int signo, __sighandler_t handler)
{
	return is_ours(signo) ?
		       handle(signo, handler,
			      (interrupting & mask_bit(signo)) != 0 ? 0 : SA_RESTART, true) :
		       next.signal(signo, handler);
}

WRAPS(__sighandler_t, signal, (int signo, __sighandler_t handler), handle_again(signo, handler))

__sighandler_t bsd_signal(int signo, __sighandler_t handler);
WRAPS(__sighandler_t, bsd_signal, (int signo, __sighandler_t handler), handle_again(signo, handler))

WRAPS(__sighandler_t, ssignal, (int signo, __sighandler_t handler), handle_again(signo, handler))

static __sighandler_t handle_once(int signo, __sighandler_t handler)
{
	return handle(signo, handler, (int)(SA_RESETHAND | SA_NODEFER), false);
}

/* What signal() is called in programs built with System V semantics. */
__sighandler_t __sysv_signal(int signo, __sighandler_t handler);
WRAPS(__sighandler_t, __sysv_signal, (int signo, __sighandler_t handler),
      handle_once(signo, handler))

WRAPS(__sighandler_t, sysv_signal, (int signo, __sighandler_t handler), handle_once(signo, handler))

static int change_one(int how, int signo, sigset_t *old)
{
	sigset_t one;

	sigemptyset(&one);
	if (sigaddset(&one, signo) != 0)
		return -1;
	return masks_change(next.sigprocmask, how, &one, old);
}

EXPORT __sighandler_t WRAPPER(sigset)(int signo, __sighandler_t disposition)
{
	struct sigaction old;
	sigset_t before;

	if (!is_ours(signo))
		return next.sigset(signo, disposition);
	if (disposition == SIG_HOLD) {
		if (change_one(SIG_BLOCK, signo, &before) != 0 || action(signo, NULL, &old) != 0)
			return SIG_ERR;
	} else {
		struct sigaction act = { .sa_flags = 0 };

		act.sa_handler = disposition;
		if (action(signo, &act, &old) != 0 || change_one(SIG_UNBLOCK, signo, &before) != 0)
			return SIG_ERR;
	}
	return sigismember(&before, signo) == 1 ? SIG_HOLD : old.sa_handler;
}

EXPORT int WRAPPER(sighold)(int signo)
{
	return is_ours(signo) ? change_one(SIG_BLOCK, signo, NULL) : next.sighold(signo);
}

EXPORT int WRAPPER(sigrelse)(int signo)
{
	return is_ours(signo) ? change_one(SIG_UNBLOCK, signo, NULL) : next.sigrelse(signo);
}

EXPORT int WRAPPER(sigignore)(int signo)
{
	if (!is_ours(signo))
		return next.sigignore(signo);
	return handle(signo, SIG_IGN, 0, false) != SIG_ERR ? 0 : -1;
}

EXPORT int WRAPPER(siginterrupt)(int signo, int flag)
{
	struct sigaction act;

	if (!is_ours(signo))
		return next.siginterrupt(signo, flag);
	if (action(signo, NULL, &act) != 0)
		return -1;
	if (flag)
		interrupting |= mask_bit(signo);
	else
		interrupting &= ~mask_bit(signo);
	act.sa_flags = flag ? act.sa_flags & ~SA_RESTART : act.sa_flags | SA_RESTART;
	return action(signo, &act, NULL);
}

/* ---- masks ---------------------------------------------------------------- */

EXPORT int WRAPPER(pthread_sigmask)(int how, const sigset_t *set, sigset_t *old)
{
	next_find();
	return masks_change(next.pthread_sigmask, how, set, old);
}

EXPORT int WRAPPER(sigprocmask)(int how, const sigset_t *set, sigset_t *old)
{
	next_find();
	return masks_change(next.sigprocmask, how, set, old);
}

static int suspend(const sigset_t *mask)
{
	struct waits w;
	const int result = next.sigsuspend(waits_begin(&w, mask));

	waits_end(&w);
	return result;
}

WRAPS(int, sigsuspend, (const sigset_t *mask), suspend(mask))

int __sigsuspend(const sigset_t *mask);
WRAPS(int, __sigsuspend, (const sigset_t *mask), suspend(mask))

/* Those of BSD have masks of the signals 1 to 32. */
static int change_low(int how, int mask)
{
	sigset_t set, old;

	next_find();
	sigemptyset(&set);
	sigemptyset(&old);
	mask_put(&set, (unsigned)mask);
	if (masks_change(next.sigprocmask, how, &set, &old) != 0)
		return -1;
	return (int)mask_get(&old);
}

WRAPS(int, sigsetmask, (int mask), change_low(SIG_SETMASK, mask))

WRAPS(int, sigblock, (int mask), change_low(SIG_BLOCK, mask))

WRAPS(int, siggetmask, (void), change_low(SIG_BLOCK, 0))

/* sigpause() of BSD has a mask, that of X/Open one signal to be unblocked. */
static int pause_with(int mask_or_signo, int is_signo)
{
	sigset_t set;

	next_find();
	sigemptyset(&set);
	if (!is_signo)
		mask_put(&set, (unsigned)mask_or_signo);
	else if (masks_change(next.sigprocmask, SIG_BLOCK, NULL, &set) != 0 ||
		 sigdelset(&set, mask_or_signo) != 0)
		return -1;
	return suspend(&set);
}

int __sigpause(int mask_or_signo, int is_signo);
WRAPS(int, __sigpause, (int mask_or_signo, int is_signo), pause_with(mask_or_signo, is_signo))

static int own_sigpause(int mask)
{
	return pause_with(mask, 0);
}

#ifndef OMPHWC_LINKED
/* <signal.h> gives sigpause() the name of X/Open's. */
EXPORT int sigpause_of_bsd(int mask) __asm__("sigpause");
EXPORT int sigpause_of_bsd(int mask)
{
	return own_sigpause(mask);
}
#endif

int __xpg_sigpause(int signo);
WRAPS(int, __xpg_sigpause, (int signo), pause_with(signo, 1))

/* ---- waits ---------------------------------------------------------------- */

EXPORT int WRAPPER(sigtimedwait)(const sigset_t *set, siginfo_t *info,
				 const struct timespec *timeout)
{
	next_find();
	return waits_take(set, info, timeout);
}

EXPORT int WRAPPER(sigwaitinfo)(const sigset_t *set, siginfo_t *info)
{
	next_find();
	return waits_take(set, info, NULL);
}

EXPORT int WRAPPER(sigwait)(const sigset_t *set, int *signo)
{
	int taken;

	next_find();
	do
		taken = waits_take(set, NULL, NULL);
	while (taken < 0 && errno == EINTR);
	if (taken < 0)
		return errno;
	*signo = taken;
	return 0;
}

EXPORT int WRAPPER(signalfd)(int fd, const sigset_t *mask, int flags)
{
	next_find();
	return waits_descriptor(fd, mask, flags);
}

/* ---- sending -------------------------------------------------------------- */

/* The program sends the signal: counters leave the number before it is sent. */
static void sends(int signo)
{
	next_find();
	if (shared_slot(signo) != SHARED_NONE && program_is_ours())
		shared_named(signo);
}

#define SENDS(name, native, parameters, arguments) \
	EXPORT int WRAPPER(name) parameters \
	{ \
		sends(signo); \
		return next.native arguments; \
	}
SENDS(kill, kill, (pid_t pid, int signo), (pid, signo))
SENDS(killpg, killpg, (pid_t group, int signo), (group, signo))
SENDS(raise, raise, (int signo), (signo))
SENDS(gsignal, raise, (int signo), (signo))
SENDS(sigqueue, sigqueue, (pid_t pid, int signo, const union sigval value), (pid, signo, value))
SENDS(pthread_kill, pthread_kill, (pthread_t thread, int signo), (thread, signo))
SENDS(pthread_sigqueue, pthread_sigqueue, (pthread_t thread, int signo, const union sigval value),
      (thread, signo, value))

/* ---- stacks --------------------------------------------------------------- */

EXPORT int WRAPPER(sigaltstack)(const stack_t *stack, stack_t *old)
{
	next_find();
	return stacks_change(stack, old);
}

EXPORT int WRAPPER(swapcontext)(ucontext_t *from, const ucontext_t *to)
{
	next_find();
	masks_named(&to->uc_sigmask, true);
	stacks_enter(to->uc_stack.ss_size);
	return next.swapcontext(from, to);
}

EXPORT int WRAPPER(setcontext)(const ucontext_t *to)
{
	next_find();
	masks_named(&to->uc_sigmask, true);
	stacks_enter(to->uc_stack.ss_size);
	return next.setcontext(to);
}

/* ---- by names of their own, for bind.c -------------------------------------- */

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmissing-attributes" /* of an alias: they are the same */
#endif

/* clang-format off */
#define WRAPPERS(X) \
	X(sigaction) X(__sigaction) X(signal) X(bsd_signal) X(ssignal) X(__sysv_signal) \
	X(sysv_signal) X(sigset) X(sighold) X(sigrelse) X(sigignore) X(siginterrupt) \
	X(pthread_sigmask) X(sigprocmask) X(sigsetmask) X(sigblock) X(siggetmask) X(sigsuspend) \
	X(__sigsuspend) X(__sigpause) X(__xpg_sigpause) X(sigtimedwait) X(sigwaitinfo) X(sigwait) \
	X(signalfd) X(kill) X(killpg) X(raise) X(gsignal) X(sigqueue) X(pthread_kill) \
	X(pthread_sigqueue) X(sigaltstack) X(swapcontext) X(setcontext)
WRAPPERS(WRAPPER_ALIAS)
const struct wrapper wrappers_signals[] = { WRAPPERS(WRAPPER_ROW) WRAPPER_ROW(sigpause) };
/* clang-format on */
const size_t wrappers_nsignals = sizeof(wrappers_signals) / sizeof(*wrappers_signals);

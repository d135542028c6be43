/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deliver.c - takes samples, and gives the program each shared signal that no
 * counter sent, with the effect that the signal would have without us.
 *
 * Our handlers run with all signals blocked but SIGBUS: the sample hook writes to a
 * mapped file that anybody may truncate, and a SIGBUS that is blocked kills.
 */
#include "config.h"

#include "ompt_tool/program/deliver.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "ompt_tool/program/handlers.h"
#include "ompt_tool/program/masks.h"
#include "ompt_tool/program/next.h"
#include "ompt_tool/program/program.h"
#include "ompt_tool/program/shared.h"
#include "ompt_tool/program/waits.h"
#include "ompt_tool/program/witness.h"

/* Whether the signal interrupted one of our handlers, which run with this mask. */
static bool is_in_ours(const ucontext_t *uc)
{
	const uint64_t never = mask_bit(SIGKILL) | mask_bit(SIGSTOP) | mask_bit(SIGBUS);

	return mask_get(&uc->uc_sigmask) == ~never;
}

/* Whether the kernel sent the signal for what the interrupted instruction did. (An int3
   is SI_KERNEL on x86, and so is an O_ASYNC file's SIGIO.) */
static bool is_fault(int signo, const siginfo_t *info)
{
	return signo != SIGIO && info->si_code > 0;
}

/* Sends the signal again, with its siginfo_t: to this thread, or to the process, where
   the kernel chooses a thread that does not block it. */
static void send_again(int signo, siginfo_t *info, bool to_thread)
{
	const pid_t pid = (pid_t)syscall(SYS_getpid), tid = (pid_t)syscall(SYS_gettid);
	long failed = to_thread ? syscall(SYS_rt_tgsigqueueinfo, pid, tid, signo, info) :
				  syscall(SYS_rt_sigqueueinfo, pid, signo, info);

	/* When the queue is full, the signal is sent without its siginfo_t. */
	if (failed != 0)
		syscall(SYS_tgkill, pid, tid, signo);
}

/* Whether the kernel drops signals that the process does not handle: the first process of a
   PID namespace. It is ended by faults alone. */
static bool is_init(void)
{
	return syscall(SYS_getpid) == 1;
}

/* Lets the kernel take the default action, which ends the program: sends the signal
   again with SIG_DFL installed and the signal unblocked. */
static void take_default(int signo, siginfo_t *info, ucontext_t *uc)
{
	struct sigaction dfl = { .sa_handler = SIG_DFL };

	if (is_init() && !is_fault(signo, info))
		return;
	next.sigaction(signo, &dfl, NULL);
	sigdelset(&uc->uc_sigmask, signo);
	send_again(signo, info, true);
}

/* A counter's signal whose descriptor was closed meanwhile looks like one of the
   program's. Where the program has no handler for it, it must not kill. */
static bool may_be_stale(int signo, const siginfo_t *info)
{
	if (signo == SIGIO)
		return info->si_code == SI_KERNEL;
	return signo >= SIGRTMIN && info->si_code >= POLL_IN && info->si_code <= POLL_HUP;
}

static void deliver_to_program(int signo, siginfo_t *info, ucontext_t *uc)
{
	const int slot = shared_slot(signo);
	const bool fault = is_fault(signo, info);
	const bool inside = is_in_ours(uc) && !fault;
	const bool blocked = masks_blocks(signo, uc) || inside;
	struct sigaction a;

	handlers_received(signo, info, uc);
	shared_disposition(slot, &a);
	if (!may_be_stale(signo, info))
		shared_named(signo);
	if (blocked && !fault) {
		if (inside) /* until our handler returns */
			sigaddset(&uc->uc_sigmask, signo);
		else
			masks_hold(signo, uc);
		send_again(signo, info, inside || info->si_code == SI_TKILL);
	} else if (shared_has_handler(&a) && !blocked && !fault &&
		   (a.sa_flags & (int)SA_RESETHAND) == 0 && handlers_send_on(signo, info)) {
		return;
	} else if (shared_has_handler(&a) && !blocked) {
		struct sigaction dfl = { .sa_handler = SIG_DFL };

		if ((a.sa_flags & SA_RESETHAND) != 0)
			shared_dispose(slot, &dfl, NULL);
		/* Calls the program's handler with the mask that it would have without us, and
		   shows it the interrupted mask as the program set it. The kernel restores what
		   the handler has made of that. */
		uint64_t bits = masks_interrupted(uc) | mask_get(&a.sa_mask);

		if ((a.sa_flags & SA_NODEFER) == 0)
			bits |= mask_bit(signo);
		bits = witness_encode(bits);
		masks_show(&uc->uc_sigmask);
		mask_change(SIG_SETMASK, &bits);
		if ((a.sa_flags & SA_SIGINFO) != 0)
			a.sa_sigaction(signo, info, uc);
		else
			a.sa_handler(signo);
		masks_hide_interrupted(uc);
	} else if ((a.sa_handler != SIG_IGN || fault) && !may_be_stale(signo, info)) {
		take_default(signo, info, uc);
	}
}

void deliver_signal(int signo, siginfo_t *info, void *ucontext)
{
	int saved = errno;

	const bool taken = (waits_is_over() ? program_hooks.sample_held :
					      program_hooks.sample)(signo, info, ucontext);

	if (!taken && shared_slot(signo) != SHARED_NONE)
		deliver_to_program(signo, info, ucontext);
	masks_refresh(ucontext);
	errno = saved;
}

/* The program's handler must not run in the middle of a sample: deliver_to_program()
   then sends the signal again for later. */
void deliver_fault(int signo, siginfo_t *info, void *ucontext)
{
	int saved = errno;

	if (info->si_code <= 0 || !program_hooks.fault || !program_hooks.fault(info->si_addr))
		deliver_to_program(signo, info, ucontext);
	errno = saved;
}

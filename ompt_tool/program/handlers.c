/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernel keeps flags and mask, and ours calls what the table has. A handler that the kernel
 * removes at the first signal (SA_RESETHAND) is called directly: sent on, that signal would find
 * none.
 */
#include "config.h"

#include "ompt_tool/program/handlers.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "ompt_tool/program/masks.h"
#include "ompt_tool/program/next.h"
#include "ompt_tool/program/shared.h"
#include "ompt_tool/program/witness.h"
#include "src/profile/syscalls.h"

enum { SIGNALS = 65 };

#define ALL (~UINT64_C(0))

typedef void handler(int, siginfo_t *, void *);

/* Owned by this file: the program's handlers, and those that it set without SA_SIGINFO. */
static handler *_Atomic routed[SIGNALS];
static _Atomic uint64_t plain;

/* What the kernel said of a signal that is sent on. It lets no thread send another one its own
   siginfo_t. */
static struct letter {
	_Atomic uint32_t state;
	siginfo_t info;
} letters[SIGNALS];

enum { LETTER_FREE, LETTER_BUSY, LETTER_SENT };

/* Faults go to the thread that made them. */
bool handlers_may_route(int signo)
{
	switch (signo) {
	case SIGILL:
	case SIGABRT:
	case SIGBUS:
	case SIGFPE:
	case SIGSEGV:
	case SIGTRAP:
	case SIGSYS:
	case SIGKILL:
	case SIGSTOP: return false;
	}
	return signo > 0 && signo < SIGNALS && shared_signo(0) != 0;
}

/* ---- where it runs -------------------------------------------------------------- */

/* A number in /proc/PID/task/TID/status; false: it is not there. */
static bool find(const char *text, const char *name, uint64_t *bits)
{
	const char *at = strstr(text, name);

	if (!at)
		return false;
	*bits = 0;
	for (at += strlen(name); (*at >= '0' && *at <= '9') || (*at >= 'a' && *at <= 'f'); at++)
		*bits = *bits << 4 | (uint64_t)(*at <= '9' ? *at - '0' : *at - 'a' + 10);
	return true;
}

/* The main thread's mask in the kernel; all signals where it has ended, or that can't be read. */
static uint64_t mask_of_main(void)
{
	char text[2048];
	uint64_t blocked;

	/* /proc/self is the process, and what it says of masks the main thread's. */
	if (call_text("/proc/self/status", text, sizeof(text)) == 0)
		return ALL;
	return strstr(text, "State:\tZ") || strstr(text, "State:\tX") ||
			       !find(text, "SigBlk:\t", &blocked) ?
		       ALL :
		       blocked;
}

/* libc lets no program block its two own signals: where they are, one of our handlers runs, for
   some microseconds. */
static bool is_in_handler(uint64_t blocked)
{
	return (~blocked & (mask_bit(32) | mask_bit(33))) == 0;
}

static bool main_accepts(int signo)
{
	enum { TIMES = 100 };
	const struct timespec moment = { .tv_nsec = 50000 };
	uint64_t blocked = mask_of_main();

	for (int i = 0; i < TIMES && blocked != ALL && is_in_handler(blocked); i++) {
		next.syscall(SYS_nanosleep, &moment, NULL);
		blocked = mask_of_main();
	}
	return (blocked & mask_bit(signo)) == 0 && (witness_decode(blocked) & mask_bit(signo)) == 0;
}

/* Whether the signal was certainly sent to the process: by kill(), or by the kernel for a child, a
   terminal, an interval timer. */
static bool is_of_process(int signo, const siginfo_t *info)
{
	return info->si_code == SI_USER || (info->si_code == SI_KERNEL && signo != SIGIO) ||
	       (signo == SIGCHLD && info->si_code > 0);
}

/* A second one on its way goes without: the kernel keeps one of most signals, too. */
static void put(int signo, const siginfo_t *info)
{
	struct letter *l = &letters[signo];
	uint32_t state = LETTER_FREE;

	if (!atomic_compare_exchange_strong(&l->state, &state, LETTER_BUSY))
		return;
	l->info = *info;
	atomic_store_explicit(&l->state, LETTER_SENT, memory_order_release);
}

static bool in_main(void)
{
	return syscall(SYS_gettid) == syscall(SYS_getpid);
}

/* Calls that the kernel makes anew, by their own numbers, where no handler runs. */
static bool is_pause(long number)
{
#ifdef SYS_pause
	if (number == SYS_pause)
		return true;
#endif
	return number == SYS_rt_sigsuspend || number == SYS_ppoll || number == SYS_pselect6 ||
	       number == SYS_epoll_pwait || number == SYS_epoll_pwait2;
}

/*
 * The kernel has woken the main thread for the signal, too. Where it found none, since another
 * thread had it, it goes back to the call's instruction, and the signal that is sent on may come
 * just there: the call would sleep. So the handler's return ends it.
 */
static void end_call(ucontext_t *uc)
{
#if defined(__x86_64__)
	greg_t *g = uc->uc_mcontext.gregs;

	if (is_pause(g[REG_RAX]) && memcmp((const void *)g[REG_RIP], "\x0f\x05", 2) == 0) {
		g[REG_RIP] += 2;
		g[REG_RAX] = -EINTR;
	}
#elif defined(__aarch64__)
	mcontext_t *m = &uc->uc_mcontext;

	if (is_pause((long)m->regs[8]) && *(const uint32_t *)m->pc == UINT32_C(0xd4000001)) {
		m->pc += 4;
		m->regs[0] = (uint64_t)-EINTR;
	}
#else
	mcontext_t *m = &uc->uc_mcontext;

	if (is_pause((long)m->__gregs[17]) &&
	    memcmp((const void *)m->__gregs[0], "\x73\0\0", 4) == 0) {
		m->__gregs[0] += 4;
		m->__gregs[10] = (unsigned long)-EINTR;
	}
#endif
}

void handlers_received(int signo, siginfo_t *info, ucontext_t *uc)
{
	struct letter *l = &letters[signo];
	uint32_t state = LETTER_SENT;

	if (info->si_code != SI_TKILL || l->state != LETTER_SENT || !in_main() ||
	    !atomic_compare_exchange_strong(&l->state, &state, LETTER_BUSY))
		return;
	*info = l->info;
	atomic_store_explicit(&l->state, LETTER_FREE, memory_order_release);
	end_call(uc);
}

bool handlers_send_on(int signo, const siginfo_t *info)
{
	const pid_t pid = (pid_t)syscall(SYS_getpid);

	if (!is_of_process(signo, info) || in_main() || !main_accepts(signo))
		return false;
	put(signo, info);
	return syscall(SYS_tgkill, pid, pid, signo) == 0;
}

/* The handler sees the mask that is restored when it returns as the program set it, and may
   change it. */
static void with_mask(handler *h, int signo, siginfo_t *info, ucontext_t *uc)
{
	const uint64_t kernel = mask_get(&uc->uc_sigmask);

	masks_show(&uc->uc_sigmask);
	const uint64_t shown = mask_get(&uc->uc_sigmask);

	h(signo, info, uc);
	if (mask_get(&uc->uc_sigmask) == shown)
		mask_put(&uc->uc_sigmask, kernel);
	else
		masks_hide_interrupted(uc);
}

static void route(int signo, siginfo_t *info, void *ucontext)
{
	handler *h = atomic_load_explicit(&routed[signo], memory_order_acquire);
	const int saved = errno;

	handlers_received(signo, info, ucontext);
	if (handlers_send_on(signo, info)) {
		errno = saved;
		return;
	}
	errno = saved;
	/* All three arguments are there for a handler without SA_SIGINFO, too. */
	if ((plain & mask_bit(signo)) != 0)
		h(signo, info, ucontext);
	else
		with_mask(h, signo, info, ucontext);
}

/* ---- what is set ------------------------------------------------------------------ */

static bool is_route(const struct sigaction *a)
{
	return (a->sa_flags & SA_SIGINFO) != 0 && a->sa_sigaction == route;
}

static void show(struct sigaction *a, handler *h, bool is_plain)
{
	if (!is_route(a) || !h)
		return;
	a->sa_sigaction = h;
	if (is_plain)
		a->sa_flags &= ~SA_SIGINFO;
}

void handlers_show(int signo, struct sigaction *a)
{
	if (signo > 0 && signo < SIGNALS)
		show(a, routed[signo], (plain & mask_bit(signo)) != 0);
}

static void set(int signo, handler *h, bool is_plain)
{
	if (is_plain)
		atomic_fetch_or(&plain, mask_bit(signo));
	else
		atomic_fetch_and(&plain, ~mask_bit(signo));
	atomic_store_explicit(&routed[signo], h, memory_order_release);
}

int handlers_change(int signo, const struct sigaction *act, struct sigaction *old)
{
	handler *const was = routed[signo];
	const bool was_plain = (plain & mask_bit(signo)) != 0;
	struct sigaction ours;
	bool routes = false;

	if (act && shared_has_handler(act) && !is_route(act) &&
	    (act->sa_flags & (int)SA_RESETHAND) == 0) {
		ours = *act;
		routes = true;
		set(signo, act->sa_sigaction, (act->sa_flags & SA_SIGINFO) == 0);
		ours.sa_sigaction = route;
		ours.sa_flags |= SA_SIGINFO;
		act = &ours;
	}
	const int result = next.sigaction(signo, act, old);

	if (result != 0 && routes)
		set(signo, was, was_plain);
	if (result == 0 && old)
		show(old, was, was_plain);
	return result;
}

/*
 * signals.c - see signals.h.
 */
#include "config.h"

#include "ompt_tool/signals.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ompt_tool/core/handler.h"
#include "ompt_tool/real.h"

#ifndef TRAP_PERF
#define TRAP_PERF 6
#endif

enum { OURS_MAX = 3 };

/* Owned by this file: the signals that were taken, and what the application
   wants with them.  Written at start, and by the application's sigaction(). */
static struct {
	int signo;
	struct sigaction application;
} ours[OURS_MAX];
static int nours;

static int find(int signo)
{
	for (int i = 0; i < nours; i++)
		if (ours[i].signo == signo)
			return i;
	return -1;
}

/* A counter's signal that came after the counter was closed. */
static bool stale(int signo, const siginfo_t *info)
{
	if (signo == SIGTRAP)
		return info->si_code == TRAP_PERF;
	if (signo == SIGIO)
		return false;
	return info->si_code == SI_TIMER ||
		(info->si_code >= POLL_IN && info->si_code <= POLL_HUP);
}

/* Does what the signal would have done without us. */
static void foreign(int signo, siginfo_t *info, void *ucontext)
{
	int i = find(signo);

	if (i < 0 || stale(signo, info))
		return;
	const struct sigaction *a = &ours[i].application;
	if ((a->sa_flags & SA_SIGINFO) != 0) {
		a->sa_sigaction(signo, info, ucontext);
	} else if (a->sa_handler == SIG_DFL) {
		/* SIGIO may stand for a sample that found the queue full; nobody
		   can tell it from another, and it must not kill. */
		if (signo == SIGIO)
			return;
		struct sigaction dfl = { .sa_handler = SIG_DFL };

		real_sigaction(signo, &dfl, NULL);
		syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), signo);
	} else if (a->sa_handler != SIG_IGN) {
		a->sa_handler(signo);
	}
}

static int take(int signo)
{
	struct sigaction act = { .sa_flags = SA_SIGINFO | SA_RESTART };

	act.sa_sigaction = handler_signal;
	sigfillset(&act.sa_mask);
	if (real_sigaction(signo, &act, &ours[nours].application) != 0)
		return -errno;
	ours[nours++].signo = signo;
	return 0;
}

/* From the upper end, where applications that use some rarely are. */
static int free_realtime(void)
{
	for (int signo = SIGRTMAX - 2; signo > SIGRTMIN; signo--) {
		struct sigaction old;

		if (real_sigaction(signo, NULL, &old) == 0 &&
		    (old.sa_flags & SA_SIGINFO) == 0 && old.sa_handler == SIG_DFL)
			return signo;
	}
	return -EBUSY;
}

int signals_take(enum pmu_delivery delivery)
{
	int signo = free_realtime();

	if (signo < 0)
		return signo;
	handler_foreign = foreign;
	int err = take(signo);
	if (err == 0)
		err = take(SIGIO);
	if (err == 0 && delivery == PMU_DELIVERY_SIGTRAP)
		err = take(SIGTRAP);
	return err != 0 ? err : signo;
}

bool signals_ours(int signo)
{
	return find(signo) >= 0;
}

void signals_unblock(void)
{
	sigset_t set;

	sigemptyset(&set);
	for (int i = 0; i < nours; i++)
		if (ours[i].signo != SIGIO)
			sigaddset(&set, ours[i].signo);
	real_sigmask(SIG_UNBLOCK, &set, NULL);
}

void signals_application(int signo, const struct sigaction *act, struct sigaction *old)
{
	int i = find(signo);

	if (i < 0)
		return;
	if (old != NULL)
		*old = ours[i].application;
	if (act != NULL)
		ours[i].application = *act;
}

void signals_remove(sigset_t *set)
{
	for (int i = 0; i < nours; i++)
		if (ours[i].signo != SIGIO)
			sigdelset(set, ours[i].signo);
}

/*
 * signals.c - see signals.h.
 */
#include "config.h"

#include "ompt_tool/signals.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "ompt_tool/core/handler.h"
#include "ompt_tool/real.h"

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

/* The kernel's own size of a signal mask; the rest of a sigset_t in a
   ucontext_t is not there. */
enum { MASK_BYTES = 8 };

/* Calls the application's handler with the mask that it would have had. */
static void call(const struct sigaction *a, int signo, siginfo_t *info, const ucontext_t *uc)
{
	uint64_t interrupted, added;
	sigset_t mask;

	memcpy(&interrupted, &uc->uc_sigmask, MASK_BYTES);
	memcpy(&added, &a->sa_mask, MASK_BYTES);
	interrupted |= added;
	sigemptyset(&mask);
	memcpy(&mask, &interrupted, MASK_BYTES);
	if ((a->sa_flags & SA_NODEFER) == 0)
		sigaddset(&mask, signo);
	signals_remove(&mask);
	real_sigmask(SIG_SETMASK, &mask, NULL);
	if ((a->sa_flags & SA_SIGINFO) != 0)
		a->sa_sigaction(signo, info, (void *)(uintptr_t)uc);
	else
		a->sa_handler(signo);
}

/* Does what the signal would have done without us; false for one that the
   application knows nothing of. */
static bool foreign(int signo, siginfo_t *info, void *ucontext)
{
	int i = find(signo);

	/* A counter's signal that came after the counter was closed. */
	if (i < 0 || pmu_counter_sent(info))
		return false;
	const struct sigaction a = ours[i].application;
	if ((a.sa_flags & SA_SIGINFO) != 0 || (a.sa_handler != SIG_DFL && a.sa_handler != SIG_IGN)) {
		if ((a.sa_flags & SA_RESETHAND) != 0)
			ours[i].application = (struct sigaction) { .sa_handler = SIG_DFL };
		call(&a, signo, info, ucontext);
		return true;
	}
	/* SIGIO may stand for a sample that found the queue full; nobody can tell
	   it from another, and it must not kill. */
	if (signo == SIGIO || a.sa_handler == SIG_IGN)
		return false;
	struct sigaction dfl = { .sa_handler = SIG_DFL };

	real_sigaction(signo, &dfl, NULL);
	syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), signo);
	return true;
}

static int take(int signo)
{
	struct sigaction act = { .sa_flags = SA_SIGINFO | SA_RESTART };

	act.sa_sigaction = handler_signal;
	/* All: sigfillset() leaves out those by which the C library cancels
	   threads and changes their user ids. */
	memset(&act.sa_mask, 0xff, sizeof(act.sa_mask));
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

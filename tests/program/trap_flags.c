/* SPDX-License-Identifier: BSD-3-Clause */
/* SA_RESETHAND, SA_NODEFER and sa_mask of SIGTRAP's handler. */
#include "case.h"

static volatile int depth, deepest;

static void nests(int signo)
{
	if (++depth < 3)
		raise(signo);
	if (depth > deepest)
		deepest = depth;
	depth--;
}

static void masks(int signo)
{
	sigset_t now;

	(void)signo;
	sigprocmask(SIG_BLOCK, NULL, &now);
	printf("in the handler: TRAP %d USR1 %d USR2 %d\n", sigismember(&now, SIGTRAP),
	       sigismember(&now, SIGUSR1), sigismember(&now, SIGUSR2));
}

int main(void)
{
	struct sigaction a = { .sa_flags = SA_RESETHAND }, old;

	on(SIGTRAP, nests, SA_NODEFER);
	busy(5);
	raise(SIGTRAP);
	printf("deepest %d\n", deepest);
	a.sa_handler = masks;
	sigaddset(&a.sa_mask, SIGUSR1);
	sigaction(SIGTRAP, &a, &old);
	printf("old is ours %d\n", old.sa_handler == nests);
	raise(SIGTRAP);
	sigaction(SIGTRAP, NULL, &old);
	printf("reset %d\n", old.sa_handler == SIG_DFL);
	masks(0);
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* SIGTRAP waits while it is blocked. */
#include "case.h"

static volatile int got;

static void handler(int signo)
{
	(void)signo;
	got++;
}

int main(void)
{
	const sigset_t s = set_of(SIGTRAP, 0, 0);
	sigset_t pending, old;

	on(SIGTRAP, handler, SA_RESTART);
	for (int n = 0; n < 10; n++) {
		pthread_sigmask(SIG_BLOCK, &s, &old);
		busy(5);
		raise(SIGTRAP);
		busy(5);
		sigpending(&pending);
		printf("got %d, pending %d", got, sigismember(&pending, SIGTRAP));
		pthread_sigmask(SIG_SETMASK, &old, &pending);
		printf(", was blocked %d, now got %d\n", sigismember(&pending, SIGTRAP), got);
	}
	return 0;
}

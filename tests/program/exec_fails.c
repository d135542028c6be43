/* SPDX-License-Identifier: BSD-3-Clause */
/* After an exec that fails all is as it was. */
#include "case.h"

static volatile int got;

static void handler(int signo)
{
	(void)signo;
	got++;
}

int main(void)
{
	char *argv[] = { "x", NULL };
	sigset_t mask;

	on(SIGTRAP, handler, SA_RESTART);
	signal(SIGIO, SIG_IGN);
	block(TAKEN, 0, 0);
	for (int n = 0; n < 10; n++) {
		busy(2);
		printf("%d", execv("/nowhere/at/all", argv));
		printf(" %s", strerror(errno));
		printf(" %d", execlp("no-such-command-here", "x", NULL));
		printf(" %s", strerror(errno));
		sigprocmask(SIG_BLOCK, NULL, &mask);
		raise(SIGTRAP);
		raise(SIGIO);
		printf(" mask %d%d, got %d\n", sigismember(&mask, TAKEN),
		       sigismember(&mask, SIGTRAP), got);
	}
	return 0;
}

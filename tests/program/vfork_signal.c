/* SPDX-License-Identifier: BSD-3-Clause */
/* What a vfork's child does with signals is its own. */
#include "case.h"

static volatile int got;

static void handler(int signo)
{
	(void)signo;
	got++;
}

int main(void)
{
	struct sigaction a;

	on(SIGIO, handler, SA_RESTART);
	on(SIGTRAP, handler, SA_RESTART);
	on(TAKEN, handler, SA_RESTART);
	busy(10);
	pid_t child = vfork();
	if (child == 0) {
		signal(SIGIO, SIG_DFL);
		signal(SIGTRAP, SIG_IGN);
		signal(TAKEN, SIG_DFL);
		execv(inherited()[0], inherited());
		_exit(1);
	}
	print_end("child", child);
	busy(5);
	raise(SIGIO);
	raise(SIGTRAP);
	raise(TAKEN);
	sigaction(SIGTRAP, NULL, &a);
	printf("got %d, handled %d\n", got, a.sa_handler == handler);
	return 0;
}

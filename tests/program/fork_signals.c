/* SPDX-License-Identifier: BSD-3-Clause */
/* A fork's child has what its parent had. */
#include "case.h"

static volatile int got;

static void handler(int signo)
{
	(void)signo;
	got++;
}

int main(void)
{
	on(SIGTRAP, handler, SA_RESTART);
	on(TAKEN, handler, SA_RESTART);
	block(SIGUSR1, TAKEN - 1, 0);
	busy(10);
	for (int n = 0; n < 5; n++) {
		fflush(stdout);
		pid_t child = fork();

		if (child == 0) {
			sigset_t now;

			busy(5);
			raise(SIGTRAP);
			raise(TAKEN);
			sigprocmask(SIG_BLOCK, NULL, &now);
			printf("got %d, mask %d%d%d\n", got, sigismember(&now, SIGUSR1),
			       sigismember(&now, TAKEN - 1), sigismember(&now, SIGTRAP));
			fflush(stdout);
			signal(SIGIO, SIG_IGN);
			if (n % 2)
				execv(inherited()[0], inherited());
			exit(3);
		}
		print_end("child", child);
	}
	return 0;
}

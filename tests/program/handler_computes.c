/* SPDX-License-Identifier: BSD-3-Clause */
/* Handlers of the program's are interrupted, and interrupt. */
#include "case.h"

static volatile int got;

static void handler(int signo)
{
	busy(2);
	got++;
	if (signo == SIGUSR1)
		raise(SIGUSR2);
}

int main(void)
{
	struct sigaction a = { .sa_flags = SA_RESTART };

	a.sa_handler = handler;
	sigfillset(&a.sa_mask);
	sigaction(SIGUSR1, &a, NULL);
	on(SIGUSR2, handler, SA_RESTART);
	for (int n = 0; n < 20; n++)
		raise(SIGUSR1);
	printf("%d\n", got);
	return 0;
}

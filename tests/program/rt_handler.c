/* SPDX-License-Identifier: BSD-3-Clause */
/* A handler of the real-time signal gets all, in order. */
#include "case.h"

static volatile int got, wrong;

static void handler(int signo, siginfo_t *i, void *u)
{
	(void)u;
	if (signo != TAKEN || i->si_value.sival_int != got)
		wrong++;
	got++;
}

int main(void)
{
	busy(10);
	on_info(TAKEN, handler, SA_RESTART);
	for (int n = 0; n < 200; n++) {
		send_value(TAKEN, n);
		busy(1);
	}
	printf("got %d, wrong %d\n", got, wrong);
	return 0;
}

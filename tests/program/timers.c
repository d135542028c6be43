/* SPDX-License-Identifier: BSD-3-Clause */
/* A timer's signal is the real-time signal. */
#include "case.h"

static volatile int got, wrong;

static void handler(int signo, siginfo_t *i, void *u)
{
	(void)signo;
	(void)u;
	got++;
	wrong += i->si_code != SI_TIMER || i->si_value.sival_int != 7;
}

int main(void)
{
	struct sigevent e = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = TAKEN };
	const struct itimerspec once = { .it_value = { 0, 5000000 } };
	timer_t t;

	busy(10);
	on_info(TAKEN, handler, SA_RESTART);
	e.sigev_value.sival_int = 7;
	if (timer_create(CLOCK_MONOTONIC, &e, &t))
		return 1;
	for (int n = 0; n < 10; n++) {
		timer_settime(t, 0, &once, NULL);
		while (got == n)
			busy(1);
	}
	printf("got %d, wrong %d\n", got, wrong);
	return 0;
}

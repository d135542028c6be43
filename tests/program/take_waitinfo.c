/* SPDX-License-Identifier: BSD-3-Clause */
/* A blocked real-time signal is taken by sigwaitinfo(), in order. */
#include "case.h"

int main(void)
{
	const sigset_t s = set_of(TAKEN, SIGUSR1, 0);
	siginfo_t i;

	block(TAKEN, SIGUSR1, 0);
	for (int n = 0; n < 5; n++)
		send_value(TAKEN, n);
	kill(getpid(), SIGUSR1);
	for (int n = 0; n < 6; n++) {
		busy(5);
		printf("%d", sigwaitinfo(&s, &i));
		printf(" code %d value %d\n", i.si_code, i.si_code == SI_QUEUE ? i.si_value.sival_int : 0);
	}
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A new thread blocks what its creator blocks, from its first instruction on: a signal
   that is sent while the thread starts waits for its sigwaitinfo(). */
#include "case.h"

static void *waiter(void *arg)
{
	sigset_t all;
	siginfo_t i;

	(void)arg;
	sigfillset(&all);
	printf("%d", sigwaitinfo(&all, &i) - TAKEN);
	printf(" value %d\n", i.si_value.sival_int);
	return NULL;
}

int main(void)
{
	sigset_t all;
	pthread_t t;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	/* Each number that the program sends is left; the one below follows. */
	for (int n = 0; n < 5; n++) {
		pthread_create(&t, NULL, waiter, NULL);
		send_value(TAKEN - n, n);
		pthread_join(t, NULL);
		busy(5);
	}
	return 0;
}

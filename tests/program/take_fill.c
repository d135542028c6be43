/* SPDX-License-Identifier: BSD-3-Clause */
/* Who waits for all signals gets the one that counters would take. */
#include "case.h"

static void *waiter(void *arg)
{
	sigset_t all;
	siginfo_t i;

	(void)arg;
	sigfillset(&all);
	for (int n = 0; n < 5; n++) {
		printf("%d", sigwaitinfo(&all, &i));
		printf(" value %d\n", i.si_value.sival_int);
		busy(3);
	}
	return NULL;
}

int main(void)
{
	sigset_t all;
	pthread_t t;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	pthread_create(&t, NULL, waiter, NULL);
	for (int n = 0; n < 5; n++) {
		busy(5);
		send_value(TAKEN, n);
	}
	pthread_join(t, NULL);
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread waits with sigwait() for what another one sends. */
#include "case.h"

static void *waiter(void *arg)
{
	const sigset_t s = set_of(TAKEN, TAKEN + 1, 0);
	int signo, got = 0;

	(void)arg;
	for (;;) {
		if (sigwait(&s, &signo) != 0)
			return "failed";
		if (signo == TAKEN + 1)
			break;
		got++;
		busy(1);
	}
	printf("got %d\n", got);
	return NULL;
}

int main(void)
{
	pthread_t t;

	block(TAKEN, TAKEN + 1, 0);
	pthread_create(&t, NULL, waiter, NULL);
	for (int n = 0; n < 20; n++) {
		send_value(TAKEN, n);
		busy(2);
	}
	kill(getpid(), TAKEN + 1);
	pthread_join(t, NULL);
	return 0;
}

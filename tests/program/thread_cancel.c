/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads are cancelled while they compute, sleep and wait for signals. */
#include "case.h"

static void *sleeps(void *arg)
{
	(void)arg;
	for (;;)
		usleep(1000);
}

static void *waits(void *arg)
{
	const sigset_t s = set_of(TAKEN, SIGUSR1, 0);
	int signo;

	(void)arg;
	for (;;)
		sigwait(&s, &signo);
}

static void *computes(void *arg)
{
	(void)arg;
	for (;;) {
		busy(1);
		pthread_testcancel();
	}
}

int main(void)
{
	void *(*const kinds[])(void *) = { sleeps, waits, computes };
	int cancelled = 0;

	block(TAKEN, SIGUSR1, 0);
	for (int n = 0; n < 15; n++) {
		pthread_t t;
		void *result;

		pthread_create(&t, NULL, kinds[n % 3], NULL);
		busy(2);
		pthread_cancel(t);
		pthread_join(t, &result);
		cancelled += result == PTHREAD_CANCELED;
	}
	printf("%d\n", cancelled);
	return 0;
}

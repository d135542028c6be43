/* SPDX-License-Identifier: BSD-3-Clause */
/* sigsuspend() ends for the program's signals only. */
#include "case.h"

static volatile int got;

static void handler(int signo)
{
	(void)signo;
	got++;
}

static void *sender(void *arg)
{
	const pthread_t t = *(pthread_t *)arg;

	for (int n = 0; n < 5; n++) {
		while (got < n)
			usleep(1000);
		until_blocked(getpid(), SYS_rt_sigsuspend);
		pthread_kill(t, n % 2 ? SIGTRAP : TAKEN);
	}
	return NULL;
}

int main(void)
{
	pthread_t self = pthread_self(), t;
	sigset_t none, now;

	on(TAKEN, handler, SA_RESTART);
	on(SIGTRAP, handler, SA_RESTART);
	block(TAKEN, SIGTRAP, 0);
	sigemptyset(&none);
	pthread_create(&t, NULL, sender, &self);
	for (int n = 0; n < 5; n++) {
		busy(3);
		printf("%d", sigsuspend(&none));
		printf(" %s", strerror(errno));
		sigprocmask(SIG_BLOCK, NULL, &now);
		printf(" got %d, blocked %d%d\n", got, sigismember(&now, TAKEN),
		       sigismember(&now, SIGTRAP));
	}
	pthread_join(t, NULL);
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread begins with its creator's mask, or its attribute's. */
#include "case.h"

static void *thread(void *arg)
{
	sigset_t now;

	pthread_sigmask(SIG_BLOCK, NULL, &now);
	printf("%s:", (char *)arg);
	for (int s = 1; s < 65; s++)
		if (sigismember(&now, s) == 1)
			printf(" %d", s);
	printf("\n");
	busy(3);
	return NULL;
}

int main(void)
{
	sigset_t s = set_of(SIGTRAP, SIGUSR1, TAKEN), all, none;
	pthread_attr_t attr;
	pthread_t t;

	sigfillset(&all);
	sigemptyset(&none);
	pthread_attr_init(&attr);
	pthread_create(&t, NULL, thread, "nothing");
	pthread_join(t, NULL);
	pthread_sigmask(SIG_SETMASK, &s, NULL);
	pthread_create(&t, &attr, thread, "inherited");
	pthread_join(t, NULL);
	pthread_attr_setsigmask_np(&attr, &none);
	pthread_create(&t, &attr, thread, "none");
	pthread_join(t, NULL);
	pthread_sigmask(SIG_SETMASK, &none, NULL);
	pthread_attr_setsigmask_np(&attr, &all);
	pthread_create(&t, &attr, thread, "all");
	pthread_join(t, NULL);
	return 0;
}

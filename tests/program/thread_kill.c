/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals to one thread of several. */
#include "case.h"

static volatile int got[4];
static __thread int number;
static volatile int ready, stop;

static void handler(int signo, siginfo_t *i, void *u)
{
	(void)signo;
	(void)i;
	(void)u;
	got[number]++;
}

static void *thread(void *arg)
{
	number = (int)(intptr_t)arg;
	__atomic_fetch_add(&ready, 1, __ATOMIC_SEQ_CST);
	while (!stop)
		busy(1);
	return NULL;
}

int main(void)
{
	pthread_t t[4];

	on_info(SIGTRAP, handler, SA_RESTART);
	on_info(TAKEN, handler, SA_RESTART);
	for (intptr_t n = 1; n < 4; n++)
		pthread_create(&t[n], NULL, thread, (void *)n);
	while (ready < 3)
		busy(1);
	for (int n = 1; n < 4; n++)
		for (int k = 0; k < 5 * n; k++) {
			int before = got[n];

			if (k % 2)
				pthread_kill(t[n], SIGTRAP);
			else
				pthread_sigqueue(t[n], TAKEN, (union sigval){ .sival_int = k });
			while (got[n] == before)
				usleep(100);
		}
	stop = 1;
	for (int n = 1; n < 4; n++)
		pthread_join(t[n], NULL);
	printf("%d %d %d %d\n", got[0], got[1], got[2], got[3]);
	return 0;
}

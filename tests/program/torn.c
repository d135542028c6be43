/* SPDX-License-Identifier: BSD-3-Clause */
/* Dispositions change while signals come. */
#include "case.h"

static volatile int a_got, b_got, stop, wrong;

static void a(int signo, siginfo_t *i, void *u)
{
	(void)u;
	wrong += i->si_signo != signo;
	a_got++;
}

static void b(int signo)
{
	(void)signo;
	b_got++;
}

static void *changes(void *arg)
{
	(void)arg;
	while (!stop) {
		on_info(SIGTRAP, a, SA_RESTART);
		on(SIGTRAP, b, SA_RESTART);
		on_info(TAKEN, a, SA_RESTART);
		on(TAKEN, b, SA_RESTART);
	}
	return NULL;
}

int main(void)
{
	pthread_t t;

	on(SIGTRAP, b, SA_RESTART);
	on(TAKEN, b, SA_RESTART);
	pthread_create(&t, NULL, changes, NULL);
	for (int n = 0; n < 5000; n++)
		raise(n % 2 ? SIGTRAP : TAKEN);
	stop = 1;
	pthread_join(t, NULL);
	printf("%d came, %d wrong\n", a_got + b_got, wrong);
	return 0;
}

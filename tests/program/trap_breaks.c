/* SPDX-License-Identifier: BSD-3-Clause */
/* The same with SIGTRAP. */
#include "case.h"

static volatile int got;

static void handler(int signo)
{
	(void)signo;
	got++;
}

static void *sender(void *arg)
{
	pthread_t main_thread = *(pthread_t *)arg;

	until_blocked(getpid(), SYS_read);
	pthread_kill(main_thread, SIGTRAP);
	return NULL;
}

int main(void)
{
	pthread_t self = pthread_self(), t;
	int p[2];
	char c;

	if (pipe(p))
		return 1;
	on(SIGTRAP, handler, 0);
	busy(10);
	pthread_create(&t, NULL, sender, &self);
	ssize_t n = read(p[0], &c, 1);
	printf("read %d %s, handler %d\n", (int)n, strerror(errno), got);
	pthread_join(t, NULL);
	return 0;
}

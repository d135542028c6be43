/* SPDX-License-Identifier: BSD-3-Clause */
/* A handler without SA_RESTART breaks a read(), one with it does not. */
#include "case.h"

static volatile int got, restart;
static int p[2];

static void handler(int signo)
{
	(void)signo;
	got++;
}

static void *sender(void *arg)
{
	pthread_t main_thread = *(pthread_t *)arg;

	until_blocked(getpid(), SYS_read);
	pthread_kill(main_thread, SIGIO);
	if (!restart)
		return NULL;
	while (got < 2)
		usleep(1000);
	until_blocked(getpid(), SYS_read);
	return write(p[1], "x", 1) == 1 ? NULL : "failed";
}

int main(void)
{
	pthread_t self = pthread_self(), t;
	char c;

	if (pipe(p))
		return 1;
	for (restart = 0; restart < 2; restart++) {
		on(SIGIO, handler, restart ? SA_RESTART : 0);
		busy(10);
		pthread_create(&t, NULL, sender, &self);
		ssize_t n = read(p[0], &c, 1);
		printf("read %d %s\n", (int)n, n < 0 ? strerror(errno) : "");
		pthread_join(t, NULL);
	}
	printf("%d\n", got);
	return 0;
}

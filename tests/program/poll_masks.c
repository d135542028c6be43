/* SPDX-License-Identifier: BSD-3-Clause */
/* ppoll(), pselect() and epoll_pwait() with masks of their own. */
#include "case.h"
#include <sys/epoll.h>
#include <sys/select.h>

static volatile int got;

static void handler(int signo)
{
	(void)signo;
	got++;
}

int main(void)
{
	const struct timespec bit = { 0, 20000000 };
	struct epoll_event e;
	sigset_t none, all;
	int fd = epoll_create1(0);

	sigemptyset(&none);
	sigfillset(&all);
	on(SIGTRAP, handler, SA_RESTART);
	on(SIGUSR1, handler, SA_RESTART);
	block(SIGTRAP, SIGUSR1, 0);
	for (int n = 0; n < 4; n++) {
		const sigset_t *mask = n % 2 ? &all : &none;

		busy(3);
		raise(SIGTRAP);
		printf("ppoll %d", ppoll(NULL, 0, &bit, mask));
		printf(" %d got %d\n", errno == EINTR, got);
		raise(SIGUSR1);
		printf("pselect %d", pselect(0, NULL, NULL, NULL, &bit, mask));
		printf(" %d got %d\n", errno == EINTR, got);
		raise(SIGTRAP);
		printf("epoll_pwait %d", epoll_pwait(fd, &e, 1, 20, mask));
		printf(" %d got %d\n", errno == EINTR, got);
		errno = 0;
	}
	printf("ppoll without %d\n", ppoll(NULL, 0, &bit, NULL));
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A file's own signal is the real-time signal. */
#include "case.h"

static volatile int got, fd_seen;

static void handler(int signo, siginfo_t *i, void *u)
{
	(void)signo;
	(void)u;
	got++;
	fd_seen = i->si_fd;
}

int main(void)
{
	int p[2], answered = 0;
	char c;

	busy(10);
	if (pipe(p))
		return 1;
	on_info(TAKEN, handler, SA_RESTART);
	fcntl(p[0], F_SETOWN, getpid());
	fcntl(p[0], F_SETSIG, TAKEN);
	fcntl(p[0], F_SETFL, O_ASYNC | O_NONBLOCK);
	for (int n = 0; n < 10; n++) {
		busy(3);
		if (write(p[1], "x", 1) != 1)
			return 1;
		busy(1);
		answered += got == n + 1 && fd_seen == p[0];
		while (read(p[0], &c, 1) == 1)
			;
	}
	printf("%d notifications, %d in time\n", got, answered);
	return 0;
}

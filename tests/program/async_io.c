/* SPDX-License-Identifier: BSD-3-Clause */
/* An O_ASYNC file's SIGIO. */
#include "case.h"

static volatile int got;

static void handler(int signo)
{
	(void)signo;
	got++;
}

int main(void)
{
	int p[2];
	char c;

	if (pipe(p))
		return 1;
	on(SIGIO, handler, SA_RESTART);
	fcntl(p[0], F_SETOWN, getpid());
	fcntl(p[0], F_SETFL, O_ASYNC | O_NONBLOCK);
	for (int n = 0; n < 20; n++) {
		busy(3);
		if (write(p[1], "x", 1) != 1 || read(p[0], &c, 1) != 1)
			return 1;
	}
	printf("SIGIO: %d\n", got);
	return 0;
}

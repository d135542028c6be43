/* SPDX-License-Identifier: BSD-3-Clause */
/* abort() kills, handled or not. */
#include "case.h"

static void handler(int signo)
{
	(void)signo;
	puts("handled");
	fflush(stdout);
}

int main(void)
{
	no_core();
	busy(10);
	pid_t child = fork();
	if (child == 0) {
		on(SIGABRT, handler, 0);
		abort();
	}
	print_end("child", child);
	fflush(stdout);
	busy(10);
	abort();
}

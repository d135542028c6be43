/* SPDX-License-Identifier: BSD-3-Clause */
/* A clone() that shares memory, and waits as vfork() does. */
#include "case.h"

static int child(void *arg)
{
	(void)arg;
	signal(SIGTRAP, SIG_IGN);
	execv(inherited()[0], inherited());
	_exit(1);
}

int main(void)
{
	static char stack[65536] __attribute__((aligned(16)));
	struct sigaction a;

	busy(10);
	pid_t pid = clone(child, stack + sizeof(stack), CLONE_VM | CLONE_VFORK | SIGCHLD, NULL);
	print_end("child", pid);
	busy(10);
	sigaction(SIGTRAP, NULL, &a);
	printf("default %d\n", a.sa_handler == SIG_DFL);
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* What posix_spawn()'s child inherits. */
#include "case.h"
#include <spawn.h>

int main(void)
{
	pid_t pid;
	int failed;

	block(SIGTRAP, TAKEN, SIGUSR2);
	signal(SIGIO, SIG_IGN);
	signal(TAKEN - 1, SIG_IGN);
	busy(20);
	failed = posix_spawn(&pid, inherited()[0], NULL, NULL, inherited(), environ);
	print_end("child", pid);
	printf("%d\n", failed);
	failed = posix_spawnp(&pid, inherited()[0], NULL, NULL, inherited(), environ);
	print_end("child", pid);
	printf("%d\n", failed);
	return 0;
}

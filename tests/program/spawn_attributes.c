/* SPDX-License-Identifier: BSD-3-Clause */
/* posix_spawn() with a mask and defaults of its own. */
#include "case.h"
#include <spawn.h>

int main(void)
{
	const sigset_t mask = set_of(SIGTRAP, SIGHUP, 0), defaults = set_of(SIGIO, 0, 0);
	posix_spawnattr_t attr;
	pid_t pid;
	int failed;

	signal(SIGIO, SIG_IGN);
	busy(20);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigmask(&attr, &mask);
	posix_spawnattr_setsigdefault(&attr, &defaults);
	failed = posix_spawn(&pid, inherited()[0], NULL, &attr, inherited(), environ);
	print_end("child", pid);
	printf("%d\n", failed);
	return 0;
}

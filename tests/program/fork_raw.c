/* SPDX-License-Identifier: BSD-3-Clause */
/* A child that is made behind libc's back. */
#include "case.h"

int main(void)
{
	busy(10);
	for (int n = 0; n < 5; n++) {
		fflush(stdout);
		pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);

		if (child == 0) {
			busy(10);
			on(SIGTRAP, SIG_IGN, 0);
			raise(SIGTRAP);
			_exit(5);
		}
		print_end("child", child);
		busy(3);
	}
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The real-time signal kills whom it always kills. */
#include "case.h"

int main(void)
{
	no_core();
	busy(20);
	for (int signo = TAKEN - 1; signo <= TAKEN + 2; signo++) {
		pid_t child = fork();

		if (child == 0) {
			busy(5);
			raise(signo);
			_exit(7);
		}
		print_end("raised", child);
	}
	fflush(stdout);
	raise(TAKEN);
	puts("survived");
	return 0;
}

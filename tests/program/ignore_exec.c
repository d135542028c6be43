/* SPDX-License-Identifier: BSD-3-Clause */
/* Ignored signals go through exec. */
#include "case.h"

int main(void)
{
	signal(TAKEN, SIG_IGN);
	signal(SIGTRAP, SIG_IGN);
	signal(SIGIO, SIG_IGN);
	signal(SIGBUS, SIG_IGN);
	busy(20);
	execve(inherited()[0], inherited(), environ);
	return 1;
}

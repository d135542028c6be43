/* SPDX-License-Identifier: BSD-3-Clause */
/* The blocked signals go through exec. */
#include "case.h"

int main(void)
{
	block(TAKEN, SIGTRAP, SIGIO);
	block(SIGBUS, SIGUSR1, 0);
	busy(20);
	execv(inherited()[0], inherited());
	return 1;
}

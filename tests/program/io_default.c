/* SPDX-License-Identifier: BSD-3-Clause */
/* SIGIO kills whom it always kills. */
#include "case.h"

int main(void)
{
	no_core();
	busy(20);
	fflush(stdout);
	kill(getpid(), SIGIO);
	puts("survived");
	return 0;
}

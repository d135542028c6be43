/* SPDX-License-Identifier: BSD-3-Clause */
/* A signal that pends while it is blocked pends after exec. */
#include "case.h"

int main(void)
{
	block(TAKEN, SIGTRAP, 0);
	busy(10);
	raise(SIGTRAP);
	raise(TAKEN);
	busy(10);
	execv(inherited()[0], inherited());
	return 1;
}

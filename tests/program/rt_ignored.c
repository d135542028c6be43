/* SPDX-License-Identifier: BSD-3-Clause */
/* An ignored real-time signal does nothing, in children neither. */
#include "case.h"

int main(void)
{
	signal(TAKEN, SIG_IGN);
	busy(20);
	raise(TAKEN);
	send_value(TAKEN, 1);
	busy(5);
	puts("alive");
	fflush(stdout);
	execv(inherited()[0], inherited());
	return 1;
}

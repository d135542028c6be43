/* SPDX-License-Identifier: BSD-3-Clause */
/* All signals blocked go through exec. */
#include "case.h"

int main(void)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	busy(20);
	execvp(inherited()[0], inherited());
	return 1;
}

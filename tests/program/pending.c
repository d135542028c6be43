/* SPDX-License-Identifier: BSD-3-Clause */
/* sigpending() shows what pends, and no more. */
#include "case.h"

int main(void)
{
	sigset_t all, pending;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	for (int n = 0; n < 3; n++) {
		busy(20);
		sigpending(&pending);
		for (int s = 1; s < 65; s++)
			if (sigismember(&pending, s) == 1)
				printf(" %d", s);
		printf("\n");
		raise(n == 0 ? SIGTRAP : n == 1 ? TAKEN : SIGIO);
	}
	sigpending(&pending);
	for (int s = 1; s < 65; s++)
		if (sigismember(&pending, s) == 1)
			printf(" %d", s);
	printf("\n");
	return 0;
}

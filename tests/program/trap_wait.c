/* SPDX-License-Identifier: BSD-3-Clause */
/* SIGTRAP is waited for, sent to the thread and to the process. */
#include "case.h"

int main(void)
{
	const sigset_t s = set_of(SIGTRAP, 0, 0);
	siginfo_t i;

	block(SIGTRAP, 0, 0);
	for (int n = 0; n < 5; n++) {
		busy(5);
		if (n % 2)
			raise(SIGTRAP);
		else
			kill(getpid(), SIGTRAP);
		busy(5);
		printf("%d", sigtimedwait(&s, &i, &(struct timespec){ 5, 0 }));
		printf(" code %d\n", i.si_code);
	}
	return 0;
}

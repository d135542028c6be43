/* SPDX-License-Identifier: BSD-3-Clause */
/* No disposition, and no mask, is other than the default. */
#include "case.h"

int main(void)
{
	struct sigaction a;
	sigset_t mask;
	int other = 0, masked = 0;

	busy(10);
	for (int s = 1; s < 65; s++)
		if (sigaction(s, NULL, &a) == 0 && a.sa_handler != SIG_DFL)
			printf("signal %d is handled\n", s), other++;
	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	for (int s = 1; s < 65; s++)
		masked += sigismember(&mask, s) == 1;
	printf("%d handled, %d blocked\n", other, masked);
	return 0;
}

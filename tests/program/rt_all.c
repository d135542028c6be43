/* SPDX-License-Identifier: BSD-3-Clause */
/* All real-time signals have handlers. */
#include "case.h"

static volatile int got[65];

static void handler(int signo)
{
	got[signo]++;
}

int main(void)
{
	int sum = 0;

	busy(10);
	for (int s = SIGRTMIN; s <= SIGRTMAX; s++)
		on(s, handler, SA_RESTART);
	for (int round = 0; round < 3; round++)
		for (int s = SIGRTMIN; s <= SIGRTMAX; s++) {
			raise(s);
			busy(1);
		}
	for (int s = SIGRTMIN; s <= SIGRTMAX; s++)
		sum += got[s] == 3;
	printf("%d of %d signals came three times\n", sum, SIGRTMAX - SIGRTMIN + 1);
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* All real-time signals get handlers from the upper end, one by one. */
#include "case.h"

static volatile int got[65];

static void handler(int signo)
{
	got[signo]++;
}

int main(void)
{
	int sum = 0;

	for (int s = SIGRTMAX; s >= SIGRTMIN; s--) {
		on(s, handler, SA_RESTART);
		busy(2);
		raise(s);
		sum += got[s] == 1;
	}
	printf("%d of %d came\n", sum, SIGRTMAX - SIGRTMIN + 1);
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of C11 run, and give their results. */
#include "case.h"
#include <threads.h>

static int thread(void *arg)
{
	busy(20);
	return *(int *)arg * 2;
}

int main(void)
{
	for (int n = 1; n <= 4; n++) {
		thrd_t t;
		int result, arg = n;

		printf("%d", thrd_create(&t, thread, &arg) == thrd_success);
		printf(" %d", thrd_join(t, &result) == thrd_success);
		printf(" %d\n", result);
	}
	return 0;
}

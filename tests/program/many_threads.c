/* SPDX-License-Identifier: BSD-3-Clause */
/* Two hundred threads, forty at a time. */
#include "case.h"

static void *thread(void *arg)
{
	busy(2);
	return arg;
}

int main(void)
{
	pthread_t t[40];
	intptr_t sum = 0;

	for (int round = 0; round < 5; round++) {
		for (intptr_t n = 0; n < 40; n++)
			if (pthread_create(&t[n], NULL, thread, (void *)n))
				return 1;
		for (int n = 0; n < 40; n++) {
			void *result;

			pthread_join(t[n], &result);
			sum += (intptr_t)result;
		}
	}
	printf("%d\n", (int)sum);
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread that is not the first one calls exec. */
#include "case.h"

static void *thread(void *arg)
{
	(void)arg;
	busy(10);
	block(SIGTRAP, 0, 0);
	execv(inherited()[0], inherited());
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, thread, NULL);
	for (;;)
		busy(10);
}

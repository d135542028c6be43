/* SPDX-License-Identifier: BSD-3-Clause */
/* A handler on an alternate stack of 8 KiB computes. */
#include "case.h"

static volatile int got, inside;

static void handler(int signo)
{
	stack_t s;

	(void)signo;
	got++;
	sigaltstack(NULL, &s);
	inside += (s.ss_flags & SS_ONSTACK) != 0;
	busy(5);
}

int main(void)
{
	static char area[4096 + 8192] __attribute__((aligned(4096)));
	const stack_t a = { .ss_sp = area + 4096, .ss_size = 8192 };
	int spoilt = 0;

	memset(area, 0x5a, 4096);
	sigaltstack(&a, NULL);
	on(SIGUSR1, handler, SA_ONSTACK);
	for (int n = 0; n < 10; n++)
		raise(SIGUSR1);
	for (int i = 0; i < 4096; i++)
		spoilt += area[i] != 0x5a;
	printf("got %d, on it %d, spoilt %d\n", got, inside, spoilt);
	return 0;
}

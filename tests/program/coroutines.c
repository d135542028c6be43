/* SPDX-License-Identifier: BSD-3-Clause */
/* Coroutines on stacks of 4 KiB. */
#include "case.h"
#include <ucontext.h>

static ucontext_t home, there;
static volatile int runs;

static void coroutine(void)
{
	for (;;) {
		busy(3);
		runs++;
		swapcontext(&there, &home);
	}
}

int main(void)
{
	static char area[4096 + 4096] __attribute__((aligned(4096)));
	int spoilt = 0;

	memset(area, 0x5a, 4096);
	getcontext(&there);
	there.uc_stack.ss_sp = area + 4096;
	there.uc_stack.ss_size = 4096;
	there.uc_link = &home;
	makecontext(&there, coroutine, 0);
	for (int n = 0; n < 20; n++)
		swapcontext(&home, &there);
	for (int i = 0; i < 4096; i++)
		spoilt += area[i] != 0x5a;
	printf("%d runs, %d bytes spoilt\n", runs, spoilt);
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* SIGTRAP's handler gets those of raise() and of a breakpoint. */
#include "case.h"

static volatile int got, code;

static void handler(int signo, siginfo_t *i, void *u)
{
	(void)signo;
	(void)u;
	got++;
	code = i->si_code;
}

int main(void)
{
	busy(10);
	on_info(SIGTRAP, handler, 0);
	for (int n = 0; n < 20; n++) {
		raise(SIGTRAP);
		busy(2);
	}
	printf("raised: %d, code %d\n", got, code);
#ifdef __x86_64__
	for (int n = 0; n < 20; n++) {
		__asm__ volatile("int3");
		busy(1);
	}
	printf("with breakpoints: %d, code %d\n", got, code);
#endif
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* An overflow of the stack is handled on the alternate one. */
#include "case.h"

static sigjmp_buf back;

static void handler(int signo)
{
	busy(3);
	siglongjmp(back, signo);
}

static int deeper(int n)
{
	volatile char room[1024];

	room[0] = (char)n;
	return n < 0 ? 0 : deeper(n + 1) + room[0];
}

int main(void)
{
	static char area[16384];
	const stack_t a = { .ss_sp = area, .ss_size = sizeof(area) };
	volatile int caught = 0;

	setrlimit(RLIMIT_STACK, &(struct rlimit){ 1 << 20, 1 << 20 });
	sigaltstack(&a, NULL);
	on(SIGSEGV, handler, SA_ONSTACK);
	for (volatile int n = 0; n < 3; n++)
		if (sigsetjmp(back, 1) == 0)
			printf("%d\n", deeper(1));
		else
			caught++;
	printf("caught %d\n", caught);
	return 0;
}

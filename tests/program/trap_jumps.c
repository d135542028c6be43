/* SPDX-License-Identifier: BSD-3-Clause */
/* A handler of SIGTRAP ends in siglongjmp(), again and again. */
#include "case.h"

static sigjmp_buf back;

static void handler(int signo)
{
	siglongjmp(back, signo);
}

int main(void)
{
	volatile int jumped = 0;

	on(SIGTRAP, handler, 0);
	for (volatile int n = 0; n < 50; n++)
		if (sigsetjmp(back, 1) == 0) {
			busy(1);
			raise(SIGTRAP);
		} else {
			jumped++;
		}
	printf("%d\n", jumped);
	return 0;
}

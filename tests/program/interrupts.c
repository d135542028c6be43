/* SPDX-License-Identifier: BSD-3-Clause */
/* siginterrupt() changes the disposition that there is. */
#include "case.h"

static void handler(int signo)
{
	(void)signo;
}

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

int main(void)
{
	static const int signos[] = { SIGTRAP, SIGIO, SIGUSR1 };
	struct sigaction a;

	for (int i = 0; i < 3; i++) {
		signal(signos[i], handler);
		for (int flag = 1; flag >= 0; flag--) {
			busy(2);
			printf("%d", siginterrupt(signos[i], flag));
			sigaction(signos[i], NULL, &a);
			printf(" %d %d\n", a.sa_handler == handler, (a.sa_flags & SA_RESTART) != 0);
		}
	}
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* SIGIO is waited for. */
#include "case.h"

int main(void)
{
	const sigset_t s = set_of(SIGIO, 0, 0);
	int signo;

	block(SIGIO, 0, 0);
	busy(20);
	kill(getpid(), SIGIO);
	busy(20);
	printf("%d", sigwait(&s, &signo));
	printf(" %d\n", signo);
	printf("%d", sigtimedwait(&s, NULL, &(struct timespec){ 0, 20000000 }));
	printf(" %s\n", strerror(errno));
	return 0;
}

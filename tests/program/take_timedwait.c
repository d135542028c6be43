/* SPDX-License-Identifier: BSD-3-Clause */
/* A blocked real-time signal is taken by sigtimedwait(). */
#include "case.h"

int main(void)
{
	const sigset_t s = set_of(TAKEN, 0, 0);
	const struct timespec t = { 5, 0 };
	siginfo_t i = { 0 };

	block(TAKEN, 0, 0);
	busy(20);
	send_value(TAKEN, 42);
	busy(20);
	printf("%d", sigtimedwait(&s, &i, &t));
	printf(" value %d code %d\n", i.si_value.sival_int, i.si_code);
	printf("%d", sigtimedwait(&s, &i, &(struct timespec){ 0, 10000000 }));
	printf(" %s\n", strerror(errno));
	return 0;
}

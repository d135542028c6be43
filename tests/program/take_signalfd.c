/* SPDX-License-Identifier: BSD-3-Clause */
/* A blocked real-time signal is read from a signalfd(). */
#include "case.h"
#include <sys/signalfd.h>

int main(void)
{
	const sigset_t s = set_of(TAKEN, 0, 0);
	struct signalfd_siginfo i;
	int fd;

	block(TAKEN, 0, 0);
	fd = signalfd(-1, &s, SFD_NONBLOCK);
	printf("nothing yet: %d\n", read(fd, &i, sizeof(i)) < 0 && errno == EAGAIN);
	for (int n = 0; n < 3; n++) {
		send_value(TAKEN, 10 + n);
		busy(10);
		struct pollfd p = { fd, POLLIN, 0 };
		printf("poll %d", poll(&p, 1, 5000));
		printf(" read %d", read(fd, &i, sizeof(i)) == sizeof(i));
		printf(" signal %u value %d\n", i.ssi_signo, i.ssi_int);
	}
	return 0;
}

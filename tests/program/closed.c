/* SPDX-License-Identifier: BSD-3-Clause */
/* All descriptors are closed, and their numbers used again. */
#include "case.h"

int main(void)
{
	int wrong = 0, fds[64];
	char c;

	busy(10);
	for (int fd = 3; fd < 4096; fd++)
		close(fd);
	for (int i = 0; i < 64; i++)
		fds[i] = open("/dev/null", O_RDWR);
	busy(20);
	for (int i = 0; i < 64; i++)
		wrong += fds[i] != 3 + i || read(fds[i], &c, 1) != 0;
	int high = fcntl(fds[0], F_DUPFD, 1024);
	busy(20);
	printf("wrong %d, 1024 is free %d\n", wrong, high == 1024 && read(high, &c, 1) == 0);
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* execveat() of a descriptor. */
#include "case.h"

int main(void)
{
	int fd = open(inherited()[0], O_RDONLY | O_CLOEXEC);

	block(SIGTRAP, TAKEN, 0);
	signal(SIGIO, SIG_IGN);
	busy(20);
	execveat(fd, "", inherited(), environ, AT_EMPTY_PATH);
	return 1;
}

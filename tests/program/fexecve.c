/* SPDX-License-Identifier: BSD-3-Clause */
/* fexecve() of a descriptor. */
#include "case.h"

int main(void)
{
	int fd = open(inherited()[0], O_RDONLY | O_CLOEXEC);

	block(SIGTRAP, TAKEN, 0);
	busy(20);
	fexecve(fd, inherited(), environ);
	return 1;
}

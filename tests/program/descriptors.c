/* SPDX-License-Identifier: BSD-3-Clause */
/* What a child finds open. */
#include "case.h"

int main(void)
{
	busy(10);
	fflush(stdout);
	int fd = open("/dev/null", O_RDONLY);
	printf("lowest %d\n", fd);
	fflush(stdout);
	execv(inherited()[0], inherited());
	return 1;
}

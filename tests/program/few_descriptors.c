/* SPDX-License-Identifier: BSD-3-Clause */
/* With few descriptors allowed all of them are the program's. */
#include "case.h"

int main(void)
{
	struct rlimit r = { 32, 32 };
	int n = 0;

	busy(5);
	setrlimit(RLIMIT_NOFILE, &r);
	busy(10);
	while (open("/dev/null", O_RDONLY) >= 0)
		n++;
	busy(10);
	printf("%d, %s\n", n, strerror(errno));
	return 0;
}

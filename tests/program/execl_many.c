/* SPDX-License-Identifier: BSD-3-Clause */
/* More arguments than a list of some thousand holds, through the kernel. */
#include "case.h"

int main(int argc, char **argv)
{
	if (argc > 1) {
		printf("%d arguments\n", argc);
		return 0;
	}
#define TEN "a", "b", "c", "d", "e", "f", "g", "h", "i", "j"
#define HUNDRED TEN, TEN, TEN, TEN, TEN, TEN, TEN, TEN, TEN, TEN
#define THOUSAND HUNDRED, HUNDRED, HUNDRED, HUNDRED, HUNDRED, HUNDRED, HUNDRED, HUNDRED, \
	HUNDRED, HUNDRED
	busy(10);
	execl(argv[0], argv[0], THOUSAND, THOUSAND, THOUSAND, THOUSAND, THOUSAND, NULL);
	return 1;
}

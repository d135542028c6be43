/* SPDX-License-Identifier: BSD-3-Clause */
/* What was ignored at the start is, after exec and after. */
#include "case.h"

int main(int argc, char **argv)
{
	if (argc > 1) {
		busy(10);
		execv(inherited()[0], inherited());
		return 1;
	}
	signal(SIGTRAP, SIG_IGN);
	signal(SIGIO, SIG_IGN);
	block(SIGTRAP, TAKEN, 0);
	busy(10);
	execl(argv[0], argv[0], "again", NULL);
	return 1;
}

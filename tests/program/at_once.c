/* SPDX-License-Identifier: BSD-3-Clause */
/* _exit(), _Exit() and quick_exit() end as ever. */
#include "case.h"

static void quick(void)
{
	printf("quick\n");
	fflush(stdout);
	busy(5);
}

static void slow(void)
{
	printf("slow\n");
}

int main(void)
{
	atexit(slow);
	at_quick_exit(quick);
	for (int way = 0; way < 4; way++) {
		fflush(stdout);
		pid_t child = fork();

		if (child == 0) {
			busy(10);
			if (way == 0)
				_exit(10);
			if (way == 1)
				_Exit(11);
			if (way == 2)
				quick_exit(12);
			exit(13);
		}
		print_end("child", child);
	}
	fflush(stdout);
	_exit(9);
}

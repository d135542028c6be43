/* SPDX-License-Identifier: BSD-3-Clause */
/* The program's own SIGBUS kills it. */
#include "case.h"

int main(void)
{
	FILE *f = tmpfile();

	no_core();
	if (!f || ftruncate(fileno(f), 4096))
		return 1;
	char *m = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(f), 0);
	busy(10);
	for (int way = 0; way < 3; way++) {
		fflush(stdout);
		pid_t child = fork();

		if (child == 0) {
			busy(3);
			if (way == 1)
				block(SIGBUS, 0, 0);
			if (way == 2)
				raise(SIGBUS);
			if (ftruncate(fileno(f), 0) == 0)
				m[0] = 1;
			_exit(7);
		}
		print_end("bus", child);
	}
	return 0;
}

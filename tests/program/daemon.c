/* SPDX-License-Identifier: BSD-3-Clause */
/* A daemon leaves its parent, and all descriptors. */
#include "case.h"

int main(void)
{
	int p[2];
	char line[64] = "";

	if (pipe(p))
		return 1;
	busy(10);
	pid_t child = fork();
	if (child == 0) {
		close(p[0]);
		if (daemon(0, 0))
			_exit(9);
		for (int fd = 0; fd < 2048; fd++)
			if (fd != p[1])
				close(fd);
		busy(20);
		if (write(p[1], "daemon", 6) != 6)
			_exit(8);
		_exit(4);
	}
	close(p[1]);
	print_end("first", child);
	ssize_t n = read(p[0], line, sizeof(line) - 1);
	printf("%d %s\n", (int)n, line);
	return 0;
}

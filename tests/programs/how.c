/* SPDX-License-Identifier: BSD-3-Clause
 * how - runs a command and says how it ended: "exit N" or "signal N", and what
 * it computed, in milliseconds of user time, its children's included.
 *
 * how FILE COMMAND [ARG…] writes that to FILE.
 */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct rusage used;
	int status;
	pid_t pid;
	FILE *f;

	if (argc < 3) {
		fprintf(stderr, "usage: how FILE COMMAND [ARG…]\n");
		return 2;
	}
	pid = fork();
	if (pid == 0) {
		execvp(argv[2], argv + 2);
		perror(argv[2]);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &used) != pid)
		return 2;
	f = fopen(argv[1], "w");
	if (!f)
		return 2;
	if (WIFSIGNALED(status))
		fprintf(f, "signal %d\n", WTERMSIG(status));
	else
		fprintf(f, "exit %d\n", WEXITSTATUS(status));
	fprintf(f, "user_ms %ld\n", used.ru_utime.tv_sec * 1000 + used.ru_utime.tv_usec / 1000);
	return fclose(f) ? 2 : 0;
}

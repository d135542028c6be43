/* SPDX-License-Identifier: BSD-3-Clause
 * hangup.c - runs a command as the leader of a session with a terminal of its own, and
 * hangs up when the command has made the file `ready'. Ends as the command does; 99 after
 * ten seconds.
 *
 *	hangup COMMAND [ARG...]
 */
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TENTHS = 100 };

int main(int argc, char **argv)
{
	int terminal, status;
	const pid_t pid = argc < 2 ? -1 : forkpty(&terminal, NULL, NULL, NULL);

	if (pid < 0)
		return 98;
	if (pid == 0) {
		execvp(argv[1], argv + 1);
		_exit(97);
	}
	for (int i = 0; i < TENTHS && access("ready", F_OK); i++)
		usleep(100000);
	close(terminal);
	for (int i = 0; i < TENTHS; i++, usleep(100000)) {
		if (waitpid(pid, &status, WNOHANG) != pid)
			continue;
		return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	}
	kill(pid, SIGKILL);
	return 99;
}

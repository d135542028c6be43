/*
 * cmd_run.c - starts a program and ends as it does.
 */
#include "config.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/commands.h"
#include "src/message.h"

int cmd_run(int argc, char **argv)
{
	int status;
	pid_t pid;

	if (argc < 2) {
		message_parts("no program given", NULL, "say ompcount [OPTION…] COMMAND [ARG…]");
		return COMMAND_MISUSED;
	}
	pid = fork();
	if (pid == 0) {
		execvp(argv[1], argv + 1);
		message_parts(argv[1], strerror(errno), NULL);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0) {
		message_parts(argv[1], strerror(errno), NULL);
		return COMMAND_FAILED;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

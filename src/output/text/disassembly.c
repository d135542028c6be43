/* SPDX-License-Identifier: BSD-3-Clause */
/* disassembly.c - runs objdump of the binutils. */
#include "config.h"

#include "src/output/text/disassembly.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Starts objdump with its standard output in *fd and its messages discarded. */
static int objdump_start(const char *path, uint64_t lo, uint64_t hi, pid_t *pid, int *fd)
{
	char start[48], stop[48], command[] = "objdump", code[] = "-dC";
	char raw[] = "--no-show-raw-insn", end[] = "--";
	char *argv[] = {
		command, code, raw, start, stop, end, (char *)(uintptr_t)path, NULL,
	};
	posix_spawn_file_actions_t actions;
	int pipes[2], err;

	snprintf(start, sizeof(start), "--start-address=%#" PRIx64, lo);
	snprintf(stop, sizeof(stop), "--stop-address=%#" PRIx64, hi);
	if (pipe2(pipes, O_CLOEXEC))
		return -errno;
	err = posix_spawn_file_actions_init(&actions);
	if (!err) {
		posix_spawn_file_actions_adddup2(&actions, pipes[1], STDOUT_FILENO);
		posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
		err = posix_spawnp(pid, command, &actions, NULL, argv, environ);
		posix_spawn_file_actions_destroy(&actions);
	}
	close(pipes[1]);
	*fd = pipes[0];
	if (err)
		close(pipes[0]);
	return err == ENOENT ? -ENOEXEC : -err;
}

/* "    11a0:\tlea    0x10(%rax),%rdi" */
static void objdump_line(char *line, void (*visit)(void *, uint64_t, const char *), void *arg)
{
	char *end, *from = line + strspn(line, " ");
	uint64_t address;

	errno = 0;
	address = strtoull(from, &end, 16);
	if (from == line || end == from || errno || end[0] != ':' || end[1] != '\t')
		return;
	end[strcspn(end, "\n")] = '\0';
	for (char *c = end; *c; c++)
		if (*c == '\t')
			*c = ' ';
	visit(arg, address, end + 2);
}

int disassemble(const char *path, uint64_t lo, uint64_t hi,
		void (*visit)(void *arg, uint64_t address, const char *text), void *arg)
{
	char *line = NULL;
	size_t room = 0;
	int fd, status, err;
	FILE *out;
	pid_t pid;

	err = objdump_start(path, lo, hi, &pid, &fd);
	if (err)
		return err;
	out = fdopen(fd, "r");
	if (!out)
		close(fd);
	while (out && getline(&line, &room, out) >= 0)
		objdump_line(line, visit, arg);
	free(line);
	if (out)
		fclose(out);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0   ? 0 :
	       WIFEXITED(status) && WEXITSTATUS(status) == 127 ? -ENOEXEC :
								 -EIO;
}

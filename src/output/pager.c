/* SPDX-License-Identifier: BSD-3-Clause */
/* pager.c - see pager.h. */
#include "config.h"

#include "src/output/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/base/page.h"
#include "src/output/fold.h"

enum { NOT_FOUND = 127 }; /* what the shell says of a command */

static const char *pager_command(void)
{
	const char *command = getenv("OMPHWC_PAGER");

	if (!command)
		command = getenv("PAGER");
	if (!command)
		command = "less";
	return !*command || !strcmp(command, "cat") ? NULL : command;
}

bool pager_wanted(void)
{
	return isatty(STDOUT_FILENO) && page_able() && pager_command();
}

static int pager_plain(const char *text, size_t bytes)
{
	errno = 0;
	if (fwrite(text, 1, bytes, stdout) == bytes && fflush(stdout) == 0)
		return 0;
	return errno ? -errno : -EIO;
}

/* The pager may be left before it has read all. */
static void pager_feed(int to, const char *text, size_t bytes)
{
	while (bytes) {
		const ssize_t n = write(to, text, bytes);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return;
		text += n;
		bytes -= (size_t)n;
	}
}

/* 0 if the pager has shown the text. */
static int pager_run(const char *command, const char *text, size_t bytes)
{
	int ends[2], status = 0;
	pid_t child;

	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	child = fork();
	if (child == 0) {
		const int from = ends[0];

		signal(SIGINT, SIG_DFL);
		signal(SIGQUIT, SIG_DFL);
		signal(SIGPIPE, SIG_DFL);
		setenv("LESS", "FRX", 0);
		setenv("LV", "-c", 0);
		if (dup2(from, STDIN_FILENO) == STDIN_FILENO)
			execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(NOT_FOUND);
	}
	close(ends[0]);
	if (child > 0)
		pager_feed(ends[1], text, bytes);
	close(ends[1]);
	if (child < 0)
		return -EAGAIN;
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return 0;
	return WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND ? -ENOENT : 0;
}

int pager_show(const char *text, size_t bytes)
{
	const char *command = pager_command();
	struct sigaction ignore = { .sa_handler = SIG_IGN }, old[3];
	static const int signals[] = { SIGINT, SIGQUIT, SIGPIPE };
	int err;

	/* The shell's prompt takes a line. */
	if (!pager_wanted() || !page_rows() || fold_lines(text, page_width()) < page_rows())
		return pager_plain(text, bytes);
	fflush(stdout);
	for (size_t i = 0; i < 3; i++)
		sigaction(signals[i], &ignore, &old[i]);
	err = pager_run(command, text, bytes);
	for (size_t i = 0; i < 3; i++)
		sigaction(signals[i], &old[i], NULL);
	return err ? pager_plain(text, bytes) : 0;
}

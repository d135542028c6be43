/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/output/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/base/alloc.h"
#include "src/base/page.h"
#include "src/output/printable.h"
#include "src/profile/magic.h"

/* ---- the pager --------------------------------------------------------- */

/* As git does it: the pager is OMPHWC_PAGER, PAGER or less; none if that is empty or cat, and on a
   terminal that can't move its cursor.  LESS is FRX unless it is set.  Signals from the keyboard
   are the pager's. */

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

/* Whether standard output is a terminal on which a pager can be used. */
static bool pager_wanted(void)
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

/* 0 or -errno, of standard output.  A pager that can't be started, or that fails, is no error. */
static int pager_show(const char *text, size_t bytes)
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

/* ---- signals --------------------------------------------------------- */

/* What is removed by a signal that ends the process that wrote it; "": nothing. */
static char unfinished[PATH_MAX];
static pid_t writer;

/* The signal is raised again when its own action is the default one, which waits for the return. */
static void end_by(int sig)
{
	if (getpid() == writer)
		unlink(unfinished);
	raise(sig);
}

/* write() then fails with EFBIG. */
static void file_too_large(int sig)
{
	(void)sig;
}

/* Not where the process has an action, or ignores the signal. */
static void act(int sig, void (*handler)(int), int flags)
{
	struct sigaction now = { .sa_handler = handler, .sa_flags = flags }, before;

	if (!sigaction(sig, NULL, &before) && before.sa_handler == SIG_DFL)
		sigaction(sig, &now, NULL);
}

/* Where the process ends by exit() while it writes: memory ran out. */
static void at_exit(void)
{
	if (unfinished[0] && getpid() == writer)
		unlink(unfinished);
}

/* No signal comes between the file and its name. */
static int make_temporary(char *path)
{
	static const int ends[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };
	sigset_t all, before;
	int fd;

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		act(ends[i], end_by, (int)SA_RESETHAND);
	act(SIGXFSZ, file_too_large, SA_RESTART);
	if (writer == 0)
		atexit(at_exit);
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0 && strlen(path) < sizeof(unfinished)) {
		strcpy(unfinished, path);
		writer = getpid();
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return fd;
}

/* ---- files ----------------------------------------------------------- */

static void outfile_forget(struct outfile *o)
{
	if (o->temporary && !strcmp(o->temporary, unfinished))
		unfinished[0] = '\0';
	free(o->target);
	free(o->temporary);
	free(o->text);
	*o = (struct outfile){ 0 };
}

static int outfile_temporary(struct outfile *o, const char *path, const struct stat *old)
{
	int fd;

	/* A symbolic link is followed and stays. */
	o->target = old ? realpath(path, NULL) : alloc_text(path);
	if (!o->target)
		return -errno;
	o->temporary = alloc_printf("%s.XXXXXX", o->target);
	fd = make_temporary(o->temporary);
	if (fd < 0)
		return -errno;
	/* Sets the mode as open() would: mkstemp() creates files that only the owner can read. */
	mode_t mask = umask(0);

	umask(mask);
	(void)!fchmod(fd, old ? old->st_mode & 07777 : 0666 & ~mask);
	o->stream = fdopen(fd, "w");
	if (o->stream)
		return 0;
	close(fd);
	unlink(o->temporary);
	return -errno;
}

static int outfile_begin(struct outfile *o, const char *path, bool over_profile)
{
	struct stat st;
	bool there;
	int err = 0;

	*o = (struct outfile){ 0 };
	if (!path || !strcmp(path, "-")) {
		o->stream = stdout;
		return 0;
	}
	there = !stat(path, &st);
	if (!there && errno != ENOENT)
		return -errno;
	if (there && S_ISDIR(st.st_mode))
		return -EISDIR;
	if (there && access(path, W_OK))
		return -errno;
	if (there && !S_ISREG(st.st_mode)) {
		o->stream = fopen(path, "we");
		return o->stream ? 0 : -errno;
	}
	if (there && !over_profile && prof_is_profile(path))
		return -EEXIST;
	err = outfile_temporary(o, path, there ? &st : NULL);
	if (err)
		outfile_forget(o);
	return err;
}

int outfile_open(struct outfile *o, const char *path)
{
	return outfile_begin(o, path, false);
}

int outfile_open_over(struct outfile *o, const char *path)
{
	return outfile_begin(o, path, true);
}

void outfile_page(struct outfile *o)
{
	if (o->stream != stdout || !pager_wanted())
		return;
	o->stream = alloc_stream(&o->text, &o->bytes);
}

static int outfile_close(struct outfile *o)
{
	int err = 0;

	errno = 0;
	if (fflush(o->stream) || ferror(o->stream))
		err = errno ? -errno : -EIO;
	if (o->stream != stdout && fclose(o->stream) && !err)
		err = -errno;
	o->stream = NULL;
	return err;
}

int outfile_commit(struct outfile *o)
{
	int err = outfile_close(o);

	if (!err && o->text)
		err = pager_show(o->text, o->bytes);
	if (!err && o->target && rename(o->temporary, o->target))
		err = -errno;
	if (err && o->temporary)
		unlink(o->temporary);
	outfile_forget(o);
	return err;
}

void outfile_abandon(struct outfile *o)
{
	if (!o->stream)
		return;
	outfile_close(o);
	if (o->temporary)
		unlink(o->temporary);
	outfile_forget(o);
}

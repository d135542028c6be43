/*
 * say.c - the one line that in-process code may print.
 */
#include "config.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

#include "ompt_tool/program/next.h"
#include "ompt_tool/program/program.h"

/* SIGPIPE is blocked for the write, and one that the write raised is taken away. */
void program_say(const char *line, size_t bytes)
{
	const struct timespec now = { 0, 0 };
	const int saved = errno;
	sigset_t pipe, before, pending;

	next_find();
	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	sigemptyset(&pending);
	sigpending(&pending);
	next.pthread_sigmask(SIG_BLOCK, &pipe, &before);
	if (write(STDERR_FILENO, line, bytes) < 0 && errno == EPIPE &&
	    !sigismember(&pending, SIGPIPE))
		next.sigtimedwait(&pipe, NULL, &now);
	next.pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = saved;
}

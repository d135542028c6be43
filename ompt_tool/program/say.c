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
#include "ompt_tool/program/witness.h"

/* SIGPIPE is blocked for the write, and one that the write raised is taken away. */
void program_say(const char *line, size_t bytes)
{
	const struct timespec now = { 0, 0 };
	const int saved = errno;
	const uint64_t blocked = mask_bit(SIGPIPE);
	sigset_t pipe, pending;

	next_find();
	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	sigemptyset(&pending);
	sigpending(&pending);
	const uint64_t before = mask_change(SIG_BLOCK, &blocked);
	if (write(STDERR_FILENO, line, bytes) < 0 && errno == EPIPE &&
	    !sigismember(&pending, SIGPIPE))
		next.sigtimedwait(&pipe, NULL, &now);
	mask_change(SIG_SETMASK, &before);
	errno = saved;
}
